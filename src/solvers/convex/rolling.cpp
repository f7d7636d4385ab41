// Rolling contacts: chosen, kept while they roll, and aimed at the points that touch at the end of the step.
#include "solvers/convex/rolling.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/shared/rolling_pair.h"

#include <rattleback/query.h>

#include <algorithm>
#include <tuple>

namespace rattleback::convex
{

namespace
{

constexpr double kTouch = 1e-4;  // of the arm's length: a gap that rolling leaves in a step at most
constexpr double kJump = 0.5;    // of the arm's length: a point that comes further in half a step is another one

/// The anchor of a contact, in a list sorted as contacts are; null where there is none.
const Anchor* find_anchor(std::span<const Anchor> anchors, const Contact& contact)
{
    const auto found = std::lower_bound(anchors.begin(), anchors.end(), contact,
                                        [](const Anchor& a, const Contact& c) { return key(a) < key(c); });
    return found != anchors.end() && key(*found) == key(contact) ? &*found : nullptr;
}

}  // namespace

Rolling::Rolling(const Tree& tree)
    : model_(*tree.model), first_dof_(at(tree.model->body_count()), -1), touching_(at(tree.model->body_count()))
{
    for (const int body : tree.lone_bodies) first_dof_[at(body)] = model_.bodies.last_dof[at(body)] - 5;
    for (std::size_t s = 0; s < model_.shapes.type.size(); ++s)
    {
        const bool lone = first_dof_[at(model_.shapes.body[s])] >= 0;
        serves_ = serves_ || (lone && is_round(model_.shapes.type[s]));
    }
    // A kinematic body's own motion within the step is not looked at.
    serves_ = serves_ && tree.kinematic_bodies.empty();
}

bool Rolling::is_free_or_fixed(int body) const
{
    return first_dof_[at(body)] >= 0 || model_.bodies.last_dof[at(body)] < 0;
}

void Rolling::count_touching(const Contacts& contacts)
{
    std::fill(touching_.begin(), touching_.end(), 0);
    for (const Contact& contact : contacts.items)
    {
        if (contact.distance >= contact.margin) continue;
        for (const BodyId body : {contact.first_body, contact.second_body})
            if (model_.bodies.last_dof[at(body)] >= 0) ++touching_[at(body)];
    }
}

/// A lone point of rigid bodies, of which one is round. What touches in several points rests, or is wedged.
bool Rolling::may_roll(const Contact& contact) const
{
    const std::vector<ShapeType>& type = model_.shapes.type;
    return point_wanders(type[at(contact.first_shape)], type[at(contact.second_shape)]) && contact.dimension > 1 &&
           contact.adhesion == 0 && std::holds_alternative<Rigid>(contact.softness) &&
           is_free_or_fixed(contact.first_body.index) && is_free_or_fixed(contact.second_body.index) &&
           touching_[at(contact.first_body)] <= 1 && touching_[at(contact.second_body)] <= 1;
}

const Contacts& Rolling::keep_touching(const Workspace<double>& w, const Contacts& contacts, const Contacts& last,
                                       std::span<const Anchor> anchors)
{
    const auto earlier = [](const Contact& a, const Contact& b) { return key(a) < key(b); };
    const Contacts* result = &contacts;
    for (const Anchor& anchor : anchors)
    {
        if (anchor.rolls == 0) continue;
        const auto old = std::find_if(last.items.begin(), last.items.end(),
                                      [&](const Contact& contact) { return key(contact) == key(anchor); });
        if (old == last.items.end()) continue;
        const auto place = std::lower_bound(result->items.begin(), result->items.end(), *old, earlier);
        if (place != result->items.end() && key(*place) == key(anchor)) continue;
        // The same shapes at the poses of this stage.
        const auto pose = [&](BodyId body) { return Pose{w.position[body.index], w.rotation[body.index]}; };
        const std::optional<ShapeGap> gap =
            find_distance(model_, old->first_shape, pose(old->first_body), old->second_shape, pose(old->second_body));
        const BodyId moving = first_dof_[at(old->second_body)] >= 0 ? old->second_body : old->first_body;
        if (!gap) continue;
        const double touch = kTouch * norm(gap->on_first - w.position[moving.index]);
        if (gap->distance < 0 || gap->distance >= touch) continue;
        Contact contact = *old;
        contact.point = 0.5 * (gap->on_first + gap->on_second);
        contact.frame = make_contact_frame(gap->normal);
        contact.distance = gap->distance;
        contact.margin = touch;
        const auto offset = place - result->items.begin();
        if (result != &kept_) kept_.replace(contacts);
        kept_.items.insert(kept_.items.begin() + offset, contact);
        result = &kept_;
    }
    return *result;
}

void Rolling::choose(const Contacts& contacts, std::span<const Anchor> anchors, ConstraintRows& rows)
{
    points_.clear();
    count_touching(contacts);
    for (std::size_t c = 0; c < rows.cones.size(); ++c)
    {
        const RowCone& cone = rows.cones[c];
        const Contact& contact = contacts.items[at(cone.contact)];
        if (cone.dimension == 1 || !may_roll(contact) || find_anchor(anchors, contact) == nullptr) continue;
        points_.push_back({.cone = static_cast<int>(c)});
        // A kept contact aims at no gap, not at its margin.
        if (contact.distance < 0) continue;
        const bool elliptic = rows.kind[cone.row] == RowKind::cone;
        for (int i = 0; i < (elliptic ? 1 : cone.row_count); ++i)
            rows.reference[cone.row + i] -= cone.stiffness * contact.margin;
    }
}

void Rolling::mark(const Contacts& contacts, const ConstraintRows& rows, std::vector<Anchor>& anchors) const
{
    for (const Point& point : points_)
    {
        const Contact& contact = contacts.items[at(rows.cones[point.cone].contact)];
        const Anchor* const found = find_anchor(anchors, contact);
        if (found != nullptr) anchors[static_cast<std::size_t>(found - anchors.data())].rolls = 1;
    }
}

Rolling::Moved Rolling::move_body(const Workspace<double>& w, int body, std::span<const double> v, double dt) const
{
    const Pose pose{w.position[body], w.rotation[body]};
    const int d = first_dof_[at(body)];
    if (d < 0) return {pose, {}};
    // The second half of the drift: translation in the world, rotation in the body.
    const Vec3 spin{v[d + 3], v[d + 4], v[d + 5]};
    return {
        {pose.position + (0.5 * dt) * Vec3{v[d], v[d + 1], v[d + 2]}, pose.rotation * exponential((0.5 * dt) * spin)},
        rotate(pose.rotation, spin)};
}

bool Rolling::turns_far(const Contacts& contacts, const ConstraintRows& rows, std::span<const double> v,
                        double dt) const
{
    constexpr double kTurn = 0.5;  // [rad] in a step: beyond, repeating the midpoint does not converge
    const auto is_fast = [&](int body)
    {
        const int d = first_dof_[at(body)];
        return d >= 0 && dt * norm(Vec3{v[d + 3], v[d + 4], v[d + 5]}) > kTurn;
    };
    for (const Point& point : points_)
    {
        const Contact& contact = contacts.items[at(rows.cones[point.cone].contact)];
        if (is_fast(contact.first_body.index) || is_fast(contact.second_body.index)) return true;
    }
    return false;
}

double Rolling::aim(const Workspace<double>& w, const Contacts& contacts, std::span<const double> v, double dt,
                    ConstraintRows& rows)
{
    double largest = 0;
    for (Point& point : points_)
    {
        const RowCone& cone = rows.cones[point.cone];
        const Contact& contact = contacts.items[at(cone.contact)];
        const int first = contact.first_body.index, second = contact.second_body.index;
        const Moved a = move_body(w, first, v, dt), b = move_body(w, second, v, dt);
        const std::optional<ShapeGap> gap =
            find_distance(model_, contact.first_shape, a.pose, contact.second_shape, b.pose);
        if (!gap) continue;
        // How far the point has moved against the bodies' origins, and what that changes in the relative velocity.
        const Vec3 end = 0.5 * (gap->on_first + gap->on_second);
        const Vec3 first_shift = (end - a.pose.position) - (contact.point - w.position[first]);
        const Vec3 second_shift = (end - b.pose.position) - (contact.point - w.position[second]);
        const int moving = first_dof_[at(second)] >= 0 ? second : first;
        const double most = kJump * norm(contact.point - w.position[moving]);
        const Vec3& shift = moving == second ? second_shift : first_shift;
        const Vec3 slip = norm(shift) < most ? cross(b.angular, second_shift) - cross(a.angular, first_shift) : Vec3{};
        const Vec3 change = transpose_times(contact.frame, slip - point.slip);
        point.slip = slip;
        largest = std::max(largest, norm(change));
        // J v' = - slip: a rigid row's damper ends J v + slip in one step.
        const auto shift_row = [&](int row, double by)
        {
            rows.velocity[row] += by;
            rows.reference[row] -= by / dt;
        };
        if (rows.kind[cone.row] == RowKind::cone)
        {
            for (int k = 0; k < 3; ++k) shift_row(cone.row + k, change[k]);
            continue;
        }
        for (int edge = 0; edge < cone.row_count; ++edge)
        {
            // n + mu t and n - mu t; spin and rolling have the normal's part alone
            const int k = edge / 2;
            const double slope = k < 2 ? (edge % 2 == 0 ? 1 : -1) * cone.friction[k] : 0;
            shift_row(cone.row + edge, change.x + slope * change[k < 2 ? k + 1 : 0]);
        }
    }
    return largest;
}

}  // namespace rattleback::convex
