// Builds rows of both sides and compares them array by array.
#include "external/rows_match.h"
#include "base/index.h"

#include "dynamics/forces.h"
#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"
#include "solvers/shared/rows.h"
#include "solvers/shared/running_surfaces.h"

namespace rattleback
{

void place_and_build(const ContactState& at_state, const Contacts& contacts, const RowOptions& options,
                     const Tree& tree, State& state, Control& control, Workspace<double>& w, ConstraintRows& rows)
{
    state.q = at_state.q;
    state.v = at_state.v;
    state.act = at_state.act;
    control.input = at_state.input;
    load_world(w, 0, state.world(), control.world());
    std::vector<KinematicMotion> motions;
    for (const int b : tree.kinematic_bodies)
    {
        const Pose& pose = state.body_pose[at(b)];
        motions.push_back({pose, pose, {}, {}});
    }
    place_kinematic_bodies<double>(w, 0, motions, 0, options.dt);
    StageTimer timer(false);
    compute_position_stage(w, timer);
    compute_velocity_stage(w, options.dt, timer);
    factor_mass_matrix(w);
    RunningSurfaces surfaces(*tree.model);
    surfaces.load(control.surface_velocity);
    surfaces.place([&](int body) { return Pose{w.position[body], w.rotation[body]}; });
    build_rows(w, contacts, options, rows, {control.equality_active, &surfaces});
}

struct OurRows::Parts
{
    explicit Parts(const Model& model) : tree_(model), w_(tree_), state_(model), control_(model) {}

    const ConstraintRows& build(const ContactState& at_state, const Contacts& contacts, const RowOptions& options)
    {
        place_and_build(at_state, contacts, options, tree_, state_, control_, w_, rows_);
        return rows_;
    }

    Tree tree_;
    Workspace<double> w_;
    State state_;
    Control control_;
    ConstraintRows rows_;
};

OurRows::OurRows(const Model& model) : parts_(std::make_unique<Parts>(model)) {}
OurRows::~OurRows() = default;

namespace
{

std::vector<double> make_dense(const ConstraintRows& rows, int dofs)
{
    std::vector<double> dense(at(rows.count()) * at(dofs));
    for (int row = 0; row < rows.count(); ++row)
    {
        for (int k = rows.begin[at(row)]; k < rows.begin[at(row) + 1]; ++k)
            dense[at(row) * at(dofs) + at(rows.column[at(k)])] = rows.value[at(k)];
    }
    return dense;
}

/// MuJoCo's name for a row of ours.
lab::OracleRow type_of(const ConstraintRows& rows, int row, bool elliptic)
{
    using lab::OracleRow;
    switch (rows.kind[at(row)])
    {
        case RowKind::equality:
            return OracleRow::equality;
        case RowKind::dry_friction:
            return row < rows.ends.dof_friction ? OracleRow::dof_friction : OracleRow::tendon_friction;
        case RowKind::limit:
            return row < rows.ends.joint_limit ? OracleRow::joint_limit : OracleRow::tendon_limit;
        case RowKind::cone:
            return OracleRow::elliptic;
        case RowKind::contact:
            break;
    }
    for (const RowCone& cone : rows.cones)
    {
        if (row >= cone.row && row < cone.row + cone.row_count)
            return cone.dimension == 1 ? OracleRow::frictionless
                   : elliptic          ? OracleRow::elliptic
                                       : OracleRow::pyramidal;
    }
    return OracleRow::frictionless;
}

/// Has the file left this kind of row switched on?
bool is_on(const Model& model, const char* flag)
{
    const auto own = model.settings.solver_parameters.find("convex");
    if (own == model.settings.solver_parameters.end()) return true;
    for (const char* name : {"constraint", flag})
    {
        const auto found = own->second.find(name);
        if (found != own->second.end() && found->second == ParameterValue(false)) return false;
    }
    return true;
}

void expect_same_order(const ConstraintRows& ours, const lab::OracleConstraints& theirs, bool elliptic)
{
    ASSERT_EQ(ours.element, theirs.element);
    for (int row = 0; row < ours.count(); ++row)
        ASSERT_EQ(type_of(ours, row, elliptic), theirs.type[at(row)]) << "row " << row;
    std::vector<int> first_rows(at(theirs.contacts.count()), -1);
    std::vector<double> our_mu, their_mu;
    for (const RowCone& cone : ours.cones)
    {
        first_rows[at(cone.contact)] = cone.row;
        if (cone.dimension == 1) continue;
        our_mu.push_back(cone.mu);
        their_mu.push_back(theirs.contact_mu[at(cone.contact)]);
    }
    EXPECT_EQ(first_rows, theirs.contact_row);
    expect_near(our_mu, their_mu, "mu of the regularised cones");
}

/// Contacts of bodies that turn about fixed axes through their centres of mass have no inverse weight at all: there
/// MuJoCo's R is the least it knows, ours that of the contact point on its lever (see find_linear_weight). The rows are
/// taken as equal in what follows from it. How many they are.
int level_weightless(const lab::OracleConstraints& theirs, ConstraintRows& ours)
{
    constexpr double kLeast = 1e-15;  // mjMINVAL
    int count = 0;
    for (const RowCone& cone : ours.cones)
    {
        // Of the edges of a pyramid it is 2 mu^2 times that of the normal.
        const double mu = theirs.contacts.items[at(cone.contact)].friction.x;
        const double least = kLeast * std::max(1.0, 2 * mu * mu);
        if (!(theirs.regulariser[at(cone.row)] <= (1 + 1e-9) * least)) continue;
        count += cone.row_count;
        for (int row = cone.row; row < cone.row + cone.row_count; ++row)
        {
            EXPECT_GE(ours.regulariser[at(row)], theirs.regulariser[at(row)]) << "row " << row;
            ours.diagonal[at(row)] = theirs.diagonal[at(row)];
            ours.regulariser[at(row)] = theirs.regulariser[at(row)];
            ours.stiffness[at(row)] = theirs.stiffness[at(row)];
        }
    }
    return count;
}

}  // namespace

RowTally expect_same_rows(const Model& model, lab::Oracle& oracle, const ContactState& state, const RowCase& settings,
                          OurRows& ours)
{
    SCOPED_TRACE(settings.text());
    const lab::OracleConstraints theirs =
        oracle.find_constraints(state.as_input(), {.elliptic = settings.elliptic,
                                                   .impratio = settings.impratio,
                                                   .refsafe = settings.refsafe,
                                                   .exact_diagonal = settings.exact_diagonal,
                                                   .iterations = 1});
    const ConstraintRows& rows =
        ours.parts_->build(state, theirs.contacts,
                           {.dt = model.settings.dt,
                            .cone = settings.elliptic ? FrictionCone::elliptic : FrictionCone::pyramidal,
                            .impratio = settings.impratio,
                            .refsafe = settings.refsafe,
                            .exact_diagonal = settings.exact_diagonal,
                            .equality = is_on(model, "equality"),
                            .dry_friction = is_on(model, "frictionloss"),
                            .limits = is_on(model, "limit"),
                            .contacts = is_on(model, "contact")});
    expect_same_order(rows, theirs, settings.elliptic);
    if (testing::Test::HasFailure()) return {};
    expect_near(make_dense(rows, model.v_count()), theirs.jacobian, "J", settings.tolerance);
    expect_near(rows.position, theirs.position, "position");
    expect_near(rows.margin, theirs.margin, "margin");
    expect_near(rows.velocity, theirs.velocity, "velocity", settings.tolerance);
    expect_near(rows.reference, theirs.reference, "aref", settings.tolerance);
    expect_near(rows.loss, theirs.loss, "friction loss");
    ConstraintRows weighed = rows;
    const int levelled = level_weightless(theirs, weighed);
    expect_near(weighed.diagonal, theirs.diagonal, "diagonal");
    expect_near(weighed.regulariser, theirs.regulariser, "R");
    expect_near(weighed.stiffness, theirs.stiffness, "D");
    return {rows.count(), levelled};
}

}  // namespace rattleback
