// Rows of contacts: frictionless, pyramidal and elliptic.
#include "dynamics/jacobian.h"
#include "solvers/shared/explicit_pair.h"
#include "solvers/shared/row_builder.h"

#include <algorithm>

namespace rattleback
{

// A contact of dimension n is n rows of an elliptic cone (normal, two tangents, spin, two rolls) or 2 (n - 1) edges of
// a pyramid, n + - mu_k t_k. The normal row is a spring and damper with impedance; friction rows are dampers alone,
// tied to the normal by R_k and, in the elliptic case, by the cone that all rows of the contact share.

namespace
{

constexpr double kMinFriction = 1e-5;  ///< MuJoCo's mjMINMU

/// Dimension of the rows of a contact: beyond the margin nothing rubs.
int dimension_of(const Contact& contact) { return contact.distance < contact.margin ? contact.dimension : 1; }

std::array<double, 5> find_friction(const Settings& settings, const Contact& contact, const ShapePair* pair)
{
    // One coefficient for both tangents and both rolls, unless an explicit pair or the model has two of them.
    const auto [slide, spin, roll] = contact.friction;
    std::array<double, 5> friction{slide, slide, spin, roll, roll};
    const auto& [second_slide, second_roll] = pair != nullptr ? pair->second_friction : settings.second_friction;
    if (second_slide >= 0) friction[1] = second_slide;
    if (second_roll >= 0) friction[4] = second_roll;
    // R_k divides by mu_k^2.
    for (double& mu : friction) mu = std::max(mu, kMinFriction);
    return friction;
}

/// Relative motion of the bodies at a contact, second minus first: three translations and three rotations along the
/// contact's axes.
using ContactMotion = std::array<double, 6>;

ContactMotion along_axes(const Contact& contact, const Vec3& linear, const Vec3& angular)
{
    // Components along normal and tangents: the columns of the frame.
    const Vec3 a = transpose_times(contact.frame, linear), b = transpose_times(contact.frame, angular);
    return {a.x, a.y, a.z, b.x, b.y, b.z};
}

ContactMotion find_velocity(const RowBuilder& b, const Contact& contact)
{
    Vec3 linear, angular;
    const auto add = [&](int body, double sign)
    {
        // Bodies that neither joints nor tracks move have no velocity.
        const bool still = b.model.bodies.last_dof[body] < 0 && b.w.tree->kinematic_bodies.empty();
        if (still) return;
        linear += sign * body_point_velocity(b.w, body, contact.point);
        if (contact.dimension > 3) angular += sign * body_angular_velocity(b.w, body);
    };
    add(contact.first_body.index, -1);
    add(contact.second_body.index, 1);
    // Friction sees the surfaces, which may run on their bodies.
    // Conveyor belts: the row sees the motion of the surfaces against each other, not that of the bodies.
    if (b.input.surfaces != nullptr && b.input.surfaces->runs(contact))
    {
        const Velocity drift = b.input.surfaces->find_drift(contact);
        linear += drift.linear;
        if (contact.dimension > 3) angular += drift.angular;
    }
    return along_axes(contact, linear, angular);
}

/// Acceleration by kinematic bodies alone: as in MuJoCo the velocity products of joints do not enter contacts, whose
/// points do not stay with the bodies.
ContactMotion find_base_acceleration(const RowBuilder& b, const Contact& contact)
{
    if (b.w.tree->kinematic_bodies.empty()) return {};
    // Rows feel it as a part of J a that no joint makes; it is taken off a_ref.
    const Vec3 linear = base_point_acceleration(b.w, contact.second_body.index, contact.point) -
                        base_point_acceleration(b.w, contact.first_body.index, contact.point);
    return along_axes(contact, linear, {});
}

/// Rows of J along the contact's axes, [dimension][chain].
void fill_jacobian(const RowBuilder& b, const Contact& contact, const BodyPairChain& chain, double* jacobian)
{
    const Model& model = b.model;
    // Column of a dof: velocity of the contact point on the second body less that on the first, along normal and
    // tangents; behind them the angular velocity along the same axes.
    // Arms from the tree's reference point, about which motions of dofs are given.
    const Vec3 first_arm = contact.point - b.w.center[model.bodies.root[contact.first_body.index]];
    const Vec3 second_arm = contact.point - b.w.center[model.bodies.root[contact.second_body.index]];
    const Vec3 normal = contact.frame.column(0), t1 = contact.frame.column(1), t2 = contact.frame.column(2);
    const std::size_t n = chain.dof.size();
    const int dimension = dimension_of(contact);
    for (std::size_t i = 0; i < n; ++i)
    {
        // Dofs that move both bodies are not in the chain: they move both contact points alike.
        const Motion<double>& dof = b.w.dof[chain.dof[i]];
        const bool of_first = chain.side[i] == 1;
        const double sign = of_first ? -1 : 1;
        const Vec3 linear = sign * (dof.linear + cross(dof.angular, of_first ? first_arm : second_arm));
        jacobian[i] = dot(normal, linear);
        if (dimension == 1) continue;
        jacobian[n + i] = dot(t1, linear);
        jacobian[2 * n + i] = dot(t2, linear);
        if (dimension == 3) continue;
        const Vec3 angular = sign * dof.angular;
        jacobian[3 * n + i] = dot(normal, angular);
        if (dimension == 4) continue;
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

/// The entries of J of the contact's rows, which stand behind all earlier ones.
double* open_entries(const RowBuilder& b, const ContactParts& parts)
{
    ConstraintRows& rows = b.rows;
    // Room for them was made beforehand: columns are copied, values written in place.
    int* begin = &rows.begin[parts.cone.row];
    const std::vector<int>& dofs = parts.chain.dof;
    for (int i = 0; i < parts.cone.row_count; ++i)
    {
        std::copy(dofs.begin(), dofs.end(), rows.column.begin() + begin[i]);
        begin[i + 1] = begin[i] + static_cast<int>(dofs.size());
    }
    return &rows.value[begin[0]];
}

/// R and what follows from it; as in finish_row.
void fill_regulariser(const RowBuilder& b, int row, double regulariser, const RowResponse& response, double estimate)
{
    // As in finish_row, with A-hat of the element and not of the row.
    b.rows.diagonal[row] = estimate;
    set_regulariser(b.rows, row, regulariser, response);
}

/// R of the friction rows of an elliptic cone. A spring says nothing about friction, which is then as hard as `rigid`.
double friction_regulariser(const RowBuilder& b, const ContactParts& parts, double normal, double diagonal)
{
    // R_1 = R_0 / impratio.
    const double softest = normal / std::max(kTinyRow, b.options.impratio);
    if (parts.response.compliance == 0) return softest;
    return std::max(kTinyRow, std::min(softest, (1 - kMaxImpedance) / kMaxImpedance * diagonal));
}

/// B of the friction rows of an elliptic cone.
double friction_damping(const RowBuilder& b, const ContactParts& parts)
{
    // A pair may have a damper of its own for friction.
    const auto* impedance = std::get_if<Impedance>(&parts.contact.softness);
    const double usual = parts.response.step > 0 ? parts.response.slip_damping : parts.response.damping;
    if (parts.pair == nullptr || impedance == nullptr) return usual;
    const double most = std::clamp(impedance->solimp[1], kMinImpedance, kMaxImpedance);
    const bool refsafe = b.options.refsafe && parts.response.step == 0;
    const double own = friction_damping_of(parts.pair->friction_solref, most, b.options.dt, refsafe);
    return own != 0 ? own : usual;
}

/// Normal, tangents, spin, rolling; the normal alone of a frictionless contact.
void add_elliptic(const RowBuilder& b, ContactParts& parts)
{
    const Contact& contact = parts.contact;
    const RowResponse& response = parts.response;
    ConstraintRows& rows = b.rows;
    const int row = parts.cone.row, count = parts.cone.row_count;
    fill_jacobian(b, contact, parts.chain, open_entries(b, parts));
    const double damping = friction_damping(b, parts);
    // a_ref = - b J v - k d r for the normal; friction has no position term (r = 0), so - b J v alone.
    for (int k = 0; k < count; ++k)
    {
        rows.kind[row + k] = count == 1 ? RowKind::contact : RowKind::cone;
        rows.position[row + k] = k == 0 ? contact.distance : 0;
        rows.margin[row + k] = k == 0 ? contact.margin : 0;
        rows.velocity[row + k] = parts.velocity[k];
        rows.product[row + k] = parts.acceleration[k];
        rows.reference[row + k] = -(k == 0 ? response.damping : damping) * parts.velocity[k] - parts.acceleration[k];
        // Dampers at the end of the step: friction has no spring.
        if (k > 0 && response.step > 0) rows.reference[row + k] /= 1 + response.step * damping;
    }
    // The position term stands in the normal row alone.
    rows.reference[row] = fold_reference(
        response, rows.reference[row] - response.stiffness * (contact.distance - contact.margin), parts.velocity[0]);

    // mu of the regularised cone. R_j mu_j^2 is the same for all friction rows, so that the cone is round in u_j = mu_j
    // r_j and one multiplier describes it.
    const double diagonal = diagonal_of(b, row, parts.linear_weight);
    const double normal = regulariser(response, diagonal);
    fill_regulariser(b, row, normal, response, diagonal);
    if (parts.cone.adhesion != 0) rows.reference[row] += normal * parts.cone.adhesion;
    if (count == 1) return;
    // R_1 = R_0 / impratio, R_k mu_k^2 = R_1 mu_1^2, and the slope of the regularised cone mu_1 sqrt(R_1 / R_0).
    const std::array<double, 5>& mu = parts.cone.friction;
    const double first = friction_regulariser(b, parts, normal, diagonal);
    parts.cone.mu = mu[0] * std::sqrt(first / normal);
    for (int k = 1; k < count; ++k)
    {
        const double scaled = first * mu[0] * mu[0] / (mu[k - 1] * mu[k - 1]);
        fill_regulariser(b, row + k, scaled, response, k < 3 ? parts.linear_weight : parts.angular_weight);
    }
}

/// Normal plus and minus friction times tangent, spin and rolling, in pairs.
void add_pyramid(const RowBuilder& b, ContactParts& parts)
{
    const Contact& contact = parts.contact;
    ConstraintRows& rows = b.rows;
    const std::array<double, 5>& mu = parts.cone.friction;
    const std::size_t n = parts.chain.dof.size();
    const int row = parts.cone.row, count = parts.cone.row_count;
    // Rows along the axes into a buffer; edges are sums of them.
    if (rows.buffer.size() < 6 * n) rows.buffer.resize(6 * n);
    const double* base = rows.buffer.data();
    fill_jacobian(b, contact, parts.chain, rows.buffer.data());
    double* jacobian = open_entries(b, parts);
    // - k d r of the normal, the same in every edge.
    const double spring = parts.response.stiffness * (contact.distance - contact.margin);
    for (int edge = 0; edge < count; ++edge, jacobian += n)
    {
        // Edge n +- mu_k t_k: everything about it is the normal's plus the slope times the tangent's.
        const int k = edge / 2 + 1;
        const double slope = edge % 2 == 0 ? mu[k - 1] : -mu[k - 1];
        const double* tangent = base + static_cast<std::size_t>(k) * n;
        for (std::size_t i = 0; i < n; ++i) jacobian[i] = base[i] + slope * tangent[i];
        const double velocity = parts.velocity[0] + slope * parts.velocity[k];
        const double acceleration = parts.acceleration[0] + slope * parts.acceleration[k];
        rows.kind[row + edge] = RowKind::contact;
        rows.position[row + edge] = contact.distance;
        rows.margin[row + edge] = contact.margin;
        rows.velocity[row + edge] = velocity;
        rows.product[row + edge] = acceleration;
        rows.reference[row + edge] =
            fold_reference(parts.response, -parts.response.damping * velocity - spring - acceleration, velocity);
    }

    // One R for all edges. MuJoCo matches the friction of the elliptic cone; a spring must keep its normal stiffness.
    const double diagonal = diagonal_of(b, row, (1 + mu[0] * mu[0]) * parts.linear_weight);
    const double normal = regulariser(parts.response, diagonal);
    // The slope that an elliptic cone of the same friction and impratio would have.
    parts.cone.mu = mu[0] * std::sqrt(1 / std::max(kTinyRow, b.options.impratio));
    const double common =
        parts.response.compliance > 0 ? count * normal : std::max(kTinyRow, 2 * parts.cone.mu * parts.cone.mu * normal);
    fill_regulariser(b, row, common, parts.response, diagonal);
    for (int edge = 1; edge < count; ++edge)
    {
        rows.regulariser[row + edge] = common;
        rows.stiffness[row + edge] = rows.stiffness[row];
        rows.diagonal[row + edge] = rows.diagonal[row];
    }
    if (parts.cone.adhesion == 0) return;
    // The pull is shared by the edges.
    for (int edge = 0; edge < count; ++edge) rows.reference[row + edge] += common * parts.cone.adhesion / count;
}

int row_count(const RowBuilder& b, const Contact& contact)
{
    // Elliptic: normal and friction directions. Pyramidal: two edges per friction direction.
    const int dimension = dimension_of(contact);
    if (dimension == 1 || b.options.cone == FrictionCone::elliptic) return dimension;
    return 2 * (dimension - 1);
}

/// Surfaces that stick are felt through the gap as well.
bool acts(const Contact& contact) { return contact.distance < contact.margin || contact.adhesion != 0; }

/// Inverse weight of the translations of a contact's two bodies. Wheels on fixed axles through their centres of mass
/// have none, and rows without one would be as hard as numbers allow, which no factor survives: they have that of the
/// contact point on its lever.
double find_linear_weight(const RowBuilder& b, const Contact& contact)
{
    constexpr double kEmpty = 1e-14;  // of the rotations' [m^2]: a lever of less than a micrometre
    const auto weights = [&](BodyId body) { return &b.w.body_weight[2 * body.index]; };
    const double *const first = weights(contact.first_body), *const second = weights(contact.second_body);
    const double sum = first[0] + second[0];
    if (sum > kEmpty * (first[1] + second[1])) return sum;
    double levers = 0;
    for (const BodyId body : {contact.first_body, contact.second_body})
    {
        const Vec3& center = b.model.bodies.inertial_pose[body.index].position;
        const Vec3 lever = contact.point - b.w.position[body.index] - rotate(b.w.rotation[body.index], center);
        levers += weights(body)[1] * dot(lever, lever);
    }
    return std::max(sum, levers);
}

/// Adds the rows behind `row`; returns how many.
int add_contact(const RowBuilder& b, const Contact& contact, int index, int row)
{
    // Dofs between the two bodies; those above both move the contact point of both alike and are left out.
    const BodyPairChain& chain = find_chain(b, contact.first_body.index, contact.second_body.index, false);
    if (chain.dof.empty()) return 0;
    const double* const first = &b.w.body_weight[2 * contact.first_body.index];
    const double* const second = &b.w.body_weight[2 * contact.second_body.index];
    // How it answers the penetration, how it moves, and how heavy the two bodies are against it.
    ContactParts parts{.contact = contact,
                       .pair = find_pair(b.model, contact),
                       .chain = chain,
                       .cone = {.contact = index, .row = row, .row_count = row_count(b, contact)},
                       .response = b.respond(contact.softness, contact.distance - contact.margin),
                       .velocity = find_velocity(b, contact),
                       .acceleration = find_base_acceleration(b, contact),
                       .linear_weight = find_linear_weight(b, contact),
                       .angular_weight = first[1] + second[1]};
    // What the method needs of the cone beside its rows.
    parts.cone.dimension = dimension_of(contact);
    parts.cone.adhesion = contact.adhesion;
    b.rows.adhesive = b.rows.adhesive || contact.adhesion != 0;
    parts.cone.stiffness = parts.response.stiffness / parts.response.fold;
    parts.cone.friction = find_friction(b.model.settings, contact, parts.pair);
    if (parts.cone.dimension > 1 && b.options.cone == FrictionCone::pyramidal)
        add_pyramid(b, parts);
    else
        add_elliptic(b, parts);
    // The element of a contact's rows is its index in Contacts.
    std::fill_n(b.rows.element.begin() + row, parts.cone.row_count, index);
    b.rows.cones.push_back(parts.cone);
    return parts.cone.row_count;
}

/// Makes room for `count` rows in all.
void resize_rows(ConstraintRows& rows, std::size_t count)
{
    // One list per quantity: loops over rows read what they need and no more.
    rows.kind.resize(count);
    rows.element.resize(count);
    rows.begin.resize(count + 1);
    for (auto* list : {&rows.position, &rows.margin, &rows.velocity, &rows.product, &rows.reference, &rows.diagonal,
                       &rows.regulariser, &rows.stiffness, &rows.loss})
        list->resize(count);
}

}  // namespace

void add_contact_rows(const RowBuilder& b, const Contacts& contacts)
{
    // room for all of them at once, then rows in place
    const Bodies& bodies = b.model.bodies;
    const auto path_length = [&](int body)
    {
        // Dofs on the way from the body to the root of its tree, which is the length of the last one's row of M.
        const int dof = bodies.last_dof[body];
        return static_cast<std::size_t>(dof < 0 ? 0 : b.model.dofs.row_begin[dof + 1] - b.model.dofs.row_begin[dof]);
    };
    std::size_t count = b.rows.kind.size(), entries = static_cast<std::size_t>(b.rows.begin.back());
    int row = b.rows.count();
    // First pass: how many rows and entries; nothing is written yet.
    for (const Contact& contact : contacts.items)
    {
        if (!acts(contact)) continue;
        const auto own = static_cast<std::size_t>(row_count(b, contact));
        count += own;
        entries += own * (path_length(contact.first_body.index) + path_length(contact.second_body.index));
    }
    resize_rows(b.rows, count);
    grow_entries(b.rows, entries);
    // Contacts without any dof between their bodies have no rows: the lists end earlier than was reserved.
    for (int i = 0; i < contacts.count(); ++i)
    {
        if (acts(contacts.items[i])) row += add_contact(b, contacts.items[i], i, row);
    }
    resize_rows(b.rows, static_cast<std::size_t>(row));
}

}  // namespace rattleback
