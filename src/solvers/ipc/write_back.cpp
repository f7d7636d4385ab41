// Writing what a step has found.
#include "solvers/ipc/write_back.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/free_joint.h"

#include <algorithm>
#include <tuple>

namespace rattleback::ipc
{

int find_bad_group(const Layout& layout, std::span<const Placement> placements, std::span<const Velocity> velocities)
{
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
    {
        if (!is_sound_body({placements[g].center, placements[g].rotation}, velocities[g])) return static_cast<int>(g);
    }
    return -1;
}

void write_bodies(const Model& model, const Layout& layout, std::span<const Placement> placements,
                  std::span<const Velocity> velocities, std::span<const int> sleepers, const WorldView& world)
{
    for (int b = 1; b < model.body_count(); ++b)
    {
        const int g = layout.group_of_body[at(b)];
        const Group& group = layout.groups[at(g)];
        if (group.row < 0 || sleepers[at(g)] >= 0) continue;
        const Placement& now = placements[at(g)];
        const Velocity& velocity = velocities[at(g)];
        // The group's frame, then that of the body in it.
        const Pose frame{now.center - rotate(now.rotation, group.center), now.rotation};
        const Pose pose = b == group.body ? frame : frame * layout.in_group[at(b)];
        // Velocities are those of each body's own centre of mass.
        const Vec3 center = pose.position + rotate(pose.rotation, model.bodies.inertial_pose[at(b)].position);
        world.body_pose[at(b)] = pose;
        world.body_velocity[at(b)] = {velocity.linear + cross(velocity.angular, center - now.center), velocity.angular};
        if (b != group.body || group.q_begin < 0) continue;
        // Free joints have the velocity of the body's origin.
        const Vec3 linear = velocity.linear - cross(velocity.angular, now.center - pose.position);
        write_free_joint(pose, linear, velocity.angular, &world.q[at(group.q_begin)], &world.v[at(group.v_begin)]);
    }
}

namespace
{

/// A touch with its force on the first group.
Contact make_contact(const Model& model, const Layout& layout, const Potential& potential, const Touch& touch,
                     const Vec3& friction_force, Wrench& wrench)
{
    const Candidates& candidates = potential.candidates();
    const CandidateSet& set = candidates.sets()[at(touch.set)];
    int first = candidates.first_shape(set), second = candidates.second_shape(set);
    // Normals lead from the first body to the second; planes and simple shapes come first, as in all contacts.
    Vec3 normal = -touch.normal, force = -potential.find_force(touch) * touch.normal - friction_force;
    if (std::pair(model.shapes.type[at(second)], second) < std::pair(model.shapes.type[at(first)], first))
    {
        std::swap(first, second);
        normal = -normal;
        force = -force;
    }
    Contact contact;
    contact.first_shape = ShapeId{first};
    contact.second_shape = ShapeId{second};
    contact.first_body = BodyId{model.shapes.body[at(first)]};
    contact.second_body = BodyId{model.shapes.body[at(second)]};
    contact.point = 0.5 * (touch.on_first + touch.on_second);
    contact.frame = make_contact_frame(normal);
    contact.distance = touch.distance;
    contact.margin = layout.reach;
    contact.dimension = set.friction > 0 ? 3 : 1;
    contact.friction = {set.friction, 0, 0};
    contact.feature = static_cast<std::uint64_t>(potential.find_key(touch)[1]);
    wrench = {force, {}};
    return contact;
}

}  // namespace

void ContactWriter::write(const Model& model, const Layout& layout, const Potential& potential,
                          std::span<const Body> bodies, std::span<const Placement> placements,
                          std::span<const int> sleepers, Memory& memory)
{
    // Friction of the lag that was solved, found by the simplices it acts on.
    grips_.clear();
    for (std::size_t i = 0; i < potential.grips().size(); ++i) grips_.emplace_back(potential.grips()[i].key, i);
    std::sort(grips_.begin(), grips_.end());
    items_.clear();
    for (const Touch& touch : potential.touches())
    {
        const std::pair<Key, std::size_t> key{potential.find_key(touch), 0};
        const auto found = std::lower_bound(grips_.begin(), grips_.end(), key);
        const bool grips = found != grips_.end() && found->first == key.first;
        const Vec3 friction = grips ? potential.find_friction_force(found->second, bodies, placements) : Vec3{};
        Item item;
        item.contact = make_contact(model, layout, potential, touch, friction, item.wrench);
        items_.push_back(item);
    }
    // Nothing has changed between sleepers and what they lie on.
    for (std::size_t i = 0; i < memory.contacts.items.size(); ++i)
    {
        const Contact& contact = memory.contacts.items[i];
        const auto sleeps = [&](BodyId body) { return sleepers[at(layout.group_of_body[at(body.index)])] >= 0; };
        if (sleeps(contact.first_body) || sleeps(contact.second_body))
            items_.push_back({contact, memory.contact_forces.items[i]});
    }
    std::sort(items_.begin(), items_.end(),
              [](const Item& a, const Item& b)
              {
                  const auto key = [](const Contact& c)
                  { return std::tuple(c.first_shape.index, c.second_shape.index, c.feature); };
                  return key(a.contact) < key(b.contact);
              });
    memory.contacts.items.clear();
    memory.contact_forces.items.clear();
    for (const Item& item : items_)
    {
        memory.contacts.items.push_back(item.contact);
        memory.contact_forces.items.push_back(item.wrench);
    }
}

}  // namespace rattleback::ipc
