// MuJoCo as an oracle of constraints: contacts, rows, and the forces its solvers find.
#include "lab/peers/mujoco/oracle_parts.h"

#include <array>

namespace rattleback::lab
{

namespace
{

/// Copies what was given; an empty array leaves the initial values.
void put(std::span<const double> values, double* target, mjtSize count)
{
    RB_CHECK(values.empty() || static_cast<mjtSize>(values.size()) == count, "an array of the wrong size for MuJoCo");
    std::copy(values.begin(), values.end(), target);
}

Contact read_contact(const mjModel* m, const mjContact& theirs)
{
    Contact contact;
    contact.first_shape = ShapeId{theirs.geom[0]};
    contact.second_shape = ShapeId{theirs.geom[1]};
    contact.first_body = BodyId{m->geom_bodyid[theirs.geom[0]]};
    contact.second_body = BodyId{m->geom_bodyid[theirs.geom[1]]};
    contact.point = {theirs.pos[0], theirs.pos[1], theirs.pos[2]};
    for (int k = 0; k < 3; ++k)
    {
        for (int i = 0; i < 3; ++i) contact.frame(i, k) = theirs.frame[3 * k + i];
    }
    contact.distance = theirs.dist;
    contact.margin = theirs.includemargin;
    contact.dimension = theirs.dim;
    contact.friction = {theirs.friction[0], theirs.friction[2], theirs.friction[3]};
    Impedance impedance;
    std::copy_n(theirs.solref, impedance.solref.size(), impedance.solref.begin());
    std::copy_n(theirs.solimp, impedance.solimp.size(), impedance.solimp.begin());
    contact.softness = impedance;
    contact.adhesion = theirs.adhesion;
    return contact;
}

void read_rows(const mjModel* m, const mjData* d, OracleConstraints& all)
{
    const auto nv = static_cast<std::size_t>(m->nv), rows = static_cast<std::size_t>(d->nefc);
    all.jacobian.assign(rows * nv, 0);
    for (std::size_t row = 0; row < rows; ++row)
    {
        all.type.push_back(static_cast<OracleRow>(d->efc_type[row]));
        all.element.push_back(d->efc_id[row]);
        for (int k = 0; k < d->efc_J_rownnz[row]; ++k)
        {
            const int entry = d->efc_J_rowadr[row] + k;
            all.jacobian[row * nv + static_cast<std::size_t>(d->efc_J_colind[entry])] = d->efc_J[entry];
        }
    }
    all.position = to_numbers(d->efc_pos, d->nefc);
    all.margin = to_numbers(d->efc_margin, d->nefc);
    all.velocity = to_numbers(d->efc_vel, d->nefc);
    all.reference = to_numbers(d->efc_aref, d->nefc);
    all.diagonal = to_numbers(d->efc_diagA, d->nefc);
    all.regulariser = to_numbers(d->efc_R, d->nefc);
    all.stiffness = to_numbers(d->efc_D, d->nefc);
    all.loss = to_numbers(d->efc_frictionloss, d->nefc);
    all.force = to_numbers(d->efc_force, d->nefc);
}

void set_flag(int& flags, int flag, bool on) { flags = on ? flags | flag : flags & ~flag; }

void set_options(const OracleConstraintOptions& options, mjOption& opt)
{
    opt.cone = options.elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    opt.impratio = options.impratio;
    opt.solver = options.solver == "PGS" ? mjSOL_PGS : options.solver == "CG" ? mjSOL_CG : mjSOL_NEWTON;
    opt.iterations = options.iterations;
    opt.tolerance = options.tolerance;
    opt.noslip_iterations = options.noslip_iterations;
    opt.noslip_tolerance = options.noslip_tolerance;
    opt.jacobian = mjJAC_SPARSE;
    opt.integrator = mjINT_EULER;  // the integrator `discrete` has rows of its own
    set_flag(opt.disableflags, mjDSBL_SENSOR, true);
    set_flag(opt.disableflags, mjDSBL_REFSAFE, !options.refsafe);
    set_flag(opt.disableflags, mjDSBL_WARMSTART, !options.warmstart);
    set_flag(opt.enableflags, mjENBL_DIAGEXACT, options.exact_diagonal);
    set_flag(opt.enableflags, mjENBL_SLEEP, false);
}

}  // namespace

mjData* Oracle::Parts::place(const OracleInput& input)
{
    mjModel* m = model.get();
    if (!data) data.reset(api->make_data(m));
    mjData* d = data.get();
    api->reset_data(m, d);
    put(input.q, d->qpos, m->nq);
    put(input.v, d->qvel, m->nv);
    put(input.act, d->act, m->na);
    put(input.input, d->ctrl, m->nu);
    put(input.joint_force, d->qfrc_applied, m->nv);
    for (std::size_t b = 0; b < input.body_wrench.size(); ++b)
    {
        const Wrench& wrench = input.body_wrench[b];
        for (int k = 0; k < 3; ++k)
        {
            d->xfrc_applied[6 * b + static_cast<std::size_t>(k)] = wrench.force[k];
            d->xfrc_applied[6 * b + 3 + static_cast<std::size_t>(k)] = wrench.torque[k];
        }
    }
    for (std::size_t i = 0; i < input.kinematic_poses.size(); ++i)
    {
        const auto& [p, r] = input.kinematic_poses[i];
        std::ranges::copy(std::array{p.x, p.y, p.z}, d->mocap_pos + 3 * i);
        std::ranges::copy(std::array{r.w, r.x, r.y, r.z}, d->mocap_quat + 4 * i);
    }
    return d;
}

OracleConstraints Oracle::find_constraints(const OracleInput& input, const OracleConstraintOptions& options)
{
    const MujocoApi& api = *parts_->api;
    mjModel* m = parts_->model.get();
    m->opt = parts_->options;
    set_options(options, m->opt);
    std::vector<double> last;
    if (options.warmstart && parts_->data) last = to_numbers(parts_->data->qacc, m->nv);
    mjData* d = parts_->place(input);
    std::copy(last.begin(), last.end(), d->qacc_warmstart);
    api.forward(m, d);

    OracleConstraints all;
    for (int i = 0; i < d->ncon; ++i)
    {
        all.contacts.items.push_back(read_contact(m, d->contact[i]));
        all.contact_row.push_back(d->contact[i].efc_address);
        all.contact_mu.push_back(d->contact[i].mu);
    }
    read_rows(m, d, all);
    all.smooth_acceleration = to_numbers(d->qacc_smooth, m->nv);
    all.acceleration = to_numbers(d->qacc, m->nv);
    return all;
}

std::vector<double> Oracle::find_sensors(const OracleInput& input, const OracleConstraintOptions& options)
{
    mjModel* m = parts_->model.get();
    m->opt = parts_->options;
    set_options(options, m->opt);
    set_flag(m->opt.disableflags, mjDSBL_SENSOR, false);
    mjData* d = parts_->place(input);
    parts_->api->forward(m, d);
    return to_numbers(d->sensordata, m->nsensordata);
}

}  // namespace rattleback::lab
