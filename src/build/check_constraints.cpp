// Checks equalities and tendons.
#include "build/check.h"

#include <cmath>

namespace rattleback
{

namespace
{

/// An existing hinge or slide.
bool check_scalar_joint(const Authored& authored, int joint, const char* what, Checker& checker)
{
    if (!checker.id(joint, authored.joints.size(), what)) return false;
    const JointType type = authored.joints[at(joint)].options.type;
    return type == JointType::hinge || type == JointType::slide ||
           checker.fail(std::string(what) + " is a " + to_string(type) + " joint", "only hinges and slides");
}

/// The two ends of an equality between bodies.
void check_frames(const Authored& authored, const AuthoredEquality& equality, Checker& checker)
{
    checker.id(equality.first, authored.bodies.size(), "first body");
    if (equality.second != -1) checker.id(equality.second, authored.bodies.size(), "second body");
    checker.require(equality.first != (equality.second < 0 ? 0 : equality.second), "both ends are on one body");
    checker.finite(equality.first_frame.position, "first frame");
    checker.rotation(equality.first_frame.rotation, "first frame's rotation");
    if (!equality.second_frame) return;
    checker.finite(equality.second_frame->position, "second frame");
    checker.rotation(equality.second_frame->rotation, "second frame's rotation");
}

void check_spring(const Spring& spring, const char* what, Checker& checker)
{
    const std::string field(what);
    if (!std::isinf(spring.stiffness) || spring.stiffness < 0)
        checker.not_negative(spring.stiffness, (field + " stiffness").c_str());
    checker.not_negative(spring.damping, (field + " damping").c_str());
}

void check_cable(const Cable& cable, Checker& checker)
{
    check_spring(cable.stretch, "stretch", checker);
    check_spring(cable.shear, "shear", checker);
    check_spring(cable.bend, "bend", checker);
    check_spring(cable.twist, "twist", checker);
}

void check_ends(const Authored& authored, const AuthoredEquality& equality, Checker& checker)
{
    const bool coupled = equality.type == EqualityType::joint || equality.type == EqualityType::tendon;
    if (coupled) checker.require(equality.first != equality.second, "it is coupled to itself");
    switch (equality.type)
    {
        case EqualityType::connect:
        case EqualityType::weld:
            return check_frames(authored, equality, checker);
        case EqualityType::cable:
            check_cable(equality.cable, checker);
            return check_frames(authored, equality, checker);
        case EqualityType::joint:
            check_scalar_joint(authored, equality.first, "first joint", checker);
            if (equality.second != -1) check_scalar_joint(authored, equality.second, "second joint", checker);
            return;
        case EqualityType::tendon:
            checker.id(equality.first, authored.tendons.size(), "first tendon");
            if (equality.second != -1) checker.id(equality.second, authored.tendons.size(), "second tendon");
            return;
    }
}

void check_fixed_items(const Authored& authored, const AuthoredTendon& tendon, Checker& checker)
{
    checker.require(!tendon.items.empty(), "a fixed tendon needs at least one joint");
    for (const TendonItem& item : tendon.items)
    {
        check_scalar_joint(authored, item.joint, "joint", checker);
        checker.finite(item.value, "coefficient");
    }
}

bool is_site(const AuthoredTendon& tendon, std::size_t k)
{
    return k < tendon.items.size() && tendon.items[k].site >= 0;
}

/// A shape to wrap around stands between two sites: how two shapes share a path would have no closed form.
void check_wrap(const Authored& authored, const AuthoredTendon& tendon, std::size_t k, Checker& checker)
{
    const TendonItem& item = tendon.items[k];
    if (checker.id(item.shape, authored.shapes.size(), "shape"))
    {
        const Shape& shape = authored.shapes[at(item.shape)].shape;
        checker.require(std::holds_alternative<Sphere>(shape) || std::holds_alternative<Cylinder>(shape),
                        "a shape of the path is neither a sphere nor a cylinder");
    }
    if (item.side_site != -1) checker.id(item.side_site, authored.sites.size(), "side site");
    checker.require(k > 0 && is_site(tendon, k - 1) && is_site(tendon, k + 1),
                    "a shape of the path does not stand between two sites");
    checker.require(tendon.options.armature == 0, "a tendon that wraps around a shape cannot have armature");
}

/// Each branch (what lies between two pulleys) needs two sites to have a length.
void check_path(const Authored& authored, const AuthoredTendon& tendon, Checker& checker)
{
    int sites = 0;
    bool good = true;
    for (std::size_t k = 0; k < tendon.items.size(); ++k)
    {
        const TendonItem& item = tendon.items[k];
        if (item.shape >= 0)
        {
            checker.require(item.site < 0, "a stop of the path is both a site and a shape");
            check_wrap(authored, tendon, k, checker);
            continue;
        }
        checker.require(item.side_site < 0, "a side site belongs to a shape");
        if (item.site >= 0)
        {
            checker.id(item.site, authored.sites.size(), "site");
            ++sites;
            continue;
        }
        good = good && sites >= 2;
        sites = 0;
        checker.positive(item.value, "pulley divisor");
    }
    checker.require(good && sites >= 2, "a branch of the path has fewer than 2 sites");
}

void check_spring_length(const std::array<double, 2>& length, Checker& checker)
{
    if (!checker.finite(length, "spring length")) return;
    const bool automatic = length[0] < 0 && length[1] < 0;
    checker.require(automatic || (length[0] >= 0 && length[0] <= length[1]),
                    "spring length: lower is above upper, or only one is negative", "both negative: the length at q0");
}

}  // namespace

void check_equalities(const Authored& authored, const Names& names, Checker& checker)
{
    for (std::size_t i = 0; i < authored.equalities.size(); ++i)
    {
        const AuthoredEquality& equality = authored.equalities[i];
        const EqualityOptions& options = equality.options;
        checker.enter("equality", names.equalities[i]);
        check_ends(authored, equality, checker);
        checker.finite(equality.polynomial, "polynomial");
        checker.softness(options.softness, "softness");
        checker.not_negative(options.torque_scale, "torque scale");
        checker.bound(options.break_force, "break force");
        checker.bound(options.break_torque, "break torque");
    }
}

void check_tendons(const Authored& authored, const Names& names, Checker& checker)
{
    for (std::size_t i = 0; i < authored.tendons.size(); ++i)
    {
        const AuthoredTendon& tendon = authored.tendons[i];
        const TendonOptions& options = tendon.options;
        checker.enter("tendon", names.tendons[i]);
        if (tendon.type == TendonType::fixed)
            check_fixed_items(authored, tendon, checker);
        else
            check_path(authored, tendon, checker);
        checker.range(options.range, "range");
        checker.not_negative(options.margin, "margin");
        checker.softness(options.limit_softness, "limit softness");
        checker.not_negative(options.stiffness, "stiffness");
        checker.not_negative(options.damping, "damping");
        checker.not_negative(options.dry_friction, "dry friction");
        checker.softness(options.dry_friction_softness, "dry friction softness");
        checker.not_negative(options.armature, "armature");
        check_spring_length(options.spring_length, checker);
        checker.range(options.actuator_force_range, "actuator force range");
    }
}

}  // namespace rattleback
