// From the joints and equalities of a Model to held rows and driven coordinates.
#include "solvers/ipc/joint_layout.h"

#include "base/index.h"
#include "dynamics/tree.h"
#include "math/rotation.h"
#include "solvers/ipc/layout.h"

#include <algorithm>
#include <cmath>

namespace rattleback::ipc
{

namespace
{

/// Weight of a group between two joints, against that of the body: small enough to change no motion, large enough for
/// the factorisation.
constexpr double kMiddleMass = 1e-6;

/// Two unit vectors across a unit vector and each other; the three are right-handed.
std::array<Vec3, 2> find_across(const Vec3& axis)
{
    const Vec3 other = std::abs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 first = make_unit(cross(axis, other));
    return {first, cross(axis, first)};
}

class JointBuilder
{
public:
    JointBuilder(const Model& model, Layout& layout, std::vector<Error>& errors)
        : model_(model), layout_(layout), joints_(layout.joints), errors_(errors), state_(model)
    {
    }

    void build()
    {
        find_masses();
        for (std::size_t g = 1; g < body_groups_; ++g)
        {
            const Group& group = layout_.groups[g];
            // Bodies on joints get rows; free ones only where something acts along their six coordinates.
            if (group.dynamic && group.q_begin < 0) add_body(static_cast<int>(g));
            if (group.dynamic && group.q_begin >= 0) add_free(static_cast<int>(g));
        }
        // Loops, welds and couplings, then the groups without bodies that the joints asked for.
        for (int e = 0; e < model_.equality_count(); ++e) add_equality(e);
        for (const Middle& middle : joints_.middles) add_group(middle);
    }

private:
    /// One joint's end: a group and the frame in it that the joint starts from or ends in.
    struct Side
    {
        int group = -1;
        Pose frame;
        Vec3 center;  ///< of the group
    };

    std::span<const int> joints_of(int body) const
    {
        const auto begin = at(model_.bodies.joint_begin[at(body)]), end = at(model_.bodies.joint_begin[at(body) + 1]);
        return std::span(model_.bodies.joints_of_body).subspan(begin, end - begin);
    }
    int parent_of(int group) const
    {
        const int parent = model_.bodies.parent[at(layout_.groups[at(group)].body)];
        return layout_.group_of_body[at(parent)];
    }
    Vec3 place_center(int group) const
    {
        const Group& g = layout_.groups[at(group)];
        const Pose& pose = state_.body_pose[at(g.body)];
        return pose.position + rotate(pose.rotation, g.center);
    }

    /// Mass of what hangs on each group, and of each whole tree; infinite where something given holds it.
    void find_masses()
    {
        body_groups_ = layout_.groups.size();
        below_.assign(body_groups_, 0);
        tree_.assign(body_groups_, 0);
        for (std::size_t g = 0; g < body_groups_; ++g)
            below_[g] = layout_.groups[g].dynamic ? layout_.groups[g].mass : 0;
        for (std::size_t g = body_groups_; g-- > 1;)
        {
            if (layout_.groups[g].dynamic && layout_.groups[g].q_begin < 0)
                below_[at(parent_of(static_cast<int>(g)))] += below_[g];
        }
        for (std::size_t g = 0; g < body_groups_; ++g)
        {
            const Group& group = layout_.groups[g];
            tree_[g] = !group.dynamic ? HUGE_VAL : below_[g];
            if (group.dynamic && group.q_begin < 0) tree_[g] = tree_[at(parent_of(static_cast<int>(g)))];
        }
    }
    /// The lighter side of a joint, as both masses in a row.
    double find_weight(int child) const
    {
        const double mass = std::max(below_[at(child)], 1e-12), rest = tree_[at(child)] - mass;
        return std::isfinite(rest) && rest > 0 ? mass * rest / (mass + rest) : mass;
    }
    /// How far what hangs on a joint reaches from its anchor, with the child's own extent.
    double find_arm(int child, const Vec3& anchor) const
    {
        const Group& own = layout_.groups[at(child)];
        // The gyration of the child, and the farthest centre of what hangs on it.
        const double trace = own.inertia(0, 0) + own.inertia(1, 1) + own.inertia(2, 2);
        double arm = std::max(1e-3 * (own.radius + own.round), own.mass > 0 ? std::sqrt(0.5 * trace / own.mass) : 0);
        for (std::size_t g = 1; g < body_groups_; ++g)
        {
            int up = static_cast<int>(g);
            while (up > child && layout_.groups[at(up)].dynamic && layout_.groups[at(up)].q_begin < 0)
                up = parent_of(up);
            if (up == child) arm = std::max(arm, norm(place_center(static_cast<int>(g)) - anchor));
        }
        return std::max(arm, 1e-6);
    }

    /// The joints of a body: slides and one turn at a time; between two such parts there is a group of its own.
    void add_body(int group)
    {
        const int body = layout_.groups[at(group)].body, parent_body = model_.bodies.parent[at(body)];
        const int parent = layout_.group_of_body[at(parent_body)];
        Side from{parent, layout_.in_group[at(parent_body)] * model_.bodies.pose[at(body)],
                  layout_.groups[at(parent)].center};
        std::vector<int> part;
        const std::span<const int> all = joints_of(body);
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            // As many joints as fit into one set of rows, then a middle, then the next.
            if (model_.joints.type[at(all[i])] == JointType::fixed) continue;
            part.push_back(all[i]);
            bool is_last = true;
            for (std::size_t k = i + 1; k < all.size(); ++k)
                is_last = is_last && model_.joints.type[at(all[k])] == JointType::fixed;
            if (!is_last && can_take(part, all[i + 1])) continue;
            const Side to = is_last ? Side{group, {}, layout_.groups[at(group)].center} : add_middle(group, from, part);
            add_part(group, from, to, part);
            part.clear();
            from = {to.group, {}, to.center};
        }
    }

    /// Slides in different directions, then at most one turn, share their rows.
    bool can_take(const std::vector<int>& part, int next) const
    {
        const JointType type = model_.joints.type[at(next)];
        for (const int j : part)
        {
            if (model_.joints.type[at(j)] != JointType::slide) return false;
        }
        if (type != JointType::slide) return type != JointType::fixed;
        std::vector<int> slides = part;
        slides.push_back(next);
        return find_volume(slides) > 0.1;
    }
    /// Length, area or volume that the axes span: how independent they are.
    double find_volume(const std::vector<int>& slides) const
    {
        const auto axis = [&](std::size_t i) { return model_.joints.axis[at(slides[i])]; };
        if (slides.size() == 2) return norm(cross(axis(0), axis(1)));
        return slides.size() == 3 ? std::abs(dot(axis(0), cross(axis(1), axis(2)))) : slides.size() < 2 ? 1 : 0;
    }

    Side add_middle(int child, const Side& from, const std::vector<int>& part)
    {
        Middle middle;
        middle.parent = from.group;
        middle.start = from.frame;
        middle.group = static_cast<int>(body_groups_ + joints_.middles.size());
        middle.joint_begin = static_cast<int>(joints_.middle_joints.size());
        for (const int j : part) joints_.middle_joints.push_back(make_tree_joint(model_, j));
        middle.joint_end = static_cast<int>(joints_.middle_joints.size());
        middle.center = model_.joints.position[at(part.back())];
        const Pose& pose = state_.body_pose[at(layout_.groups[at(child)].body)];
        middle.gyration = find_arm(child, pose.position + rotate(pose.rotation, middle.center));
        middle.mass = kMiddleMass * find_weight(child);
        middle_child_.push_back(child);
        joints_.middles.push_back(middle);
        return {middle.group, {}, middle.center};
    }
    void add_group(const Middle& middle)
    {
        Group group;
        group.body = layout_.groups[at(middle_child_[at(middle.group) - body_groups_])].body;
        group.is_middle = true;
        group.dynamic = true;
        group.row = layout_.row_count++;
        group.mass = middle.mass;
        group.center = middle.center;
        for (int i = 0; i < 3; ++i) group.inertia(i, i) = middle.mass * middle.gyration * middle.gyration;
        layout_.groups.push_back(group);
    }

    /// Rows and coordinates of one part: `child` is the body's group, which tells weights.
    void add_part(int child, const Side& from, const Side& to, const std::vector<int>& part)
    {
        const int last = part.back();
        const Vec3 anchor = model_.joints.position[at(last)];
        Measure base;
        base.first = to.group;
        base.second = from.group;
        // The anchor in both groups, from their centres of mass.
        base.on_first = to.frame.position + rotate(to.frame.rotation, anchor) - to.center;
        base.on_second = from.frame.position + rotate(from.frame.rotation, anchor) - from.center;
        const Pose& pose = state_.body_pose[at(layout_.groups[at(child)].body)];
        weight_ = find_weight(child);
        arm_ = find_arm(child, pose.position + rotate(pose.rotation, anchor));
        joints_.pairs.push_back({to.group, from.group});
        Group& group = layout_.groups[at(child)];
        if (group.radius == 0 && group.round == 0) group.radius = arm_;
        // Rows: directions in which no slide leads, then what the last joint holds of the rotation.
        std::vector<int> slides = part;
        if (model_.joints.type[at(last)] != JointType::slide) slides.pop_back();
        add_slides(base, from.frame.rotation, slides);
        switch (model_.joints.type[at(last)])
        {
            case JointType::slide:
                hold_rotation(base, to.frame.rotation, from.frame.rotation, -1);
                break;
            case JointType::hinge:
                add_hinge(base, from.frame.rotation, last);
                break;
            default:
                joints_.balls.push_back({last, model_.joints.q_begin[at(last)], model_.joints.v_begin[at(last)],
                                         to.group, from.group, from.frame.rotation, weight_ * arm_ * arm_, arm_,
                                         false});
        }
    }

    void add_slides(const Measure& base, const Quat& turn, const std::vector<int>& slides)
    {
        std::array<Vec3, 3> axis{};
        for (std::size_t i = 0; i < slides.size(); ++i) axis[i] = rotate(turn, model_.joints.axis[at(slides[i])]);
        std::array<Vec3, 3> dual{};  // dual[i] . axis[k] = 1 where i = k, else 0
        const std::size_t count = slides.size();
        if (count == 0) axis = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
        if (count == 1) axis[1] = find_across(axis[0])[0], axis[2] = find_across(axis[0])[1];
        if (count == 2) axis[2] = make_unit(cross(axis[0], axis[1]));
        const double volume = dot(axis[0], cross(axis[1], axis[2]));
        for (std::size_t i = 0; i < 3; ++i) dual[i] = (1 / volume) * cross(axis[(i + 1) % 3], axis[(i + 2) % 3]);
        for (std::size_t i = 0; i < 3; ++i)
        {
            Measure measure = base;
            measure.second_axis = dual[i];
            if (i < count)
                add_dof(slides[i], measure, 1);
            else
                joints_.holds.push_back({.measure = measure, .weight = weight_, .arm = 1});
        }
    }
    void add_dof(int joint, Measure measure, double arm)
    {
        measure.offset = -model_.q0[at(model_.joints.q_begin[at(joint)])];
        joints_.dofs.push_back({joint, model_.joints.q_begin[at(joint)], model_.joints.v_begin[at(joint)], measure,
                                weight_ * arm * arm, arm, false, measure.kind == MeasureKind::hinge});
    }
    void hold_dot(const Measure& base, const Vec3& first, const Vec3& second, int equality, double offset)
    {
        Measure measure = base;
        measure.kind = MeasureKind::dot;
        measure.first_axis = first;
        measure.second_axis = second;
        measure.offset = offset;
        joints_.holds.push_back({.measure = measure,
                                 .weight = weight_ * arm_ * arm_,
                                 .arm = arm_,
                                 .equality = equality,
                                 .is_turning = true});
    }
    /// No turn at all: three products of axes that are at right angles.
    void hold_rotation(const Measure& base, const Quat& first, const Quat& second, int equality)
    {
        const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (std::size_t i = 0; i < 3; ++i)
            hold_dot(base, rotate(first, axes[i]), rotate(second, axes[(i + 1) % 3]), equality, 0);
    }
    void add_hinge(const Measure& base, const Quat& turn, int joint)
    {
        const Vec3 axis = model_.joints.axis[at(joint)];
        const auto [u, w] = find_across(axis);
        hold_dot(base, axis, rotate(turn, u), -1, 0);
        hold_dot(base, axis, rotate(turn, w), -1, 0);
        Measure measure = base;
        measure.kind = MeasureKind::hinge;
        measure.first_axis = u;
        measure.second_axis = rotate(turn, u);
        measure.second_side = rotate(turn, w);
        add_dof(joint, measure, arm_);
    }

    /// What acts on the six coordinates of a free joint: springs, dampers, armature, dry friction.
    void add_free(int group)
    {
        const int joint = joints_of(layout_.groups[at(group)].body)[0];
        const int v = model_.joints.v_begin[at(joint)], q = model_.joints.q_begin[at(joint)];
        bool is_passive = model_.joints.stiffness[at(joint)] != 0;
        for (int i = 0; i < 6; ++i)
            is_passive = is_passive || model_.dofs.damping[at(v + i)] != 0 || model_.dofs.armature[at(v + i)] != 0 ||
                         model_.dofs.dry_friction[at(v + i)] != 0;
        if (!is_passive) return;
        const Group& own = layout_.groups[at(group)];
        weight_ = own.mass;
        arm_ = find_arm(group, place_center(group));
        joints_.pairs.push_back({group, 0});
        for (int i = 0; i < 3; ++i)
        {
            Measure measure;
            measure.first = group;
            measure.second = 0;
            measure.on_first = -own.center;
            measure.on_second = -layout_.groups[0].center;
            measure.second_axis[i] = 1;
            joints_.dofs.push_back({joint, q + i, v + i, measure, weight_, 1, true, false});
        }
        joints_.balls.push_back({joint, q + 3, v + 3, group, 0, Quat{}, weight_ * arm_ * arm_, arm_, true});
    }

    void add_equality(int e)
    {
        const Equalities& all = model_.equalities;
        if (all.type[at(e)] == EqualityType::joint) return add_coupling(e);
        // Others that are switched on were refused as features that are missing.
        if (all.type[at(e)] != EqualityType::connect && all.type[at(e)] != EqualityType::weld) return;
        const int first = all.first[at(e)], second = all.second[at(e)];
        const int a = layout_.group_of_body[at(first)], b = layout_.group_of_body[at(second)];
        if (a == b || (layout_.groups[at(a)].row < 0 && layout_.groups[at(b)].row < 0)) return;
        const Pose at_first = layout_.in_group[at(first)] * all.first_frame[at(e)];
        const Pose at_second = layout_.in_group[at(second)] * all.second_frame[at(e)];
        Measure base;
        base.first = a;
        base.second = b;
        base.on_first = at_first.position - layout_.groups[at(a)].center;
        base.on_second = at_second.position - layout_.groups[at(b)].center;
        weight_ = std::min(find_tree(a), find_tree(b));
        const int light = layout_.groups[at(a)].dynamic ? a : b;
        const Pose& pose = state_.body_pose[at(layout_.groups[at(light)].body)];
        arm_ =
            find_arm(light, pose.position + rotate(pose.rotation, light == a ? at_first.position : at_second.position));
        joints_.pairs.push_back({a, b});
        const std::size_t begin = joints_.holds.size();
        for (int i = 0; i < 3; ++i)
        {
            Measure measure = base;
            measure.second_axis[i] = 1;
            joints_.holds.push_back({.measure = measure, .weight = weight_, .arm = 1, .equality = e});
        }
        if (all.type[at(e)] == EqualityType::weld) hold_rotation(base, at_first.rotation, at_second.rotation, e);
        const Spring* spring = std::get_if<Spring>(&all.softness[at(e)]);
        for (std::size_t i = begin; spring != nullptr && i < joints_.holds.size(); ++i)
        {
            // MuJoCo's torque_scale: metres that a radian counts as.
            const double scale = joints_.holds[i].is_turning ? all.torque_scale[at(e)] : 1;
            joints_.holds[i].stiffness = spring->stiffness * scale * scale;
            joints_.holds[i].damping = spring->damping * scale * scale;
        }
    }
    double find_tree(int group) const
    {
        // Of a tree that something given holds, all that hangs on it.
        if (!layout_.groups[at(group)].dynamic) return HUGE_VAL;
        int top = group;
        while (layout_.groups[at(top)].q_begin < 0 && layout_.groups[at(parent_of(top))].dynamic) top = parent_of(top);
        return below_[at(top)];
    }

    void add_coupling(int e)
    {
        const Equalities& all = model_.equalities;
        const auto find = [&](int joint)
        {
            for (std::size_t d = 0; d < joints_.dofs.size(); ++d)
            {
                if (joints_.dofs[d].joint == joint && !joints_.dofs[d].is_free) return static_cast<int>(d);
            }
            return -1;
        };
        Coupling coupling;
        coupling.equality = e;
        coupling.first = find(all.first[at(e)]);
        coupling.second = all.second[at(e)] >= 0 ? find(all.second[at(e)]) : -1;
        if (coupling.first < 0 || (all.second[at(e)] >= 0 && coupling.second < 0))
        {
            errors_.push_back({ErrorCode::unsupported, "equality '" + all.name[at(e)] + "'",
                               "couples joints that are no hinges or slides", "use hinges or slides"});
            return;
        }
        coupling.polynomial = all.polynomial[at(e)];
        coupling.weight = joints_.dofs[at(coupling.first)].weight;
        coupling.arm = joints_.dofs[at(coupling.first)].arm;
        const Measure& first = joints_.dofs[at(coupling.first)].measure;
        if (coupling.second >= 0)
        {
            const Measure& second = joints_.dofs[at(coupling.second)].measure;
            joints_.pairs.push_back({first.first, second.first});
            joints_.pairs.push_back({first.first, second.second});
            joints_.pairs.push_back({first.second, second.first});
            joints_.pairs.push_back({first.second, second.second});
        }
        joints_.couplings.push_back(coupling);
    }

    const Model& model_;
    Layout& layout_;
    JointLayout& joints_;
    std::vector<Error>& errors_;
    State state_;
    std::size_t body_groups_ = 0;
    std::vector<double> below_, tree_;  ///< [group] [kg]
    std::vector<int> middle_child_;     ///< [middle] the group of its body
    double weight_ = 1, arm_ = 1;       ///< of the joint that is being added
};

}  // namespace

void add_joints(const Model& model, Layout& layout, std::vector<Error>& errors)
{
    JointBuilder(model, layout, errors).build();
}

}  // namespace rattleback::ipc
