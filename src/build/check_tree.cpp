// Checks bodies and joints: the tree, its kinds, and the numbers.
#include "build/check.h"
#include "model/fields/check_value.h"
#include "model/fields/tree_fields.h"

#include <algorithm>

namespace rattleback
{

namespace
{

bool check_parent(const Authored& authored, int body, Checker& checker)
{
    const BodyOptions& options = authored.bodies[at(body)];
    const int parent = options.parent.index;
    if (!checker.id(parent, authored.bodies.size(), "parent")) return false;
    // Parents have smaller numbers: loops over bodies rely on it everywhere.
    if (!checker.require(parent < body, "parent comes later: a cycle or a foreign id", "add the parent first"))
        return false;
    if (options.kind != BodyKind::kinematic) return true;
    return checker.require(parent == 0, "a kinematic body must be a child of the world");
}

bool check_inertia(const Inertia& inertia, bool fixed, Checker& checker)
{
    bool good = checker.positive(inertia.mass, "mass");
    good = checker.finite(inertia.position, "centre of mass") && good;
    good = checker.rotation(inertia.rotation, "inertia rotation") && good;
    const bool finite = checker.finite(inertia.diagonal, "inertia diagonal");
    if (!checker.finite(inertia.products, "inertia products") || !finite) return false;

    // Moments about the principal axes of any solid are positive, and none exceeds the sum of the others.
    const bool diagonal = inertia.products == Vec3{};
    const Vec3 moments = diagonal ? inertia.diagonal : find_principal_axes(to_matrix(inertia)).moments;
    std::array<double, 3> sorted{moments.x, moments.y, moments.z};
    std::sort(sorted.begin(), sorted.end());
    const std::string list = number(sorted[0]) + ", " + number(sorted[1]) + ", " + number(sorted[2]);
    // What is fixed to something may be a point: its parent turns it.
    if (!(sorted[0] > 0) && !(fixed && sorted[0] == 0))
        return checker.fail("inertia is not positive definite: principal moments " + list,
                            "all three must be positive");
    if (sorted[0] + sorted[1] < sorted[2] * (1 - 1e-9))
        return checker.fail("no solid has the principal moments " + list,
                            "the largest must not exceed the sum of the others");
    return good;
}

void check_motion(const Authored& authored, const Layout& layout, int body, Checker& checker)
{
    const BodyOptions& options = authored.bodies[at(body)];
    const bool finite = checker.finite(options.linear_velocity, "linear velocity");
    if (!checker.finite(options.angular_velocity, "angular velocity") || !finite) return;
    if (options.linear_velocity == Vec3{} && options.angular_velocity == Vec3{}) return;
    const auto joints = layout.joints(body);
    // Velocities of a body are coordinates only where a free joint has them.
    checker.require(joints.size() == 1 && joint_options(authored, joints[0]).type == JointType::free,
                    "an initial velocity needs a free joint", "give its joints initial velocities, or use a track");
}

/// Which joints may stand together on one body.
bool check_joints_together(const Authored& authored, const Layout& layout, int body, Checker& checker)
{
    const auto joints = layout.joints(body);
    if (joints.empty()) return true;
    if (body == 0) return checker.fail("the world cannot have joints");
    const BodyOptions& options = authored.bodies[at(body)];
    if (options.kind != BodyKind::dynamic)
        return checker.fail(std::string("a ") + to_string(options.kind) + " body takes no joints",
                            "make it a dynamic body");

    bool good = true, ball = false;
    int dofs = 0;
    for (const int joint : joints)
    {
        const JointType type = joint_options(authored, joint).type;
        dofs += v_count(type);
        // Motions add up in the order of the joints; a rotation behind a ball would have no axis that stays in the
        // body.
        const bool alone = type == JointType::free || type == JointType::fixed;
        if (alone && joints.size() > 1)
            good = checker.fail(std::string("a ") + to_string(type) + " joint must be its only joint");
        if (type == JointType::free && options.parent != kWorld)
            good = checker.fail("a free joint needs a child of the world");
        if (ball && (type == JointType::ball || type == JointType::hinge))
            good = checker.fail("a ball joint is followed by another rotation", "put it on a body of its own");
        ball = ball || type == JointType::ball;
    }
    if (good && dofs > 6) good = checker.fail("its joints have more than 6 degrees of freedom");
    return good;
}

void check_joint(const JointOptions& joint, bool accepts_negative, Checker& checker)
{
    check_options<JointRows>(joint, checker);
    if (!accepts_negative)
    {
        check_pull(joint.stiffness, joint.stiffness_polynomial, "stiffness", checker);
        check_pull(joint.damping, joint.damping_polynomial, "damping", checker);
        check_pull(joint.armature, {}, "armature", checker);
        check_pull(joint.dry_friction, {}, "dry friction", checker);
    }
    const bool scalar = joint.type == JointType::hinge || joint.type == JointType::slide;
    if (scalar) checker.require(!(norm(joint.axis) <= 1e-10), "axis has length zero");
    if (joint.type == JointType::free)
        checker.require(!(joint.spring_yield > 0), "the spring of a free joint cannot yield");
    // A range with mistakes of its own was reported already.
    if (!joint.range.limited || !Checker().range(joint.range, "")) return;
    if (joint.type == JointType::free || joint.type == JointType::fixed)
        checker.fail(std::string("a ") + to_string(joint.type) + " joint cannot be limited");
    if (joint.type == JointType::ball)
        checker.require(joint.range.lower == 0 && joint.range.upper >= 0,
                        "range of a ball joint: lower must be 0 and upper the largest angle");
}

/// Coordinates that a joint starts with, where they are given as such.
void check_start(const AuthoredJoint& joint, Checker& checker)
{
    if (joint.start_q.empty() && joint.start_v.empty()) return;
    const JointType type = joint.options.type;
    const auto fits = [](const std::vector<double>& list, int count)
    {
        return list.empty() || (list.size() == at(count) &&
                                std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); }));
    };
    checker.require((type == JointType::free || type == JointType::ball) && fits(joint.start_q, q_count(type)) &&
                        fits(joint.start_v, v_count(type)),
                    "its start makes no sense");
}

/// The mass matrix of a long chain has as many entries as half its square.
void check_pattern_size(const Authored& authored, const Layout& layout, Checker& checker)
{
    // Counted before anything is allocated: a chain of a million links would take all memory.
    std::vector<int> depth(authored.bodies.size(), 0);  // dofs on the path to the world
    std::int64_t entries = 0;
    for (std::size_t body = 1; body < depth.size(); ++body)
    {
        // A row of M has one entry per dof on the path to the root.
        depth[body] = depth[at(authored.bodies[body].parent.index)];
        for (const int joint : layout.joints(static_cast<int>(body)))
        {
            const int dofs = v_count(joint_options(authored, joint).type);
            for (int i = 0; i < dofs; ++i) entries += ++depth[body];
        }
    }
    checker.enter("model");
    if (entries > kMaxPatternEntries)
        checker.fail("the mass matrix has " + std::to_string(entries) + " entries",
                     "at most " + std::to_string(kMaxPatternEntries) + "; shorten the chains of joints",
                     ErrorCode::limit);
}

}  // namespace

bool check_tree(const Authored& authored, const Names& names, const Layout& layout, std::vector<char>& body_good,
                Checker& checker)
{
    bool tree_good = true;
    for (std::size_t i = 1; i < authored.bodies.size(); ++i)
    {
        const BodyOptions& options = authored.bodies[i];
        const int body = static_cast<int>(i);
        checker.enter("body", names.bodies[i]);
        tree_good = check_parent(authored, body, checker) && tree_good;
        const bool finite = checker.finite(options.position, "position");
        tree_good = checker.rotation(options.rotation, "rotation") && finite && tree_good;
        if (options.inertia) body_good[i] = check_inertia(*options.inertia, options.kind == BodyKind::fixed, checker);
        check_options<BodyRows>(options, checker);
        check_motion(authored, layout, body, checker);
    }
    for (std::size_t i = 0; i < authored.bodies.size(); ++i)
    {
        checker.enter("body", names.bodies[i]);
        tree_good = check_joints_together(authored, layout, static_cast<int>(i), checker) && tree_good;
    }
    for (std::size_t i = 0; i < authored.joints.size(); ++i)
    {
        checker.enter("joint", names.joints[i]);
        tree_good = checker.id(authored.joints[i].body.index, authored.bodies.size(), "body") && tree_good;
        check_joint(authored.joints[i].options, authored.accepts_negative, checker);
        check_start(authored.joints[i], checker);
    }
    if (tree_good) check_pattern_size(authored, layout, checker);
    return tree_good;
}

}  // namespace rattleback
