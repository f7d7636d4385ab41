// The solver `avbd`: contacts and joints as rows with multipliers, Newton steps of one block after the other.
#include "solvers/avbd/avbd.h"

#include "base/stage_timer.h"
#include "base/thread_pool.h"
#include "dynamics/integrate.h"
#include "math/rotation.h"
#include "solvers/avbd/colours.h"
#include "solvers/avbd/forces.h"
#include "solvers/avbd/memory.h"
#include "solvers/avbd/packs.h"
#include "solvers/avbd/parameters.h"
#include "solvers/avbd/penalty.h"
#include "solvers/avbd/swept.h"
#include "solvers/avbd/write_back.h"

#include <algorithm>
#include <limits>

namespace rattleback::avbd
{

namespace
{

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class AvbdSolver final : public Solver
{
public:
    AvbdSolver(const Model& model, const Settings& settings)
        : settings_(settings),
          layout_(model, settings.tree_blocks && !settings.penalty),
          collider_(model, {.thread_count = settings.threads, .max_points = 4}),
          work_(layout_),
          outer_(layout_.parts.size()),
          applied_(model.dofs.body.size()),
          act_(at(model.act_count)),
          packed_(layout_.parts.size()),
          scalar_(layout_.parts.size()),
          packs_(make_pack_sweep(settings.single_precision)),
          pool_(settings.threads),
          motions_(layout_.kinematic.size())
    {
        work_.drives = make_drives(model);
    }

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<AvbdMemory>(layout_); }

    StepReport step(const StepInput& input, WorldView world, Memory& base_memory) override
    {
        auto& memory = static_cast<AvbdMemory&>(base_memory);
        StageTimer timer(input.timings);
        load(input, world, memory);
        const double margin = find_margin(input.dt);
        const Contacts& contacts = collider_.find_contacts(world, margin, memory.collider);
        timer.mark(static_cast<int>(Stage::collide));
        const double dt = input.dt / settings_.substeps;
        build_rows(layout_, settings_, contacts, memory.points, work_.bodies, dt, rows_);
        if (settings_.swept)
            add_swept_rows(layout_, settings_, world, contacts, work_.bodies, margin, input.dt, collider_, swept_,
                           rows_);
        colour_blocks(layout_, rows_, colouring_);
        timer.mark(static_cast<int>(Stage::rows));
        for (int substep = 0; substep < settings_.substeps; ++substep) advance(substep, dt, world, timer);
        StepReport report = make_report(contacts);
        if (const int bad = find_bad_part(layout_, work_.bodies); bad >= 0)
        {
            report.status = StepStatus::diverged;
            report.culprit = layout_.parts[at(bad)].body;
            return report;
        }
        write_back(layout_, work_, world);
        const JointErrors joints = find_joint_errors(layout_, work_);
        report.residual = joints.largest;
        if (joints.parted >= 0) report.status = StepStatus::not_converged;
        std::copy(act_.begin(), act_.end(), world.act.begin());
        keep(contacts, dt, memory);
        timer.mark(static_cast<int>(Stage::integrate));
        for (int k = 0; k < kStageCount; ++k) report.seconds[at(k)] = timer.seconds(k);
        return report;
    }

private:
    void load(const StepInput& input, const WorldView& world, const AvbdMemory& memory)
    {
        load_bodies(layout_, world, work_.bodies);
        for (std::size_t p = 0; p < work_.bodies.size(); ++p)
        {
            work_.bodies[p].previous = memory.velocity[p];
            work_.bodies[p].has_previous = memory.stepped != 0;
        }
        work_.link_memory = memory.links;
        work_.loop_memory = memory.loops;
        for (std::size_t k = 0; k < motions_.size(); ++k)
        {
            motions_[k] = find_kinematic_motion(*layout_.model, layout_.parts[at(layout_.kinematic[k])].body, world,
                                                input.control, input.time, input.dt);
        }
        std::copy(world.act.begin(), world.act.end(), act_.begin());
        find_outer_forces(layout_, input, world, work_.bodies, work_.drives, applied_, outer_, act_);
    }

    /// Contacts are looked for as far as the fastest body comes in a step, within reason.
    double find_margin(double dt) const
    {
        double fastest = 0, size = 0;
        int count = 0;
        for (std::size_t p = 1; p < layout_.parts.size(); ++p)
        {
            const Part& part = layout_.parts[p];
            if (!part.dynamic) continue;
            const Velocity& v = work_.bodies[p].velocity;
            fastest = std::max(fastest, norm(v.linear) + part.reach * norm(v.angular));
            size += part.extent;
            ++count;
        }
        if (count == 0) return 0;
        size /= count;
        const double fall = norm(layout_.model->settings.gravity) * dt * dt;
        return std::clamp(dt * fastest + 2 * fall, 0.002 * size, 0.2 * size);
    }

    void advance(int substep, double dt, const WorldView& world, StageTimer& timer)
    {
        work_.dt = dt;
        const bool post = settings_.stabilisation == Stabilisation::post;
        work_.counted = post ? 0 : 1 - settings_.alpha;
        for (std::size_t l = 0; l < layout_.links.size(); ++l)
        {
            const Link& link = layout_.links[l];
            if (substep == 0)
                start_link(layout_, link, work_.bodies, world.q, dt, settings_.joint_stiffness, work_.links[l]);
            else
                restart_link(layout_, link, work_.bodies, work_.links[l]);
            for (int i = 0; i < link.dof_count; ++i)
                work_.links[l].dofs[at(i)].applied = applied_[at(link.v_begin + i)];
        }
        std::fill(work_.violation.begin(), work_.violation.end(), std::numeric_limits<double>::infinity());
        start_loops(layout_, settings_.joint_stiffness, work_);
        place_rows(layout_, work_.bodies, dt, rows_);
        predict(layout_, outer_, dt, settings_.penalty, work_.bodies);
        move_kinematic_bodies(substep, dt);
        choose_paths();
        gather_contacts(layout_, settings_, rows_, scalar_, work_);
        if (!settings_.penalty) packs_->start(layout_, settings_, colouring_, packed_, rows_, work_);
        timer.mark(static_cast<int>(Stage::rows));
        if (settings_.penalty)
            solve_by_penalties(layout_, settings_, colouring_, rows_, work_);
        else
            iterate();
        note_sliding();
        break_joints(layout_, work_);
        finish_velocities(layout_, dt, work_.bodies);
        if (post && !settings_.penalty)
        {
            count_errors(rows_, settings_.correction, work_);
            packs_->count_errors(rows_, settings_.correction);
            sweep();
            packs_->finish(pool_, work_);
        }
        commit_poses(work_.bodies);
        bounce(layout_, settings_.bounce_speed, rows_, work_.bodies);
        timer.mark(static_cast<int>(Stage::solve));
    }

    /// Single bodies move in packs; trees, and bodies with turning friction, one by one.
    void choose_paths()
    {
        std::fill(packed_.begin(), packed_.end(), 0);
        for (const Block& block : layout_.blocks)
            packed_[at(layout_.order[at(block.begin)])] = block.tree || settings_.penalty ? 0 : 1;
        for (const ContactRow& row : rows_)
        {
            if (row.spin_friction == 0 && row.roll_friction == 0) continue;
            packed_[at(row.first)] = packed_[at(row.second)] = 0;
        }
        for (std::size_t p = 0; p < packed_.size(); ++p) scalar_[p] = packed_[p] == 0 ? 1 : 0;
        scalar_blocks_.clear();
        scalar_begin_.assign(1, 0);
        for (std::size_t c = 0; c + 1 < colouring_.begin.size(); ++c)
        {
            for (int k = colouring_.begin[c]; k < colouring_.begin[c + 1]; ++k)
            {
                const int block = colouring_.blocks[at(k)];
                if (scalar_[at(layout_.order[at(layout_.blocks[at(block)].begin)])] != 0)
                    scalar_blocks_.push_back(block);
            }
            scalar_begin_.push_back(static_cast<int>(scalar_blocks_.size()));
        }
    }

    /// Sweeps and multipliers in turn.
    void iterate()
    {
        for (int i = 0; i < settings_.iterations; ++i)
        {
            sweep();
            for (const int block : scalar_blocks_) raise_block(layout_, layout_.blocks[at(block)], work_);
            packs_->raise(pool_);
        }
        scatter_contacts(work_, rows_);
        packs_->scatter(rows_);
        packs_->finish(pool_, work_);
    }

    void sweep()
    {
        for (int colour = 0; colour + 1 < static_cast<int>(colouring_.begin.size()); ++colour)
        {
            packs_->move(colour, pool_, work_);
            for (int k = scalar_begin_[at(colour)]; k < scalar_begin_[at(colour) + 1]; ++k)
            {
                const Block& block = layout_.blocks[at(scalar_blocks_[at(k)])];
                move_block(layout_, block, work_);
                for (int i = block.begin; i < block.end; ++i) packs_->take(layout_.order[at(i)], work_);
            }
        }
    }

    void move_kinematic_bodies(int substep, double dt)
    {
        for (std::size_t k = 0; k < motions_.size(); ++k)
        {
            const int p = layout_.kinematic[k];
            Body& body = work_.bodies[at(p)];
            const Pose end = interpolate(motions_[k], double(substep + 1) / settings_.substeps);
            const Vec3 center = end.position + rotate(end.rotation, layout_.parts[at(p)].center);
            body.moved = {center - body.center, logarithm(end.rotation * conjugate(body.rotation))};
            body.turned = end.rotation;
            body.velocity = {(1 / dt) * body.moved.linear, (1 / dt) * body.moved.angular};
        }
    }

    void note_sliding()
    {
        for (ContactRow& row : rows_) row.sliding = norm(row.drag) >= (1 - 1e-9) * row.friction * row.pressure;
    }

    StepReport make_report(const Contacts& contacts) const
    {
        StepReport report;
        report.iterations = settings_.iterations * settings_.substeps;
        report.contact_count = contacts.count();
        for (const Contact& contact : contacts.items)
            report.deepest_penetration = std::max(report.deepest_penetration, -contact.distance);
        return report;
    }

    void keep(const Contacts& contacts, double dt, AvbdMemory& memory)
    {
        remember(contacts, rows_, dt, memory.points);
        memory.contacts = contacts;
        memory.contact_forces.items.assign(contacts.items.size(), Wrench{});
        for (const ContactRow& row : rows_)
        {
            if (row.contact < 0) continue;
            memory.contact_forces.items[at(row.contact)] = {row.pressure * row.normal + row.drag,
                                                            row.spin * row.normal + row.roll};
        }
        memory.links = work_.link_memory;
        memory.loops = work_.loop_memory;
        for (std::size_t p = 0; p < work_.bodies.size(); ++p) memory.velocity[p] = work_.bodies[p].previous;
        memory.stepped = 1;
    }

    Settings settings_;
    Layout layout_;
    Collider collider_;
    BlockWork work_;
    SweptWork swept_;
    std::vector<ContactRow> rows_;
    Colouring colouring_;
    OuterForces outer_;
    std::vector<double> applied_, act_;
    std::vector<char> packed_, scalar_;  ///< [part] moved in packs, or in double precision one by one
    std::vector<int> scalar_begin_;      ///< [colours + 1] into scalar_blocks_
    std::vector<int> scalar_blocks_;
    std::unique_ptr<PackSweep> packs_;
    ThreadPool pool_;
    std::vector<KinematicMotion> motions_;
};

}  // namespace

const SolverInfo kInfo = {
    .name = "avbd",
    .summary = "piles, stacks and mechanisms by augmented vertex block descent, at a fixed cost per step",
    .coordinates = Coordinates::bodies,
    .supports = {Feature::free_joint,
                 Feature::ball_joint,
                 Feature::hinge_joint,
                 Feature::slide_joint,
                 Feature::several_joints_per_body,
                 Feature::kinematic_body,
                 Feature::gravity_compensation,
                 Feature::contact,
                 Feature::spinning_friction,
                 Feature::rolling_friction,
                 Feature::restitution,
                 Feature::limits,
                 Feature::springs,
                 Feature::damping,
                 Feature::armature,
                 Feature::dry_friction,
                 Feature::equality,
                 Feature::cable,
                 Feature::breakable,
                 Feature::actuator},
    .parameters = parameter_list(),
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    { return std::make_unique<AvbdSolver>(model, Settings(parameters)); },
};

}  // namespace rattleback::avbd
