// One contact of mode `penalty`; headings in quotation marks are those of [VBD-R].
#include "math/rotation.h"
#include "solvers/avbd/penalty.h"

namespace rattleback::avbd
{

namespace
{

Vec3 point_now(const Body& body, const Vec3& local) { return body.center_now() + rotate(body.rotation_now, local); }
Vec3 point_before(const Body& body, const Vec3& local) { return body.center + rotate(body.rotation, local); }

/// scale n nᵀ + across (1 - n nᵀ).
Mat3 make_stiffness(double scale, double across, const Vec3& n)
{
    Mat3 m;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) m(i, j) = (scale - across) * n[i] * n[j] + (i == j ? across : 0);
    }
    return m;
}

/// kd of a contact: damping per stiffness, that of its material if it has one [s].
double find_damping(const ContactRow& row, const Settings& settings, double dt)
{
    // softness = K / (K + D / h), so D / K = h (1 - softness) / softness
    return row.compliance > 0 ? dt * (1 - row.softness) / row.softness : settings.penalty_damping;
}

/// Torques about the normal and the tangents, by the law of friction with arms as coefficients.
void add_turning(const ContactRow& row, const Body& first, const Body& second, double load, double dt,
                 const Vec3& drift, PenaltyContact& contact)
{
    if (row.spin_friction == 0 && row.roll_friction == 0) return;
    const Vec3 turn = second.delta.angular - first.delta.angular + dt * drift;
    const double about = dot(turn, row.normal);
    const Vec3 across = turn - about * row.normal;
    const double slow = kSlowSlip * dt;
    const double spin = friction_factor(row.spin_friction * load, std::abs(about), slow);
    const double roll = friction_factor(row.roll_friction * load, norm(across), slow);
    contact.torque = (-spin * about) * row.normal - roll * across;
    contact.turning = make_stiffness(spin, roll, row.normal);
}

}  // namespace

double find_stiffness(const ContactRow& row, const Settings& settings)
{
    return row.compliance > 0 ? row.softness / row.compliance : settings.penalty_limit;
}

PenaltyContact evaluate_penalty(const ContactRow& row, const Settings& settings, const Body& first, const Body& second,
                                double dt, const Velocity& drift)
{
    PenaltyContact contact;
    // "Contact Force and Hessian": E = k d^2 / 2, f = k d n, K = k n nᵀ
    // points fixed to the bodies at their present poses: [VBD-R] evaluates contacts anew in every iteration
    const Vec3 a = point_now(first, row.first_point), b = point_now(second, row.second_point);
    contact.first_arm = a - first.center_now();
    contact.second_arm = b - second.center_now();
    contact.depth = row.margin - dot(b - a, row.normal);
    if (contact.depth <= 0) return contact;
    contact.energy = 0.5 * row.penalty * contact.depth * contact.depth;
    // k is that of the row, ramped between iterations and carried over from the last step
    const double load = row.penalty * contact.depth;
    double normal = load, stiffness = row.penalty;
    // damping while the points approach, v by finite difference over the step: it never pulls
    const Vec3 motion = (b - point_before(second, row.second_point)) - (a - point_before(first, row.first_point));
    const double along = dot(motion, row.normal);
    if (along < 0)
    {
        const double damping = find_damping(row, settings, dt) * row.penalty / dt;
        normal -= damping * along;
        stiffness += damping;
    }
    // friction along the slip, as stiff as its secant: K += factor (I - n nᵀ). Its bound is the elastic load alone, as
    // in Newton: what damping adds is no load that a surface could lean on
    const Vec3 slip = motion - along * row.normal + dt * drift.linear;
    const double factor = friction_factor(row.friction * load, norm(slip), kSlowSlip * dt);
    // the force is -factor slip, |force| = friction N once the slip is faster than kSlowSlip
    contact.force = normal * row.normal - factor * slip;
    contact.stiffness = make_stiffness(stiffness, factor, row.normal);
    add_turning(row, first, second, load, dt, drift.angular, contact);
    return contact;
}

}  // namespace rattleback::avbd
