// Rows of equalities: connect, weld, and couplings of joints or tendons.
#include "dynamics/jacobian.h"
#include "solvers/shared/row_builder.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// A frame of an equality in the world, and how its body moves there.
struct MovingFrame
{
    int body = 0;
    Vec3 position, velocity, acceleration;
    Quat rotation;
    Vec3 spin, spin_rate;  ///< angular velocity and acceleration, world axes
};

MovingFrame place(const RowBuilder& b, int body, const Pose& frame)
{
    // Accelerations here are those without any joint acceleration: velocity products J' v, and kinematic bodies.
    const Workspace<double>& w = b.w;
    MovingFrame placed;
    placed.body = body;
    placed.position = w.position[body] + w.matrix[body] * frame.position;
    placed.rotation = w.rotation[body] * frame.rotation;
    placed.velocity = body_point_velocity(w, body, placed.position);
    placed.acceleration = body_point_acceleration(w, body, placed.position);
    placed.spin = body_angular_velocity(w, body);
    placed.spin_rate = body_angular_acceleration(w, body);
    return placed;
}

/// Motion of one dof at the two frames, first minus second.
struct Difference
{
    Vec3 linear, angular;
};
Difference find_difference(const RowBuilder& b, const MovingFrame& first, const MovingFrame& second, int dof, int side)
{
    // A dof above both bodies moves both frames; what it moves alike cancels in the difference.
    const Motion<double>& motion = b.w.dof[dof];
    Difference difference;
    if ((side & 1) != 0)
    {
        // A motion of a dof is given about the tree's reference point; point_velocity carries it to the anchor.
        // Side bit 1: the dof moves the first body, bit 2: the second.
        difference.linear = point_velocity(b.w, motion, first.body, first.position);
        difference.angular = motion.angular;
    }
    if ((side & 2) != 0)
    {
        difference.linear -= point_velocity(b.w, motion, second.body, second.position);
        difference.angular -= motion.angular;
    }
    return difference;
}

/// Vector part of conj(q2) p q1.
Vec3 sandwich(const Quat& q2, const Quat& p, const Quat& q1)
{
    // conj(q2) p q1 is linear in p: with p = (0, w) it is twice the rate of the relative quaternion.
    const Quat q = conjugate(q2) * p * q1;
    return {q.x, q.y, q.z};
}

/// The matrix that takes the difference of angular velocities to the rate of vec(conj(q2) q1) = sin(angle / 2) axis.
Mat3 make_rotation_rate(const Quat& q1, const Quat& q2, double scale)
{
    Mat3 rate;
    for (int k = 0; k < 3; ++k)
    {
        // With q1' = w1 q1 / 2 and q2' = w2 q2 / 2: d/dt (conj(q2) q1) = conj(q2) (w1 - w2) q1 / 2, linear in the
        // difference; columns by unit vectors.
        const Vec3 column = sandwich(q2, {0, k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}, q1);
        for (int i = 0; i < 3; ++i) rate(i, k) = 0.5 * scale * column[i];
    }
    return rate;
}

/// Six numbers of a connect (the first three) or weld: residual, rate, and acceleration without the joints' own.
struct Residual
{
    std::array<double, 6> position{}, velocity{}, product{};

    void set(int begin, const Vec3& r, const Vec3& rate, const Vec3& acceleration)
    {
        for (int k = 0; k < 3; ++k)
        {
            position[begin + k] = r[k];
            velocity[begin + k] = rate[k];
            product[begin + k] = acceleration[k];
        }
    }
    double norm() const
    {
        double sum = 0;
        // Impedance of a connect or weld depends on the length of the whole residual, not on single rows.
        for (const double x : position) sum += x * x;
        return std::sqrt(sum);
    }
};

Residual find_residual(const MovingFrame& first, const MovingFrame& second, const Mat3& rate, double scale, bool weld)
{
    Residual residual;
    // Where the two anchors are apart; of a weld also how far the second frame is turned against the first.
    residual.set(0, first.position - second.position, first.velocity - second.velocity,
                 first.acceleration - second.acceleration);
    if (!weld) return residual;
    // vec(conj(q2) q1) = sin(angle / 2) axis: smooth where the frames agree, unlike an axis and an angle.
    const Quat turn = conjugate(second.rotation) * first.rotation;
    const Vec3 spin = first.spin - second.spin;
    // d/dt of vec(conj(q2) spin q1) / 2 with q' = (0, w) q / 2; the products of w1, w2 and their difference add up
    const Vec3 turning = cross(first.spin, second.spin);
    const Quat products{-dot(spin, spin), 2 * turning.x, 2 * turning.y, 2 * turning.z};
    const Vec3 moving = (0.25 * scale) * sandwich(second.rotation, products, first.rotation);
    residual.set(3, scale * Vec3{turn.x, turn.y, turn.z}, rate * spin,
                 rate * (first.spin_rate - second.spin_rate) + moving);
    return residual;
}

void add_body_equality(const RowBuilder& b, int equality)
{
    const Equalities& all = b.model.equalities;
    // Bodies: points that stay together, or whole frames.
    const bool weld = all.type[equality] == EqualityType::weld;
    const int first_body = all.first[equality], second_body = all.second[equality];
    // Dofs above both bodies stay in the chain: where the anchors are apart they turn the residual.
    const BodyPairChain& chain = find_chain(b, first_body, second_body, true);
    if (chain.dof.empty()) return;

    // Residual r, its rate J v and J' v, which a_ref has to make up for.
    const MovingFrame first = place(b, first_body, all.first_frame[equality]);
    const MovingFrame second = place(b, second_body, all.second_frame[equality]);
    const double scale = all.torque_scale[equality];
    const Mat3 rate = weld ? make_rotation_rate(first.rotation, second.rotation, scale) : Mat3{};
    const Residual residual = find_residual(first, second, rate, scale, weld);

    const int count = weld ? 6 : 3, row = b.rows.count();
    const std::size_t n = chain.dof.size();
    // J: how each dof moves the difference of the frames.
    double* jacobian = append_rows(b.rows, RowKind::equality, equality, count, chain.dof);
    for (std::size_t i = 0; i < n; ++i)
    {
        const auto [linear, angular] = find_difference(b, first, second, chain.dof[i], chain.side[i]);
        const Vec3 turned = rate * angular;
        for (int k = 0; k < 3; ++k) jacobian[static_cast<std::size_t>(k) * n + i] = linear[k];
        for (int k = 3; k < count; ++k) jacobian[static_cast<std::size_t>(k) * n + i] = turned[k - 3];
    }

    const std::span<const double> weights = b.w.body_weight;
    // One impedance for all rows, at the length of the residual.
    const RowResponse response = b.respond_tie(all.softness[equality], residual.norm());
    for (int k = 0; k < count; ++k)
    {
        // A-hat of the row: translations and rotations of a body have one inverse weight each, measured at q0.
        // The sum over both bodies, as if each moved without the other.
        const double diagonal = weights[2 * first_body + k / 3] + weights[2 * second_body + k / 3];
        finish_row(b, row + k,
                   {.position = residual.position[k],
                    .velocity = residual.velocity[k],
                    .diagonal = diagonal,
                    .product = residual.product[k]},
                   response);
    }
}

/// y - y0 - p(x - x0) of a coupling, and p'.
struct Coupling
{
    double residual = 0, slope = 0;
};
Coupling evaluate(const std::array<double, 5>& polynomial, double y, double x, bool constant)
{
    // Without a second joint the first is held at p_0.
    if (constant) return {y - polynomial[0], 0};
    // Horner's rule for p and p'.
    double p = 0, slope = 0;
    // Highest coefficient first.
    for (int k = 4; k >= 0; --k)
    {
        slope = slope * x + p;
        p = p * x + polynomial[k];
    }
    return {y - p, slope};
}

void finish_coupling(const RowBuilder& b, int equality, double residual, double diagonal)
{
    // One row, which was appended last. As in MuJoCo, a_ref leaves out the velocity product p'' x'^2 of a coupling.
    const int row = b.rows.count() - 1;
    // The violation of a coupling is its one residual.
    const RowResponse response = b.respond_tie(b.model.equalities.softness[equality], residual);
    finish_row(b, row, {.position = residual, .velocity = row_velocity(b, row), .diagonal = diagonal}, response);
}

void add_joint_coupling(const RowBuilder& b, int equality)
{
    const Model& m = b.model;
    const int first = m.equalities.first[equality], second = m.equalities.second[equality];
    // Coordinates are measured from q0, where the coupling holds with the polynomial's constant.
    const auto offset = [&](int joint)
    {
        const int q = m.joints.q_begin[joint];
        return b.w.q[q] - m.q0[q];
    };
    const Coupling coupling =
        evaluate(m.equalities.polynomial[equality], offset(first), second < 0 ? 0 : offset(second), second < 0);
    const int dof = m.joints.v_begin[first];
    double diagonal = b.w.dof_weight[dof];
    if (second < 0)
    {
        // A joint that is held where the constant says.
        append_rows(b.rows, RowKind::equality, equality, 1, {&dof, 1})[0] = 1;
    }
    else
    {
        const int other = m.joints.v_begin[second];
        // Columns of a row stand by index.
        const std::array<int, 2> columns{std::min(dof, other), std::max(dof, other)};
        double* jacobian = append_rows(b.rows, RowKind::equality, equality, 1, columns);
        // y - y0 = p(x - x0): the rate is y' - p' x'.
        jacobian[dof < other ? 0 : 1] = 1;
        jacobian[dof < other ? 1 : 0] = -coupling.slope;
        diagonal += b.w.dof_weight[other];
    }
    finish_coupling(b, equality, coupling.residual, diagonal);
}

void add_tendon_coupling(const RowBuilder& b, int equality)
{
    const Tendons& tendons = b.model.tendons;
    const int first = b.model.equalities.first[equality], second = b.model.equalities.second[equality];
    // Lengths are measured from those at q0.
    const auto offset = [&](int tendon) { return b.w.tendon_length[tendon] - tendons.length[tendon]; };
    const Coupling coupling =
        evaluate(b.model.equalities.polynomial[equality], offset(first), second < 0 ? 0 : offset(second), second < 0);
    const TendonRow of_first = find_tendon_row(b, first);
    const TendonRow of_second = second < 0 ? TendonRow{} : find_tendon_row(b, second);
    BodyPairChain& chain = b.rows.chain;  // as scratch
    chain.first_body = -1;
    chain.dof.clear();
    // Columns of both tendons, each once.
    std::set_union(of_first.dof.begin(), of_first.dof.end(), of_second.dof.begin(), of_second.dof.end(),
                   std::back_inserter(chain.dof));
    if (chain.dof.empty()) return;

    double* jacobian = append_rows(b.rows, RowKind::equality, equality, 1, chain.dof);
    const auto add = [&](const TendonRow& tendon, double scale)
    {
        std::size_t place = 0;
        for (std::size_t i = 0; i < tendon.dof.size(); ++i)
        {
            // Both lists are sorted: one walk.
            while (chain.dof[place] != tendon.dof[i]) ++place;
            jacobian[place] += scale * tendon.jacobian[i];
        }
    };
    // J = J_1 - p' J_2.
    add(of_first, 1);
    add(of_second, -coupling.slope);
    // A-hat adds up the inverse weights of what the row moves.
    const double diagonal = b.w.tendon_weight[first] + (second < 0 ? 0 : b.w.tendon_weight[second]);
    finish_coupling(b, equality, coupling.residual, diagonal);
}

}  // namespace

void add_equality_rows(const RowBuilder& builder)
{
    const Equalities& all = builder.model.equalities;
    const std::span<const int> given = builder.input.equality_active;
    // The control's switches, or the Model's own where there are none.
    const std::span<const int> active = given.empty() ? std::span<const int>(all.active) : given;
    for (int e = 0; e < builder.model.equality_count(); ++e)
    {
        // Switched off: no rows.
        if (active[e] == 0) continue;
        switch (all.type[e])
        {
            // Three rows, or six.
            case EqualityType::connect:
            case EqualityType::weld:
                add_body_equality(builder, e);
                break;
            case EqualityType::joint:
                add_joint_coupling(builder, e);
                break;
            case EqualityType::tendon:
                add_tendon_coupling(builder, e);
                break;
            case EqualityType::cable:  // a feature of its own: solvers with these rows refuse it
                break;
        }
    }
}

}  // namespace rattleback
