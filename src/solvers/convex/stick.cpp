// Anchors of sticking contacts: found, turned with the contact, moved with its velocity, cut back to the cone.
#include "solvers/convex/stick.h"

#include "dynamics/jacobian.h"
#include "solvers/shared/impedance.h"

#include <tuple>

namespace rattleback::convex
{

namespace
{

auto key(const Anchor& a) { return std::tuple(a.first_shape, a.second_shape, a.feature); }
auto key(const Contact& c) { return std::tuple(c.first_shape, c.second_shape, c.feature); }

/// The part of x in the plane across `normal`, as long as x was while the plane tilts a little.
Vec3 turn_into_plane(const Vec3& x, const Vec3& normal)
{
    const Vec3 inside = x - dot(x, normal) * normal;
    const double before = dot(x, x), after = dot(inside, inside);
    constexpr double kLittle = 0.8;  // beyond this the contact is another one
    return after > kLittle * before ? std::sqrt(before / after) * inside : inside;
}

bool is_elliptic(const ConstraintRows& rows, const RowCone& cone) { return rows.kind[cone.row] == RowKind::cone; }

Vec3 angular_velocity(const Workspace<double>& w, int body)
{
    if (w.tree->model->bodies.last_dof[body] < 0) return base_angular_velocity(w, body);
    return w.velocity[body].angular;
}

double multiply_row(const ConstraintRows& rows, int row, std::span<const double> x)
{
    double sum = 0;
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) sum += rows.value[k] * x[rows.column[k]];
    return sum;
}

/// One friction direction of a contact after the solve.
struct Direction
{
    double velocity = 0;  ///< at the end of the step
    double force = 0;
    double regulariser = 0;  ///< R: at rest, force = -K d x / R
    bool slides = false;     ///< the force lies on the cone, or nothing acts in this direction
};

Direction find_direction(const ConstraintRows& rows, const RowCone& cone, int k, bool on_cone,
                         std::span<const double> forces, std::span<const double> change)
{
    if (is_elliptic(rows, cone))
    {
        const int row = cone.row + 1 + k;
        return {rows.velocity[row] + multiply_row(rows, row, change), forces[row], rows.regulariser[row], on_cone};
    }
    // edges n + mu t and n - mu t
    const int row = cone.row + 2 * k;
    const double mu = cone.friction[k], plus = forces[row], minus = forces[row + 1];
    const double velocity = rows.velocity[row] - rows.velocity[row + 1] + multiply_row(rows, row, change) -
                            multiply_row(rows, row + 1, change);
    return {velocity / (2 * mu), mu * (plus - minus), rows.regulariser[row] / (2 * mu * mu), !(plus > 0 && minus > 0)};
}

bool lies_on_cone(const RowCone& cone, std::span<const double> forces)
{
    double squares = 0;
    for (int j = 1; j < cone.row_count; ++j)
    {
        const double y = forces[cone.row + j] / cone.friction[j - 1];
        squares += y * y;
    }
    const double normal = forces[cone.row];
    return squares >= (1 - 1e-9) * normal * normal;
}

bool carries_force(const RowCone& cone, std::span<const double> forces)
{
    for (int r = cone.row; r < cone.row + cone.row_count; ++r)
    {
        if (forces[r] > 0) return true;
    }
    return false;
}

}  // namespace

void Stick::pull(const Contacts& contacts, const RowOptions& options, std::span<const Anchor> anchors,
                 ConstraintRows& rows)
{
    offsets_.assign(rows.cones.size(), {});
    std::size_t a = 0;
    for (std::size_t c = 0; c < rows.cones.size(); ++c)
    {
        const RowCone& cone = rows.cones[c];
        const Contact& contact = contacts.items[cone.contact];
        if (cone.dimension == 1) continue;
        Offset& offset = offsets_[c];
        offset.stiffness =
            respond(contact.softness, contact.distance - contact.margin, options.dt, options.refsafe).stiffness;
        while (a < anchors.size() && key(anchors[a]) < key(contact)) ++a;
        if (a == anchors.size() || key(anchors[a]) != key(contact)) continue;
        const Vec3 normal = contact.normal();
        const Vec3 slide = turn_into_plane(anchors[a].slide, normal), roll = turn_into_plane(anchors[a].roll, normal);
        const Vec3 first = contact.frame.column(1), second = contact.frame.column(2);
        offset.x = {dot(slide, first), dot(slide, second), anchors[a].spin, dot(roll, first), dot(roll, second)};
        for (int k = 0; k < cone.dimension - 1; ++k)
        {
            const double pull = offset.stiffness * offset.x[k];
            if (is_elliptic(rows, cone))
            {
                rows.reference[cone.row + 1 + k] -= pull;
                continue;
            }
            rows.reference[cone.row + 2 * k] -= cone.friction[k] * pull;
            rows.reference[cone.row + 2 * k + 1] += cone.friction[k] * pull;
        }
    }
}

void Stick::follow(const Workspace<double>& w, const Contacts& contacts, const ConstraintRows& rows,
                   std::span<const double> forces, std::span<const double> change, double dt,
                   std::vector<Anchor>& anchors) const
{
    anchors.clear();
    for (std::size_t c = 0; c < rows.cones.size(); ++c)
    {
        const RowCone& cone = rows.cones[c];
        const Contact& contact = contacts.items[cone.contact];
        if (cone.dimension == 1 || !(offsets_[c].stiffness > 0) || !carries_force(cone, forces)) continue;
        std::array<double, 5> x = offsets_[c].x;
        const bool on_cone = is_elliptic(rows, cone) && lies_on_cone(cone, forces);
        for (int k = 0; k < cone.dimension - 1; ++k)
        {
            const Direction d = find_direction(rows, cone, k, on_cone, forces, change);
            // sliding: the displacement that holds the present force once the contact comes to rest
            x[k] = d.slides ? -d.force * d.regulariser / offsets_[c].stiffness : x[k] + dt * d.velocity;
        }
        const Vec3 first = contact.frame.column(1), second = contact.frame.column(2), normal = contact.normal();
        const Vec3 mean = 0.5 * (angular_velocity(w, contact.first_body) + angular_velocity(w, contact.second_body));
        const double turn = dt * dot(mean, normal);  // bodies that turn together about the normal take it along
        const auto turned = [&](double u, double v) { return (u - turn * v) * first + (v + turn * u) * second; };
        anchors.push_back({.first_shape = contact.first_shape,
                           .second_shape = contact.second_shape,
                           .feature = contact.feature,
                           .slide = turned(x[0], x[1]),
                           .roll = turned(x[3], x[4]),
                           .spin = x[2]});
    }
}

}  // namespace rattleback::convex
