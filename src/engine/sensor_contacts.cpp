// Sensors of contacts: touch, total force, and contacts chosen by what they touch.
#include "engine/sensors.h"

#include "geometry/ray.h"

#include <algorithm>

namespace rattleback
{

namespace
{

std::size_t count_forces(const SensorInput& input)
{
    return std::min(input.contacts.items.size(), input.forces.items.size());
}

Vec3 sum_forces(BodyId body, const SensorInput& input)
{
    Vec3 sum;
    // Forces of contacts act on the second body, and with the other sign on the first.
    for (std::size_t i = 0; i < count_forces(input); ++i)
    {
        const Contact& contact = input.contacts.items[i];
        if (contact.second_body == body) sum += input.forces.items[i].force;
        if (contact.first_body == body) sum -= input.forces.items[i].force;
    }
    return sum;
}

bool is_below(const Model& model, int body, int root)
{
    while (body > root) body = model.bodies.parent[at(body)];
    return body == root;
}

/// Is one side of a contact what the sensor looks at?
bool is_side(const Model& model, SensorObject object, int target, BodyId body, ShapeId shape)
{
    switch (object)
    {
        case SensorObject::shape:
            return shape.index == target;
        case SensorObject::body:
            return body.index == target;
        case SensorObject::subtree:
            return is_below(model, body.index, target);
        default:
            return true;  // nothing asked, or a site, which the contact lies in
    }
}

/// Appends fields in their order.
class Slot
{
public:
    Slot(std::span<double> values, int fields) : values_(values), fields_(fields) {}

    void add(ContactField field, double x)
    {
        if ((fields_ & static_cast<int>(field)) != 0) values_[next_++] = x;
    }
    void add(ContactField field, const Vec3& x)
    {
        if ((fields_ & static_cast<int>(field)) == 0) return;
        write(values_.subspan(next_), x);
        next_ += 3;
    }

private:
    std::span<double> values_;
    int fields_;
    std::size_t next_ = 0;
};

/// A contact as its sensor sees it, from its first side to its second.
struct SeenContact
{
    Vec3 force, torque;  ///< in `frame`
    double distance = 0;
    Vec3 position, normal, tangent, linear, angular;
};

void write_slot(const SeenContact& seen, int found, int fields, std::span<double> values)
{
    Slot slot(values, fields);
    slot.add(ContactField::found, found);
    slot.add(ContactField::force, seen.force);
    slot.add(ContactField::torque, seen.torque);
    slot.add(ContactField::distance, seen.distance);
    slot.add(ContactField::position, seen.position);
    slot.add(ContactField::normal, seen.normal);
    slot.add(ContactField::tangent, seen.tangent);
    slot.add(ContactField::linear_velocity, seen.linear);
    slot.add(ContactField::angular_velocity, seen.angular);
}

/// Seen from the other side normal and first tangent change sign, and so does what acts along the second.
SeenContact look_at(const Model& model, const SensorInput& input, std::size_t i, int side)
{
    const Contact& contact = input.contacts.items[i];
    const Wrench wrench = i < input.forces.items.size() ? input.forces.items[i] : Wrench{};
    const auto local = [&](const Vec3& x)
    {
        const Vec3 y = transpose_times(contact.frame, x);
        return Vec3{y.x, y.y, side * y.z};
    };
    const auto velocity = [&](BodyId body)
    { return find_point_velocity(model, input.world, body.index, contact.point); };
    const auto spin = [&](BodyId body) { return input.world.body_velocity[at(body.index)].angular; };
    return {.force = local(wrench.force),
            .torque = local(wrench.torque),
            .distance = contact.distance,
            .position = contact.point,
            .normal = side * contact.frame.column(0),
            .tangent = side * contact.frame.column(1),
            .linear = local(velocity(contact.second_body) - velocity(contact.first_body)),
            .angular = local(spin(contact.second_body) - spin(contact.first_body))};
}

}  // namespace

/// How hard a body is pressed, from all sides together; of a site by contacts whose point, or normal through it, lies
/// in its volume.
double SensorReader::read_touch(const SensorInput& input, std::size_t s) const
{
    const BodyId body{model_.sensors.body[s]};
    const bool zone = model_.sensors.object[s] == SensorObject::site;
    const PlacedShape volume = zone ? place_site(model_, input.world, model_.sensors.target[s]) : PlacedShape{};
    double sum = 0;
    for (std::size_t i = 0; i < count_forces(input); ++i)
    {
        const Contact& contact = input.contacts.items[i];
        if (contact.first_body != body && contact.second_body != body) continue;
        const double normal = dot(input.forces.items[i].force, contact.normal());
        if (!zone)
        {
            sum += normal;
            continue;
        }
        // Soft contacts let the point leave the zone from behind: the ray out of the body brings it back.
        if (!(normal > 0)) continue;
        const Vec3 ray = contact.second_body == body ? -contact.normal() : contact.normal();
        if (cast_ray(volume, contact.point, ray, std::numeric_limits<double>::infinity())) sum += normal;
    }
    return sum;
}

/// 1: the contact matches as it is, -1: seen from its other side, 0: not at all.
int SensorReader::match_contact(const SensorInput& input, std::size_t s, const Contact& contact) const
{
    const Sensors& sensors = model_.sensors;
    if (sensors.object[s] == SensorObject::site &&
        !is_inside(place_site(model_, input.world, sensors.target[s]), contact.point))
        return 0;
    const auto is = [&](bool reference, bool second)
    {
        return is_side(model_, (reference ? sensors.reference : sensors.object)[s],
                       (reference ? sensors.reference_target : sensors.target)[s],
                       second ? contact.second_body : contact.first_body,
                       second ? contact.second_shape : contact.first_shape);
    };
    if (is(false, false) && is(true, true)) return 1;
    return is(false, true) && is(true, false) ? -1 : 0;
}

void SensorReader::read_contacts(const SensorInput& input, std::size_t s, std::span<double> out)
{
    const Sensors& sensors = model_.sensors;
    if (sensors.type[s] == SensorType::contact_force) return write(out, sum_forces(BodyId{sensors.body[s]}, input));
    std::fill(out.begin(), out.end(), 0.0);
    // Matching.
    const SensorReduce reduce = sensors.reduce[s];
    matches_.clear();
    for (std::size_t i = 0; i < input.contacts.items.size(); ++i)
    {
        const int side = match_contact(input, s, input.contacts.items[i]);
        if (side == 0) continue;
        const double force = i < input.forces.items.size() ? norm(input.forces.items[i].force) : 0;
        const double order = reduce == SensorReduce::nearest     ? input.contacts.items[i].distance
                             : reduce == SensorReduce::strongest ? -force
                                                                 : 0;
        matches_.push_back({static_cast<int>(i), side, order});
    }
    const auto found = static_cast<int>(matches_.size());
    const std::size_t slot = out.size() / at(sensors.count[s]);
    if (found == 0) return;
    // Reduction: equals in the order of the contacts.
    if (reduce == SensorReduce::nearest || reduce == SensorReduce::strongest)
    {
        std::sort(matches_.begin(), matches_.end(), [](const Match& a, const Match& b)
                  { return a.order != b.order ? a.order < b.order : a.contact < b.contact; });
    }
    if (reduce != SensorReduce::net)
    {
        for (int i = 0; i < std::min(found, sensors.count[s]); ++i)
        {
            const Match& match = matches_[at(i)];
            write_slot(look_at(model_, input, at(match.contact), match.side), found, sensors.fields[s],
                       out.subspan(at(i) * slot, slot));
        }
        return;
    }
    // One contact that stands for all, at the mean of the points weighted by force; world axes.
    SeenContact net{.normal = {1, 0, 0}, .tangent = {0, 1, 0}};
    double weight = 0;
    const auto wrench_of = [&](const Match& m)
    { return at(m.contact) < input.forces.items.size() ? input.forces.items[at(m.contact)] : Wrench{}; };
    for (const Match& match : matches_)
    {
        const Wrench wrench = wrench_of(match);
        net.force += match.side * wrench.force;
        net.position += norm(wrench.force) * input.contacts.items[at(match.contact)].point;
        weight += norm(wrench.force);
    }
    if (weight > 0) net.position = (1 / weight) * net.position;
    for (const Match& match : matches_)
    {
        const Wrench wrench = wrench_of(match);
        const Vec3 arm = input.contacts.items[at(match.contact)].point - net.position;
        net.torque += match.side * (wrench.torque + cross(arm, wrench.force));
    }
    write_slot(net, found, sensors.fields[s], out.first(slot));
}

}  // namespace rattleback
