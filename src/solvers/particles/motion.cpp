// Reading and writing free joints, adding up forces, sorting contacts.
#include "solvers/particles/motion.h"

#include "base/index.h"
#include "solvers/shared/divergence.h"

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

Motion read_motion(const Group& group, const Vec3& center_B, const WorldView& world)
{
    const double* q = &world.q[at(group.q_begin)];
    const double* v = &world.v[at(group.v_begin)];
    Motion motion;
    motion.rotation = normalized(Quat{q[3], q[4], q[5], q[6]});
    const Vec3 arm = rotate(motion.rotation, center_B);
    motion.center = Vec3{q[0], q[1], q[2]} + arm;
    motion.spin = rotate(motion.rotation, Vec3{v[3], v[4], v[5]});
    motion.velocity = Vec3{v[0], v[1], v[2]} + cross(motion.spin, arm);
    return motion;
}

void write_motion(const Group& group, const Vec3& center_B, const Motion& motion, std::vector<double>& q,
                  std::vector<double>& v)
{
    const Vec3 arm = rotate(motion.rotation, center_B);
    const Vec3 position = motion.center - arm;
    const Vec3 velocity = motion.velocity - cross(motion.spin, arm);
    const Vec3 spin_B = rotate(conjugate(motion.rotation), motion.spin);
    const Quat& r = motion.rotation;
    const std::array coordinates{position.x, position.y, position.z, r.w, r.x, r.y, r.z};
    const std::array velocities{velocity.x, velocity.y, velocity.z, spin_B.x, spin_B.y, spin_B.z};
    std::copy(coordinates.begin(), coordinates.end(), q.begin() + group.q_begin);
    std::copy(velocities.begin(), velocities.end(), v.begin() + group.v_begin);
}

bool is_sound(const Group& group, const std::vector<double>& q, const std::vector<double>& v)
{
    const double* r = &q[at(group.q_begin)];
    double sum = norm(Quat{r[3], r[4], r[5], r[6]}) - 1;
    for (int k = 0; k < 3; ++k) sum += 0 * r[k];  // zero unless infinite or NaN
    for (int k = 0; k < 6; ++k) sum += 0 * v[at(group.v_begin + k)];
    const Velocity velocity = read_velocity(group, v);
    return std::abs(sum) < 1e-6 && is_sound_speed(norm(velocity.linear)) && is_sound_speed(norm(velocity.angular)) &&
           is_sound_distance(norm(read_position(group, q)));
}

Vec3 read_position(const Group& group, const std::vector<double>& q)
{
    const double* x = &q[at(group.q_begin)];
    return {x[0], x[1], x[2]};
}

Velocity read_velocity(const Group& group, const std::vector<double>& v)
{
    const double* x = &v[at(group.v_begin)];
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

Wrench find_wrench(const ParticleSet& set, int group, const ControlView& control, const Motion& motion)
{
    const Group& g = set.groups[at(group)];
    Wrench sum;
    for (std::size_t b = at(g.body); b < set.group_of_body.size(); ++b)
    {
        if (set.group_of_body[b] != group) continue;
        sum.force += control.body_wrench[b].force;
        sum.torque += control.body_wrench[b].torque;
    }
    const double* f = &control.joint_force[at(g.v_begin)];
    const Vec3 force{f[0], f[1], f[2]};
    sum.force += force;
    sum.torque += rotate(motion.rotation,
                         Vec3{f[3], f[4], f[5]} - cross(g.solid.center, rotate(conjugate(motion.rotation), force)));
    return sum;
}

std::array<double, 6> turn_inertia(const Mat3& inertia, const Quat& rotation, double extra)
{
    const Mat3 r = to_matrix(rotation);
    const Mat3 i = r * inertia * transpose(r);
    return {i(0, 0) + extra, i(1, 1) + extra, i(2, 2) + extra, i(0, 1), i(0, 2), i(1, 2)};
}

void ContactList::add(int mine, int other, std::uint64_t feature, const Vec3& normal, const Vec3& point, double gap,
                      double friction, const Vec3& force)
{
    const bool mine_first = mine < other;
    Item item;
    item.contact.first_shape = ShapeId{std::min(mine, other)};
    item.contact.second_shape = ShapeId{std::max(mine, other)};
    item.contact.first_body = BodyId{model_.shapes.body[at(item.contact.first_shape)]};
    item.contact.second_body = BodyId{model_.shapes.body[at(item.contact.second_shape)]};
    item.contact.point = point;
    item.contact.frame = make_contact_frame(mine_first ? -normal : normal);
    item.contact.distance = gap;
    item.contact.friction = {friction, 0, 0};
    item.contact.feature = feature;
    item.force.force = mine_first ? -force : force;
    items_.push_back(item);
}

void ContactList::hand_over(Memory& memory)
{
    const auto key = [](const Item& item)
    { return std::tuple(item.contact.first_shape, item.contact.second_shape, item.contact.feature); };
    const auto before = [&](const Item& a, const Item& b) { return key(a) < key(b); };
    if (!std::is_sorted(items_.begin(), items_.end(), before)) std::sort(items_.begin(), items_.end(), before);
    memory.contacts.clear();
    memory.contact_forces.items.clear();
    for (const Item& item : items_)
    {
        memory.contacts.items.push_back(item.contact);
        memory.contact_forces.items.push_back(item.force);
    }
}

}  // namespace rattleback::particles
