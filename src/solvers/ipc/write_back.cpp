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

Contact make_contact(const Model& model, const Layout& layout, const ToldForce& told, Wrench& wrench)
{
    int first = told.first_shape, second = told.second_shape;
    // Normals lead from the first body to the second; planes and simple shapes come first, as in all contacts.
    Vec3 normal = -told.normal, force = -told.force;
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
    contact.point = 0.5 * (told.on_first + told.on_second);
    contact.frame = make_contact_frame(normal);
    contact.distance = told.distance;
    contact.margin = layout.reach;
    contact.dimension = told.friction > 0 ? 3 : 1;
    contact.friction = {told.friction, 0, 0};
    contact.feature = static_cast<std::uint64_t>(told.key[1]);
    wrench = {force, {}};
    return contact;
}

}  // namespace

void ContactWriter::write(const Model& model, const Layout& layout, const Potential& potential,
                          std::span<const Body> bodies, std::span<const Placement> placements,
                          std::span<const int> sleepers, Memory& memory)
{
    items_.clear();
    const auto add = [&](const ToldForce& told)
    {
        Item item;
        item.contact = make_contact(model, layout, told, item.wrench);
        item.time = told.time;
        items_.push_back(item);
    };
    for (const Touch& touch : potential.touches()) add(potential.tell(touch));
    for (const ToldForce& told : potential.way_forces()) add(told);
    // Friction of the lag that was solved acts where it is lagged, be it that the two have parted since.
    for (std::size_t i = 0; i < potential.grips().size(); ++i)
    {
        const ToldForce told = potential.tell_friction(i, bodies, placements);
        if (told.force != Vec3{}) add(told);
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
                  const auto key = [](const Item& item)
                  {
                      const Contact& c = item.contact;
                      return std::tuple(c.first_shape.index, c.second_shape.index, c.feature, item.time);
                  };
                  return key(a) < key(b);
              });
    memory.contacts.items.clear();
    memory.contact_forces.items.clear();
    const auto is_of = [](const Contact& a, const Contact& b)
    { return a.first_shape == b.first_shape && a.second_shape == b.second_shape && a.feature == b.feature; };
    for (const Item& item : items_)
    {
        // All that acted between the same simplices is one contact: where they were last, under the sum.
        if (!memory.contacts.items.empty() && is_of(memory.contacts.items.back(), item.contact))
        {
            memory.contacts.items.back() = item.contact;
            memory.contact_forces.items.back().force += item.wrench.force;
            continue;
        }
        memory.contacts.items.push_back(item.contact);
        memory.contact_forces.items.push_back(item.wrench);
    }
}

}  // namespace rattleback::ipc
