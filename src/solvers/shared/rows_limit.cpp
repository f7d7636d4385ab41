// Rows of limits: hinges, slides, balls and tendons.
#include "math/rotation.h"
#include "solvers/shared/row_builder.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// One bound of a hinge or slide; side -1: the lower, 1: the upper.
void add_bound(const RowBuilder& b, int joint, double side)
{
    const Joints& joints = b.model.joints;
    const Range& range = joints.range[joint];
    const double margin = joints.margin[joint];
    // r is the way to the bound, positive inside; the row acts below its margin.
    const double distance = side * ((side < 0 ? range.lower : range.upper) - b.w.q[joints.q_begin[joint]]);
    if (!(distance < margin)) return;
    const int dof = joints.v_begin[joint], row = b.rows.count();
    // J = 1 at the lower bound, -1 at the upper: the rate of r.
    append_rows(b.rows, RowKind::limit, joint, 1, {&dof, 1})[0] = -side;
    finish_row(
        b, row,
        {.position = distance, .margin = margin, .velocity = -side * b.w.v[dof], .diagonal = b.w.dof_weight[dof]},
        b.respond(joints.limit_softness[joint], distance - margin));
}

/// The angle of a ball joint stays below the greater end of its range.
void add_ball_limit(const RowBuilder& b, int joint)
{
    const Joints& joints = b.model.joints;
    const Range& range = joints.range[joint];
    const double margin = joints.margin[joint];
    // The joint's quaternion is the rotation from the rest pose; only its angle is bounded.
    const double* q = &b.w.q[joints.q_begin[joint]];
    // Rotation from the rest pose as a vector: axis times angle.
    const Vec3 turn = logarithm(normalized(Quat{q[0], q[1], q[2], q[3]}));
    // r = limit - |angle|, its rate - axis . omega.
    const double angle = norm(turn);
    const double distance = std::max(range.lower, range.upper) - angle;
    if (!(distance < margin)) return;
    // without a turn every direction leads away from rest: any will do
    const Vec3 axis = angle < kTinyRow ? Vec3{1, 0, 0} : (1 / angle) * turn;
    const int dof = joints.v_begin[joint], row = b.rows.count();
    const std::array<int, 3> columns{dof, dof + 1, dof + 2};
    double* jacobian = append_rows(b.rows, RowKind::limit, joint, 1, columns);
    // The rate of the angle is the part of the joint's angular velocity along the axis.
    for (int k = 0; k < 3; ++k) jacobian[k] = -axis[k];
    finish_row(
        b, row,
        {.position = distance, .margin = margin, .velocity = row_velocity(b, row), .diagonal = b.w.dof_weight[dof]},
        b.respond(joints.limit_softness[joint], distance - margin));
}

void add_tendon_bound(const RowBuilder& b, int tendon, double side)
{
    const Tendons& tendons = b.model.tendons;
    const Range& range = tendons.range[tendon];
    const double margin = tendons.margin[tendon];
    // As for joints, with the tendon's Jacobian in the place of one.
    const double distance = side * ((side < 0 ? range.lower : range.upper) - b.w.tendon_length[tendon]);
    if (!(distance < margin) || !append_tendon_row(b, RowKind::limit, tendon, -side)) return;
    finish_row(b, b.rows.count() - 1,
               {.position = distance,
                .margin = margin,
                .velocity = -side * b.w.tendon_velocity[tendon],
                .diagonal = b.w.tendon_weight[tendon]},
               b.respond(tendons.limit_softness[tendon], distance - margin));
}

}  // namespace

void add_limit_rows(const RowBuilder& builder)
{
    const Model& model = builder.model;
    // Both bounds of every joint; at most one acts unless the range is narrower than two margins.
    for (int j = 0; j < model.joint_count(); ++j)
    {
        if (!model.joints.range[j].limited) continue;
        const JointType type = model.joints.type[j];
        if (type == JointType::ball) add_ball_limit(builder, j);
        if (type != JointType::hinge && type != JointType::slide) continue;
        add_bound(builder, j, -1);
        add_bound(builder, j, 1);
    }
    builder.rows.ends.joint_limit = builder.rows.count();
    // Then tendons, in MuJoCo's order.
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        if (!model.tendons.range[t].limited) continue;
        // Lower bound, then upper, as for joints.
        add_tendon_bound(builder, t, -1);
        add_tendon_bound(builder, t, 1);
    }
    builder.rows.ends.tendon_limit = builder.rows.count();
}

}  // namespace rattleback
