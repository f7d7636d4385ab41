// Rows of contacts: frictionless, pyramidal and elliptic.
#include "dynamics/jacobian.h"
#include "solvers/shared/row_builder.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr double kMinFriction = 1e-5;  ///< MuJoCo's mjMINMU

/// What an explicit pair says beyond its material; null where the shapes have no such pair.
const ShapePair* find_pair(const Model& model, const Contact& contact)
{
    if (model.pairs.empty()) return nullptr;
    const auto wanted = std::minmax(contact.first_shape, contact.second_shape);
    const auto before = [](const ShapePair& pair, const std::pair<int, int>& shapes)
    { return std::pair(pair.first, pair.second) < shapes; };
    const auto found = std::lower_bound(model.pairs.begin(), model.pairs.end(), std::pair<int, int>(wanted), before);
    const bool same = found != model.pairs.end() && found->first == wanted.first && found->second == wanted.second;
    return same ? &*found : nullptr;
}

std::array<double, 5> find_friction(const Contact& contact, const ShapePair* pair)
{
    const auto [slide, spin, roll] = contact.friction;
    std::array<double, 5> friction{slide, slide, spin, roll, roll};
    if (pair != nullptr)
    {
        if (pair->second_friction[0] >= 0) friction[1] = pair->second_friction[0];
        if (pair->second_friction[1] >= 0) friction[4] = pair->second_friction[1];
    }
    for (double& mu : friction) mu = std::max(mu, kMinFriction);
    return friction;
}

/// Relative motion of the bodies at a contact, second minus first: three translations and three rotations along the
/// contact's axes.
using ContactMotion = std::array<double, 6>;

ContactMotion along_axes(const Contact& contact, const Vec3& linear, const Vec3& angular)
{
    const Vec3 a = transpose_times(contact.frame, linear), b = transpose_times(contact.frame, angular);
    return {a.x, a.y, a.z, b.x, b.y, b.z};
}

ContactMotion find_velocity(const RowBuilder& b, const Contact& contact)
{
    const int first = contact.first_body, second = contact.second_body;
    const Vec3 linear =
        body_point_velocity(b.w, second, contact.point) - body_point_velocity(b.w, first, contact.point);
    if (contact.dimension <= 3) return along_axes(contact, linear, {});
    return along_axes(contact, linear, body_angular_velocity(b.w, second) - body_angular_velocity(b.w, first));
}

/// Acceleration by kinematic bodies alone: as in MuJoCo the velocity products of joints do not enter contacts, whose
/// points do not stay with the bodies.
ContactMotion find_base_acceleration(const RowBuilder& b, const Contact& contact)
{
    if (b.w.tree->kinematic_bodies.empty()) return {};
    const Vec3 linear = base_point_acceleration(b.w, contact.second_body, contact.point) -
                        base_point_acceleration(b.w, contact.first_body, contact.point);
    return along_axes(contact, linear, {});
}

/// Rows of J along the contact's axes, [dimension][chain].
void fill_jacobian(const RowBuilder& b, const Contact& contact, const BodyPairChain& chain, double* jacobian)
{
    const Model& model = b.model;
    const Vec3 first_arm = contact.point - b.w.center[model.bodies.root[contact.first_body]];
    const Vec3 second_arm = contact.point - b.w.center[model.bodies.root[contact.second_body]];
    const Vec3 normal = contact.frame.column(0), t1 = contact.frame.column(1), t2 = contact.frame.column(2);
    const std::size_t n = chain.dof.size();
    for (std::size_t i = 0; i < n; ++i)
    {
        const Motion<double>& dof = b.w.dof[chain.dof[i]];
        const bool of_first = chain.side[i] == 1;
        const double sign = of_first ? -1 : 1;
        const Vec3 linear = sign * (dof.linear + cross(dof.angular, of_first ? first_arm : second_arm));
        jacobian[i] = dot(normal, linear);
        if (contact.dimension == 1) continue;
        jacobian[n + i] = dot(t1, linear);
        jacobian[2 * n + i] = dot(t2, linear);
        if (contact.dimension == 3) continue;
        const Vec3 angular = sign * dof.angular;
        jacobian[3 * n + i] = dot(normal, angular);
        if (contact.dimension == 4) continue;
        jacobian[4 * n + i] = dot(t1, angular);
        jacobian[5 * n + i] = dot(t2, angular);
    }
}

/// A contact on its way to rows.
struct ContactParts
{
    const Contact& contact;
    const ShapePair* pair = nullptr;
    const BodyPairChain& chain;
    RowCone cone;
    RowResponse response;
    ContactMotion velocity{}, acceleration{};
    double linear_weight = 0, angular_weight = 0;  ///< inverse weights of the two bodies together
};

/// R of the friction rows of an elliptic cone. A spring says nothing about friction, which is then as hard as `rigid`.
double friction_regulariser(const RowBuilder& b, const ContactParts& parts, double normal, double diagonal)
{
    const double softest = normal / std::max(kTinyRow, b.options.impratio);
    if (parts.response.compliance == 0) return softest;
    return std::max(kTinyRow, std::min(softest, (1 - kMaxImpedance) / kMaxImpedance * diagonal));
}

void add_elliptic(const RowBuilder& b, ContactParts& parts)
{
    const Contact& contact = parts.contact;
    ConstraintRows& rows = b.rows;
    const int row = parts.cone.row, count = contact.dimension;
    const RowKind kind = count == 1 ? RowKind::contact : RowKind::cone;
    fill_jacobian(b, contact, parts.chain, append_rows(rows, kind, parts.cone.contact, count, parts.chain.dof));

    RowResponse tangential = parts.response;
    if (parts.pair != nullptr && std::holds_alternative<Impedance>(contact.softness))
    {
        const double most = std::clamp(std::get<Impedance>(contact.softness).solimp[1], kMinImpedance, kMaxImpedance);
        const double own = friction_damping_of(parts.pair->friction_solref, most, b.options.dt, b.options.refsafe);
        if (own != 0) tangential.damping = own;
    }
    for (int k = 0; k < count; ++k)
    {
        RowNumbers numbers{.velocity = parts.velocity[k],
                           .diagonal = k < 3 ? parts.linear_weight : parts.angular_weight,
                           .product = parts.acceleration[k]};
        if (k == 0) numbers.position = contact.distance;
        if (k == 0) numbers.margin = contact.margin;
        finish_row(b, row + k, numbers, k == 0 ? parts.response : tangential);
    }
    if (count == 1) return;

    // mu of the regularised cone; R_j mu_j^2 is the same for all friction rows (MuJoCo's manual, "Constraint model")
    const std::array<double, 5>& mu = parts.cone.friction;
    const double normal = rows.regulariser[row];
    const double first = friction_regulariser(b, parts, normal, rows.diagonal[row]);
    parts.cone.mu = mu[0] * std::sqrt(first / normal);
    for (int k = 1; k < count; ++k)
        set_regulariser(rows, row + k, first * mu[0] * mu[0] / (mu[k - 1] * mu[k - 1]), parts.response);
}

void add_pyramid(const RowBuilder& b, ContactParts& parts)
{
    const Contact& contact = parts.contact;
    ConstraintRows& rows = b.rows;
    const std::array<double, 5>& mu = parts.cone.friction;
    const std::size_t n = parts.chain.dof.size();
    const int row = parts.cone.row, count = 2 * (contact.dimension - 1);
    rows.buffer.resize(std::max(rows.buffer.size(), 6 * n));
    double* base = rows.buffer.data();
    fill_jacobian(b, contact, parts.chain, base);
    double* jacobian = append_rows(rows, RowKind::contact, parts.cone.contact, count, parts.chain.dof);
    for (int edge = 0; edge < count; ++edge, jacobian += n)
    {
        const int k = edge / 2 + 1;
        const double slope = edge % 2 == 0 ? mu[k - 1] : -mu[k - 1];
        const double* tangent = base + static_cast<std::size_t>(k) * n;
        for (std::size_t i = 0; i < n; ++i) jacobian[i] = base[i] + slope * tangent[i];
    }
    for (int edge = 0; edge < count; ++edge)
    {
        const int k = edge / 2 + 1;
        const double slope = edge % 2 == 0 ? mu[k - 1] : -mu[k - 1];
        finish_row(
            b, row + edge,
            {.position = contact.distance,
             .margin = contact.margin,
             .velocity = parts.velocity[0] + slope * parts.velocity[k],
             .diagonal = parts.linear_weight + slope * slope * (k < 3 ? parts.linear_weight : parts.angular_weight),
             .product = parts.acceleration[0] + slope * parts.acceleration[k]},
            parts.response);
    }
    // One R for all edges. MuJoCo matches the friction of the elliptic cone; a spring must keep its normal stiffness.
    const double normal = rows.regulariser[row];
    const double ratio = 1 / std::max(kTinyRow, b.options.impratio);
    parts.cone.mu = mu[0] * std::sqrt(ratio);
    const double common = parts.response.compliance > 0 ? count * normal : 2 * parts.cone.mu * parts.cone.mu * normal;
    for (int edge = 0; edge < count; ++edge) set_regulariser(rows, row + edge, common, parts.response);
}

void add_contact(const RowBuilder& b, const Contact& contact, int index)
{
    if (!(contact.distance < contact.margin)) return;
    const BodyPairChain& chain = find_chain(b, contact.first_body, contact.second_body, false);
    if (chain.dof.empty()) return;
    const auto& weights = b.model.bodies.inverse_weight;
    ContactParts parts{
        .contact = contact, .pair = find_pair(b.model, contact), .chain = chain, .cone = {}, .response = {}};
    parts.cone = {.contact = index, .row = b.rows.count(), .row_count = 1, .dimension = contact.dimension};
    parts.cone.friction = find_friction(contact, parts.pair);
    parts.response = b.respond(contact.softness, contact.distance - contact.margin);
    parts.velocity = find_velocity(b, contact);
    parts.acceleration = find_base_acceleration(b, contact);
    parts.linear_weight = weights[contact.first_body][0] + weights[contact.second_body][0];
    parts.angular_weight = weights[contact.first_body][1] + weights[contact.second_body][1];
    if (contact.dimension > 1 && b.options.cone == FrictionCone::pyramidal)
        add_pyramid(b, parts);
    else
        add_elliptic(b, parts);
    parts.cone.row_count = b.rows.count() - parts.cone.row;
    b.rows.cones.push_back(parts.cone);
}

}  // namespace

void add_contact_rows(const RowBuilder& builder, const Contacts& contacts)
{
    for (int i = 0; i < contacts.count(); ++i) add_contact(builder, contacts.items[i], i);
}

}  // namespace rattleback
