// Checks equalities and tendons.
#include "build/check.h"
#include "model/fields/check_value.h"
#include "model/fields/constraint_fields.h"

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
    // No second body means the world.
    checker.require(equality.first != (equality.second < 0 ? 0 : equality.second), "both ends are on one body");
    checker.finite(equality.first_frame.position, "first frame");
    checker.rotation(equality.first_frame.rotation, "first frame's rotation");
    if (!equality.second_frame) return;
    checker.finite(equality.second_frame->position, "second frame");
    checker.rotation(equality.second_frame->rotation, "second frame's rotation");
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

}  // namespace

void check_equalities(const Authored& authored, const Names& names, Checker& checker)
{
    for (std::size_t i = 0; i < authored.equalities.size(); ++i)
    {
        const AuthoredEquality& equality = authored.equalities[i];
        checker.enter("equality", names.equalities[i]);
        check_ends(authored, equality, checker);
        checker.finite(equality.polynomial, "polynomial");
        check_options<EqualityRows>(equality.options, checker);
        if (!authored.accepts_negative) check_pull(equality.options.torque_scale, {}, "torque scale", checker);
    }
}

void check_tendons(const Authored& authored, const Names& names, Checker& checker)
{
    std::vector<ShapeType> shape_types;
    // The variant's index is the type: shapes stand in the order of ShapeType.
    for (const AuthoredShape& shape : authored.shapes)
        shape_types.push_back(static_cast<ShapeType>(shape.shape.index()));
    for (std::size_t i = 0; i < authored.tendons.size(); ++i)
    {
        const AuthoredTendon& tendon = authored.tendons[i];
        const TendonOptions& options = tendon.options;
        checker.enter("tendon", names.tendons[i]);
        if (tendon.type == TendonType::fixed)
            check_fixed_items(authored, tendon, checker);
        else
            check_path(tendon.items, options.armature, static_cast<int>(authored.sites.size()), shape_types, checker);
        check_options<TendonRows>(options, checker);
        if (!authored.accepts_negative)
        {
            check_pull(options.stiffness, options.stiffness_polynomial, "stiffness", checker);
            check_pull(options.damping, options.damping_polynomial, "damping", checker);
            check_pull(options.dry_friction, {}, "dry friction", checker);
        }
        check_spring_length(options.spring_length, checker);
    }
}

}  // namespace rattleback
