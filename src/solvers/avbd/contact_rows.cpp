// Rows from contacts: geometry, effective mass, and what is carried over from the last step.
#include "solvers/avbd/contact_rows.h"

#include "solvers/avbd/dof_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

namespace rattleback::avbd
{

namespace
{

constexpr double kTouch = 1e-3;       // of the body's size: a gap that corrections leave between pressed bodies
constexpr double kSettling = 10;      // steps: what approaches faster than it would touch in these may fall on
constexpr double kSamePoint = 0.05;   // of the body's size: old and new place of one point
constexpr double kSameNormal = 0.94;  // cosine of 20 degrees: beyond, old forces push the wrong way

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_round(ShapeType type)
{
    return type == ShapeType::sphere || type == ShapeType::capsule || type == ShapeType::cylinder ||
           type == ShapeType::ellipsoid;
}

Vec3 to_local(const Body& body, const Vec3& point) { return rotate(conjugate(body.rotation), point - body.center); }
Vec3 to_world(const Body& body, const Vec3& local) { return body.center + rotate(body.rotation, local); }

auto pair_of(const ContactMemory& m) { return std::pair(m.first_shape, m.second_shape); }
auto pair_of(const Contact& c) { return std::pair(c.first_shape, c.second_shape); }

/// Mass that a contact on a part has to move: of the part, or of the whole tree that is solved together with it.
double mass_behind(const Layout& layout, int part)
{
    const Part& p = layout.parts[at(part)];
    if (!p.dynamic) return std::numeric_limits<double>::infinity();
    return p.behind;
}

double reduced(double a, double b)
{
    if (std::isinf(a)) return std::isinf(b) ? 1 : b;
    return std::isinf(b) ? a : a * b / (a + b);
}

void take_over(const ContactMemory& old, const Settings& settings, double dt, ContactRow& row)
{
    if (dot(old.normal, row.normal) < kSameNormal) return;
    const double keep = settings.stabilisation == Stabilisation::alpha ? settings.alpha * settings.keep : 1;
    row.pressure = keep * old.pressure;
    row.drag = keep * (old.drag - dot(old.drag, row.normal) * row.normal);
    row.spin = keep * old.spin;
    row.roll = keep * (old.roll - dot(old.roll, row.normal) * row.normal);
    row.stiffness = std::max(row.stiffness, settings.keep * old.stiffness / (dt * dt));
    if (old.stuck != 0 && !row.rolls)
    {
        row.first_anchor = old.first_anchor;
        row.second_anchor = old.second_anchor;
    }
}

/// Rows and old points of one pair of shapes. A feature's name can change though its point stays (a corner slides past
/// the edge of the face below): such points are found by their place.
void take_over_pair(const Settings& settings, const Contacts& contacts, std::span<const ContactMemory> old, double dt,
                    std::span<ContactRow> rows)
{
    constexpr std::size_t kMost = 32;
    std::array<bool, kMost> used{}, found{};
    const std::size_t old_count = std::min(old.size(), kMost), row_count = std::min(rows.size(), kMost);
    for (std::size_t r = 0; r < row_count; ++r)
    {
        const std::uint64_t feature = contacts.items[at(rows[r].contact)].feature;
        for (std::size_t o = 0; o < old_count && !found[r]; ++o)
        {
            if (used[o] || old[o].feature != feature) continue;
            used[o] = found[r] = true;
            take_over(old[o], settings, dt, rows[r]);
        }
    }
    for (std::size_t r = 0; r < row_count; ++r)
    {
        if (found[r]) continue;
        double nearest = kSamePoint * kSamePoint * rows[r].size * rows[r].size;
        std::size_t best = old_count;
        for (std::size_t o = 0; o < old_count; ++o)
        {
            const Vec3 apart = old[o].point - rows[r].first_point;
            if (used[o] || dot(apart, apart) >= nearest) continue;
            nearest = dot(apart, apart);
            best = o;
        }
        if (best == old_count) continue;
        used[best] = true;
        take_over(old[best], settings, dt, rows[r]);
    }
}

void take_over_all(const Settings& settings, const Contacts& contacts, const std::vector<ContactMemory>& memory,
                   double dt, std::vector<ContactRow>& rows)
{
    const auto row_pair = [&](std::size_t r) { return pair_of(contacts.items[at(rows[r].contact)]); };
    std::size_t old_begin = 0;
    for (std::size_t begin = 0; begin < rows.size();)
    {
        const auto pair = row_pair(begin);
        std::size_t end = begin + 1;
        while (end < rows.size() && row_pair(end) == pair) ++end;
        while (old_begin < memory.size() && pair_of(memory[old_begin]) < pair) ++old_begin;
        std::size_t old_end = old_begin;
        while (old_end < memory.size() && pair_of(memory[old_end]) == pair) ++old_end;
        take_over_pair(settings, contacts, std::span(memory).subspan(old_begin, old_end - old_begin), dt,
                       std::span(rows).subspan(begin, end - begin));
        old_begin = old_end;
        begin = end;
    }
}

}  // namespace

void build_rows(const Layout& layout, const Settings& settings, const Contacts& contacts,
                const std::vector<ContactMemory>& memory, const std::vector<Body>& bodies, double dt,
                std::vector<ContactRow>& rows)
{
    const Model& model = *layout.model;
    rows.clear();
    for (int c = 0; c < contacts.count(); ++c)
    {
        const Contact& contact = contacts.items[at(c)];
        ContactRow row;
        row.first = layout.part_of_body[at(contact.first_body)];
        row.second = layout.part_of_body[at(contact.second_body)];
        if (!layout.parts[at(row.first)].dynamic && !layout.parts[at(row.second)].dynamic) continue;
        if (row.first == row.second) continue;
        row.contact = c;
        row.normal = contact.normal();
        const Body& first = bodies[at(row.first)];
        const Body& second = bodies[at(row.second)];
        const Vec3 half = (0.5 * contact.distance) * row.normal;
        row.first_point = row.first_anchor = to_local(first, contact.point - half);
        row.second_point = row.second_anchor = to_local(second, contact.point + half);
        row.margin = contact.margin;
        row.mass = reduced(mass_behind(layout, row.first), mass_behind(layout, row.second));
        row.size = std::numeric_limits<double>::infinity();
        for (const int p : {row.first, row.second})
        {
            if (layout.parts[at(p)].dynamic) row.size = std::min(row.size, layout.parts[at(p)].extent);
        }
        if (contact.dimension >= 3) row.friction = contact.friction.x;
        if (contact.dimension >= 4) row.spin_friction = contact.friction.y;
        if (contact.dimension >= 6) row.roll_friction = contact.friction.z;
        row.restitution = contact.restitution;
        row.rolls = is_round(model.shapes.type[at(contact.first_shape)]) ||
                    is_round(model.shapes.type[at(contact.second_shape)]);
        const Compliance soft = find_compliance(contact.softness, row.mass, contact.distance - contact.margin, dt);
        if (soft.stiffness > 0)
        {
            const double total = soft.stiffness + soft.damping / dt;
            row.compliance = 1 / total;
            row.softness = soft.stiffness / total;
        }
        row.stiffness = settings.stiffness * row.mass / (dt * dt);
        rows.push_back(row);
    }
    take_over_all(settings, contacts, memory, dt, rows);
}

void place_rows(const Layout& layout, const std::vector<Body>& bodies, double dt, std::vector<ContactRow>& rows)
{
    for (ContactRow& row : rows)
    {
        const Body& first = bodies[at(row.first)];
        const Body& second = bodies[at(row.second)];
        const Vec3 between = to_world(second, row.second_point) - to_world(first, row.first_point);
        row.gap = dot(between, row.normal) - row.margin;
        Vec3 slip = to_world(second, row.second_anchor) - to_world(first, row.first_anchor);
        slip -= dot(slip, row.normal) * row.normal;
        // a point that was carried away is a new one
        if (dot(slip, slip) > 1e-4 * row.size * row.size)
        {
            row.first_anchor = row.first_point;
            row.second_anchor = row.second_point;
            slip = between - dot(between, row.normal) * row.normal;
        }
        row.slip = row.rolls ? Vec3{} : slip;
        const Vec3 first_arm = rotate(first.rotation, row.first_point);
        const Vec3 second_arm = rotate(second.rotation, row.second_point);
        const Vec3 velocity = second.velocity.linear + cross(second.velocity.angular, second_arm) -
                              first.velocity.linear - cross(first.velocity.angular, first_arm);
        row.approach = dot(velocity, row.normal);
        row.held = row.pressure > 0 && row.gap + kSettling * dt * std::abs(row.approach) < kTouch * row.size;
        row.live = row.pressure > 0 || row.gap + std::min(0.0, dt * row.approach) <= kTouch * row.size;
        (void)layout;
    }
}

void remember(const Contacts& contacts, const std::vector<ContactRow>& rows, double dt,
              std::vector<ContactMemory>& memory)
{
    memory.clear();
    for (const ContactRow& row : rows)
    {
        if (row.contact < 0) continue;
        const Contact& contact = contacts.items[at(row.contact)];
        const bool stuck = row.pressure > 0 && !row.sliding;
        memory.push_back({contact.first_shape, contact.second_shape, contact.feature, row.normal, row.first_point,
                          row.pressure, row.drag, row.spin, row.roll, row.stiffness * dt * dt, row.first_anchor,
                          row.second_anchor, stuck ? 1.0 : 0.0});
    }
}

}  // namespace rattleback::avbd
