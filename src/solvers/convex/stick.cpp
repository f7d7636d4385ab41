// Anchors of sticking contacts: found, turned with the contact, moved with its points, cut back to the cone.
#include "solvers/convex/stick.h"

#include "solvers/convex/cone.h"
#include "solvers/shared/joined_slide.h"
#include "solvers/shared/rolling_pair.h"
#include "solvers/shared/swept_contacts.h"

#include "base/index.h"
#include "dynamics/jacobian.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace rattleback::convex
{

// MuJoCo's friction rows have no position term: a_ref = - B v, so a force f at rest needs v = f R / B, and things
// creep. Here a contact remembers how far it was pushed sideways since it began to stick, x, and a_ref = - B v - K d x
// with the stiffness and impedance of its own normal direction. At rest x = f R / (K d), and nothing creeps (README,
// "True stick"). Contacts that slide would be lifted by the convex cone, r_0 >= |mu_k r_k|; a shift taken from the
// normal row beforehand keeps them on the ground (README, "No lift").

namespace
{

constexpr int kMaxThrown = 8;     // solves of an island in which some contact is
constexpr double kNearly = 1e-3;  // of a lift: what is less is not worth another solve where nothing weighs
constexpr double kGrown = 2;      // times the K d with which x was made: d of 0.9 to 0.95 never comes there
constexpr double kThrown = 4;     // times gravity: a contact that is opened faster than this by its slip is thrown up
constexpr double kOpened = 1e-4;  // of the smaller shape: rigid contacts that their slip opens by less fall back softly
constexpr double kSunk = 1e-3;  // of the smaller shape: what a shift that is too large may let a contact sink in a step
constexpr double kOneFace = 0.985;  // cosine of 10 degrees: normals of one face

/// The part of x in the plane across `normal`, as long as x was while the plane tilts a little.
Vec3 turn_into_plane(const Vec3& x, const Vec3& normal)
{
    // Projection shortens x by the cosine of the tilt, step after step: its length is restored.
    const Vec3 inside = x - dot(x, normal) * normal;
    const double before = dot(x, x), after = dot(inside, inside);
    constexpr double kLittle = 0.8;  // beyond this the contact is another one
    return after > kLittle * before ? std::sqrt(before / after) * inside : inside;
}

bool is_elliptic(const ConstraintRows& rows, const RowCone& cone) { return rows.kind[cone.row] == RowKind::cone; }

Vec3 angular_velocity(const Workspace<double>& w, int body)
{
    // Bodies without joints move by their tracks, or not at all.
    if (w.tree->model->bodies.last_dof[body] < 0) return base_angular_velocity(w, body);
    return w.velocity[body].angular;
}

Vec3 to_world(const Workspace<double>& w, int body, const Vec3& point)
{
    return w.position[body] + rotate(w.rotation[body], point);
}
Vec3 to_body(const Workspace<double>& w, int body, const Vec3& point)
{
    return rotate(conjugate(w.rotation[body]), point - w.position[body]);
}

/// Whether a contact stays on the same points of both bodies while it sticks. Of round shapes that roll other points
/// touch from step to step, and surfaces that run take theirs along.
bool keeps_points(const Workspace<double>& w, const RunningSurfaces& surfaces, const Contact& contact)
{
    const std::vector<ShapeType>& type = w.tree->model->shapes.type;
    const auto keeps = [&](ShapeId shape) { return !is_round(type[at(shape)]) && !surfaces.runs(shape); };
    return keeps(contact.first_shape) && keeps(contact.second_shape);
}

double multiply_row(const ConstraintRows& rows, int row, std::span<const double> x)
{
    double sum = 0;
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) sum += rows.value[k] * x[rows.column[k]];
    return sum;
}

/// Whether a force lies on the boundary of its cone, up to rounding. Inside a pyramid some two opposite edges both
/// push.
bool lies_on_cone(const ConstraintRows& rows, const RowCone& cone, std::span<const double> forces)
{
    constexpr double kRounding = 1e-9;
    const double* f = forces.data() + cone.row;
    if (is_elliptic(rows, cone))
    {
        // On the cone: sum (f_j / mu_j)^2 = f_0^2.
        double squares = 0;
        for (int j = 1; j < cone.row_count; ++j) squares += f[j] / cone.friction[j - 1] * (f[j] / cone.friction[j - 1]);
        return squares >= (1 - kRounding) * f[0] * f[0];
    }
    // What opposite edges have in common cancels sideways: none of it, and all force is at the rim.
    double inside = 0, normal = 0;
    for (int k = 0; k < cone.row_count; k += 2)
    {
        inside += 2 * std::min(f[k], f[k + 1]);
        normal += f[k] + f[k + 1];
    }
    return inside <= kRounding * normal;
}

bool carries_force(const RowCone& cone, std::span<const double> forces)
{
    const double* f = forces.data() + cone.row;
    return std::any_of(f, f + cone.row_count, [](double x) { return x > 0; });
}

/// Velocity at the end of the step along friction direction k.
double find_velocity(const ConstraintRows& rows, const RowCone& cone, int k, std::span<const double> change)
{
    // J v' = J v + J (v' - v): the row's velocity when it was built, and what the step has changed.
    const auto velocity = [&](int row) { return rows.velocity[row] + multiply_row(rows, row, change); };
    if (is_elliptic(rows, cone)) return velocity(cone.row + 1 + k);
    const int row = cone.row + 2 * k;  // edges n + mu t and n - mu t
    return (velocity(row) - velocity(row + 1)) / (2 * cone.friction[k]);
}

/// The displacement along direction k that holds the present force at rest: a_ref = R f.
double find_holding_displacement(const ConstraintRows& rows, const RowCone& cone, int k, double stiffness,
                                 std::span<const double> forces)
{
    if (is_elliptic(rows, cone))
    {
        // R f = a_ref = - K d x.
        const int row = cone.row + 1 + k;
        return -forces[row] * rows.regulariser[row] / stiffness;
    }
    const int row = cone.row + 2 * k;
    const double plus = forces[row], minus = forces[row + 1];
    if (!(plus > 0 || minus > 0)) return 0;
    // of one edge alone: K d (depth -+ mu x) = R f
    const double depth = rows.margin[row] - rows.position[row];
    const double pull = cone.adhesion / cone.row_count;  // each edge bears its part
    const double reach = depth - (std::max(plus, minus) - pull) * rows.regulariser[row] / stiffness;
    return std::min(reach, 0.0) * (plus > 0 ? 1 : -1) / cone.friction[k];
}

/// What a convex cone adds to the normal residual of a contact that slides: |mu_k r_k| over the friction directions, as
/// it would be with the last acceleration. (Of pyramids the largest alone.)
double find_lift(const ConstraintRows& rows, const RowCone& cone, std::span<const double> last)
{
    const auto residual = [&](int row) { return multiply_row(rows, row, last) - rows.reference[row]; };
    // r_k = (J a - a_ref)_k of the friction rows; of a pyramid half the difference of its edges is mu_k r_k.
    double squares = 0, largest = 0;
    for (int k = 0; k < cone.dimension - 1; ++k)
    {
        const int row = cone.row + 2 * k;
        const double r = is_elliptic(rows, cone) ? cone.friction[k] * residual(cone.row + 1 + k)
                                                 : 0.5 * (residual(row) - residual(row + 1));
        squares += r * r;
        largest = std::max(largest, std::abs(r));
    }
    return is_elliptic(rows, cone) ? std::sqrt(squares) : largest;
}

/// Whether a contact pushes and slips: its force lies on the cone.
bool slips(const ConstraintRows& rows, const RowCone& cone, std::span<const double> acceleration)
{
    const auto residual = [&](int row) { return multiply_row(rows, row, acceleration) - rows.reference[row]; };
    if (is_elliptic(rows, cone))
    {
        double squares = 0;
        for (int k = 0; k < cone.dimension - 1; ++k)
        {
            const double u = cone.friction[k] * residual(cone.row + 1 + k);
            squares += u * u;
        }
        return find_zone(cone.mu, cone.mu * residual(cone.row), std::sqrt(squares)) == ConeZone::conic;
    }
    // Edges push where r < 0: where two opposite ones do, their common part holds.
    bool pushes = false;
    for (int row = cone.row; row < cone.row + cone.row_count; row += 2)
    {
        const bool plus = residual(row) < 0, minus = residual(row + 1) < 0;
        if (plus && minus) return false;
        pushes = pushes || plus || minus;
    }
    return pushes;
}

/// The displacement of an anchor at the present poses, world axes.
Vec3 find_slide(const Workspace<double>& w, const Contact& contact, const Anchor& anchor)
{
    const Quat& first = w.rotation[contact.first_body.index];
    return turn_into_plane(anchor.follows != 0 ? rotate(first, anchor.slide) : anchor.slide, contact.normal());
}

/// The anchor of a point that comes to touch, or slid, while others of its pair and face stick: displaced with them,
/// and made with the mean of theirs. Nothing where none sticks.
std::optional<Anchor> join_anchors(const Workspace<double>& w, const Contact& contact, std::span<const Anchor> anchors,
                                   bool continued)
{
    const std::pair wanted(contact.first_shape.index, contact.second_shape.index);
    const Vec3 normal = contact.normal();
    int count = 0;
    double made = 0;
    const auto visit = [&](auto&& use)
    {
        count = 0;
        made = 0;
        for (auto a = find_first_of_pair(anchors, wanted); a != anchors.end(); ++a)
        {
            if (std::pair(a->first_shape, a->second_shape) != wanted) return;
            if (a->follows == 0) continue;
            // Another face of the pair holds in another plane.
            if (dot(rotate(w.rotation[contact.first_body.index], a->normal), normal) < kOneFace) continue;
            const Vec3 point = to_world(w, contact.second_body.index, a->second_point);
            const Vec3 way = continued ? point - to_world(w, contact.first_body.index, a->first_point) : Vec3{};
            use(point, find_slide(w, contact, *a) + way - dot(way, normal) * normal);
            ++count;
            made += a->made;
        }
    };
    const std::optional<Vec3> slide = join_slides(normal, contact.point, visit);
    if (!slide) return std::nullopt;
    return Anchor{.slide = *slide, .made = made / count};
}

/// |x|^2 in the metric of the cone: R of row j is in proportion to 1 / mu_j^2.
double find_square(const RowCone& cone, const std::array<double, 5>& x)
{
    double sum = 0;
    for (int k = 0; k < cone.dimension - 1; ++k) sum += cone.friction[k] * x[k] * (cone.friction[k] * x[k]);
    return sum;
}

/// K d with which a displacement is made that grows with `stiffness` from the square `before` to `after`. One that
/// shrinks gives back what it was made with.
double find_made(double made, double stiffness, double before, double after)
{
    // Work done: made'^2 |x'|^2 = made^2 |x|^2 + (K d)^2 (|x'|^2 - |x|^2).
    if (!(after > before)) return made;
    return std::sqrt((made * made * before + stiffness * stiffness * (after - before)) / after);
}

/// Of the smaller of the two shapes that touch [m].
double find_size(const Workspace<double>& w, const Contact& contact)
{
    const std::vector<double>& radius = w.tree->model->shapes.bounding_radius;
    return std::min(radius[at(contact.first_shape)], radius[at(contact.second_shape)]);
}

void lower_normal(const RowCone& cone, double lift, ConstraintRows& rows)
{
    // Every edge of a pyramid contains the normal.
    const int count = is_elliptic(rows, cone) ? 1 : cone.row_count;
    for (int i = 0; i < count; ++i) rows.reference[cone.row + i] -= lift;
}

}  // namespace

void Stick::add_stick_reference(const Workspace<double>& w, const Contacts& contacts, std::span<const Anchor> anchors,
                                std::span<const double> last, ConstraintRows& rows)
{
    // Kept for restore_lift and update_anchors of the same step.
    rows_ = &rows;
    least_borne_ = HUGE_VAL;
    offsets_.assign(rows.cones.size(), {});
    std::size_t a = 0;
    for (std::size_t c = 0; c < rows.cones.size(); ++c)
    {
        const RowCone& cone = rows.cones[c];
        const Contact& contact = contacts.items[cone.contact];
        // Without friction nothing sticks.
        if (cone.dimension == 1) continue;
        Offset& offset = offsets_[c];
        offset.stiffness = offset.made = cone.stiffness;
        // The same contact in the last step: anchors and contacts stand in the same order.
        // Both lists are sorted: one walk over contacts and anchors.
        while (a < anchors.size() && key(anchors[a]) < key(contact)) ++a;
        const bool known = a < anchors.size() && key(anchors[a]) == key(contact);
        const bool held = known && anchors[a].slides == 0;
        std::optional<Anchor> joined = held ? std::nullopt : join_anchors(w, contact, anchors, continued_);
        if (joined && known)
        {
            // How it spins and rolls, others do not tell.
            joined->spin = anchors[a].spin;
            joined->roll = anchors[a].roll;
        }
        if (joined)
            add_displacement(w, contact, *joined, cone, offset, rows);
        else if (known)
            add_displacement(w, contact, anchors[a], cone, offset, rows);
        offset.held = held || (joined && !known);
        if (offset.held) find_borne_lift(w, contact, offset);
        if (offset.held) continue;
        // New or sliding: r_0 >= |mu_k r_k| (Anitescu 2006) would lift it, so the normal's reference is lowered by the
        // shift s = |mu_k r_k| (De Saxce and Feng 1998), guessed from the last acceleration.
        offset.lift = find_lift(rows, cone, last);
        offset.sinks = kSunk * find_size(w, contact) / (dt_ * dt_);
        lower_normal(cone, offset.lift, rows);
    }
}

/// Lift that a contact which held is left with where it begins to slip.
void Stick::find_borne_lift(const Workspace<double>& w, const Contact& contact, Offset& offset)
{
    offset.borne = kThrown * gravity_;
    if (!std::holds_alternative<Rigid>(contact.softness)) return;
    // Opened within a step by h^2 times that. Soft contacts are deep enough; rigid ones would lose their rows.
    const double open = kOpened * find_size(w, contact) - std::min(contact.distance - contact.margin, 0.0);
    offset.borne = std::min(offset.borne, open / (dt_ * dt_));
    least_borne_ = std::min(least_borne_, offset.borne);
}

/// A spring whose stiffness grows gives out more than was put in. A row of impedance d accelerates by about d a_ref:
/// the work done on x is that on a spring of stiffness K d^2, and keeping it while d grows is keeping K d x. Where d
/// begins near 0 (solimp="0 0.8 0.01") x comes far against nothing, and would be thrown back by the stiffness of a
/// depth that it only reached later.
void Stick::limit_growth(Offset& offset)
{
    if (!(offset.made > 0 && offset.stiffness > kGrown * offset.made)) return;
    const double kept = kGrown * offset.made / offset.stiffness;
    for (double& x : offset.x) x *= kept;
    offset.made = offset.stiffness / kGrown;
}

/// a_ref = - B v - K d x with the displacement x that the anchor remembers.
void Stick::add_displacement(const Workspace<double>& w, const Contact& contact, const Anchor& anchor,
                             const RowCone& cone, Offset& offset, ConstraintRows& rows)
{
    const Vec3 normal = contact.normal(), first = contact.frame.column(1), second = contact.frame.column(2);
    // The tangent plane has turned a little since: x is laid into it and read along the contact's present axes.
    Vec3 slide = find_slide(w, contact, anchor);
    const Vec3 roll = turn_into_plane(anchor.roll, normal);
    offset.x = {dot(slide, first), dot(slide, second), anchor.spin, dot(roll, first), dot(roll, second)};
    const double before = find_square(cone, offset.x);
    if (anchor.follows != 0 && continued_)
    {
        const Vec3 way = to_world(w, contact.second_body.index, anchor.second_point) -
                         to_world(w, contact.first_body.index, anchor.first_point);
        slide += way - dot(way, normal) * normal;
    }
    offset.x[0] = dot(slide, first);
    offset.x[1] = dot(slide, second);
    offset.made = find_made(anchor.made, anchor.stiffness, before, find_square(cone, offset.x));
    limit_growth(offset);
    for (int k = 0; k < cone.dimension - 1; ++k)
    {
        const double spring = offset.stiffness * offset.x[k];
        if (is_elliptic(rows, cone))
        {
            rows.reference[cone.row + 1 + k] -= spring;
            continue;
        }
        // edges n + mu t and n - mu t
        rows.reference[cone.row + 2 * k] -= cone.friction[k] * spring;
        rows.reference[cone.row + 2 * k + 1] += cone.friction[k] * spring;
    }
}

bool Stick::correct_lift(int solves, std::span<const int> cones, double residual, std::span<const double> acceleration)
{
    // Contacts may only be thrown where some row is far from its reference: in most steps none is.
    if (solves == 1) throws_ = false;
    const auto lower = [&](double least, bool rigid)
    { return solves < kMaxThrown && residual > 0.5 * least && lower_thrown(cones, rigid, acceleration); };
    const bool thrown = lower(kThrown * gravity_, false);
    throws_ = throws_ || thrown;
    if (thrown || restore_lift(solves, cones, acceleration)) return true;
    // Rigid ones bear less: when the others have settled.
    return least_borne_ < kThrown * gravity_ && lower(least_borne_, true);
}

/// A contact that held has nothing taken from its normal. Where it must slip all at once (its body runs into a wall, or
/// is hit), the cone would open it with mu times the speed of the slip: the shift is taken now.
bool Stick::lower_thrown(std::span<const int> cones, bool rigid, std::span<const double> acceleration)
{
    bool changed = false;
    for (const int c : cones)
    {
        Offset& offset = offsets_[c];
        if (!offset.held) continue;
        const double least = rigid ? offset.borne : kThrown * gravity_;
        const RowCone& cone = rows_->cones[c];
        const double lift = find_lift(*rows_, cone, acceleration);
        if (!(lift - offset.lift > std::max(least, kNearly * lift)) || !slips(*rows_, cone, acceleration)) continue;
        lower_normal(cone, lift - offset.lift, *rows_);
        offset.lift = lift;
        changed = true;
    }
    return changed;
}

bool Stick::restore_lift(int solves, std::span<const int> cones, std::span<const double> acceleration)
{
    constexpr int kMaxSolves = 3;
    constexpr double kSuddenStop = 0.02;  // times gravity: less than this is not worth another solve
    constexpr double kUnsettled = 0.5;    // before the last solve: more than this, and the contact does without ...
    constexpr double kSettling = 0.5;     // ... unless so much of its shift is left, and it hardly sinks
    // Each island is solved at most three times (kMaxThrown where contacts are thrown): with the guess, with the
    // corrected shift, and with none where that failed.
    if (solves >= (throws_ ? kMaxThrown : kMaxSolves)) return false;
    // The threshold is an acceleration: gravity is what pushes contacts together in most scenes.
    const double least = kSuddenStop * gravity_;
    const double most = solves >= kMaxSolves - 1 ? kUnsettled * gravity_ : HUGE_VAL;
    bool changed = false;
    for (const int c : cones)
    {
        double& taken = offsets_[c].lift;
        if (!(taken > least)) continue;  // most contacts
        // The shift of the slip that is left, which is what should have been taken.
        const double lift = find_lift(*rows_, rows_->cones[c], acceleration);
        if (!(taken - lift > least)) continue;
        // A shift that is too large by e lets a contact that goes on sliding sink by e, which takes mu^2 e of the slip:
        // it settles. One that would stop is what has none.
        const bool is_settling = lift > kSettling * taken && taken - lift < offsets_[c].sinks;
        const double kept = taken - lift > most && !offsets_[c].held && !is_settling ? 0 : lift;
        // The references are changed in the rows; WorldSolver takes them over and goes on with its factor.
        lower_normal(rows_->cones[c], kept - taken, *rows_);
        taken = kept;
        changed = true;
    }
    return changed;
}

void Stick::update_anchors(const Workspace<double>& w, const RunningSurfaces& surfaces, const Contacts& contacts,
                           std::span<const double> forces, std::span<const double> change, double dt,
                           std::vector<Anchor>& anchors) const
{
    const ConstraintRows& rows = *rows_;
    anchors.clear();
    for (std::size_t c = 0; c < rows.cones.size(); ++c)
    {
        const RowCone& cone = rows.cones[c];
        const Contact& contact = contacts.items[cone.contact];
        // A contact without force has nothing to hold: its anchor is forgotten.
        if (cone.dimension == 1 || !(offsets_[c].stiffness > 0) || !carries_force(cone, forces)) continue;
        // What is met within the step did not touch at its begin.
        if (contact.feature == kSweptFeature) continue;
        // Sticking: x goes on with the points that touch, or by h v'. Sliding: the x that holds the present force.
        std::array<double, 5> x = offsets_[c].x;
        const bool slides = lies_on_cone(rows, cone, forces);
        const bool on_points = keeps_points(w, surfaces, contact), follows = !slides && on_points;
        for (int k = follows ? 2 : 0; k < cone.dimension - 1; ++k)
        {
            x[k] = slides ? find_holding_displacement(rows, cone, k, offsets_[c].stiffness, forces)
                          : x[k] + dt * find_velocity(rows, cone, k, change);
        }
        const double stiffness = offsets_[c].stiffness;
        const double made =
            slides ? stiffness
                   : find_made(offsets_[c].made, stiffness, find_square(cone, offsets_[c].x), find_square(cone, x));
        // Surfaces that turn together about the normal take x along.
        const Vec3 first = contact.frame.column(1), second = contact.frame.column(2), normal = contact.normal();
        Vec3 mean =
            0.5 * (angular_velocity(w, contact.first_body.index) + angular_velocity(w, contact.second_body.index));
        if (surfaces.runs(contact))
            mean += 0.5 * (surfaces.at_point(contact.first_shape, contact.point).angular +
                           surfaces.at_point(contact.second_shape, contact.point).angular);
        // First order in the angle of a step; turn_into_plane keeps the length.
        const double turn = dt * dot(mean, normal);
        const auto turned = [&](double u, double v) { return (u - turn * v) * first + (v + turn * u) * second; };
        const auto in_body = [&](const Vec3& u) { return rotate(conjugate(w.rotation[contact.first_body.index]), u); };
        anchors.push_back({.first_shape = contact.first_shape.index,
                           .second_shape = contact.second_shape.index,
                           .feature = contact.feature,
                           .slide = follows ? in_body(x[0] * first + x[1] * second) : turned(x[0], x[1]),
                           .roll = turned(x[3], x[4]),
                           .spin = x[2],
                           .slides = slides ? 1 : 0,
                           .first_point = to_body(w, contact.first_body.index, contact.point),
                           .second_point = to_body(w, contact.second_body.index, contact.point),
                           .normal = in_body(normal),
                           .follows = follows ? 1 : 0,
                           .rests_on_points = on_points && std::holds_alternative<Rigid>(contact.softness) ? 1 : 0,
                           .stiffness = stiffness,
                           .made = made});
    }
}

}  // namespace rattleback::convex
