// The pile of ragdolls.
#include "lab/scenes/parts.h"
#include "lab/scenes/piles.h"

namespace rattleback::lab
{

namespace
{

/// One limb: a capsule from its joint with the parent.
struct Limb
{
    const char* name;
    int parent;           ///< limb; -1: the root
    Vec3 joint;           ///< in the person's frame, standing upright [m]
    Vec3 from, to;        ///< ends of the capsule's segment, in the person's frame [m]
    double radius;        ///< [m]
    double mass;          ///< [kg]
    double lower, upper;  ///< range of a hinge about y [degrees]; equal: a ball joint
    Colour colour;
};

constexpr Limb kLimbs[] = {
    {"pelvis", -1, {}, {0, -0.07, 1.00}, {0, 0.07, 1.00}, 0.10, 11, 0, 0, kInk},
    {"torso", 0, {0, 0, 1.14}, {0, 0, 1.24}, {0, 0, 1.42}, 0.13, 26, 0, 0, kTeal},
    {"head", 1, {0, 0, 1.57}, {0, 0, 1.66}, {0, 0, 1.70}, 0.10, 5, 0, 0, kSkin},
    {"left upper arm", 1, {0, 0.19, 1.46}, {0, 0.25, 1.46}, {0, 0.44, 1.46}, 0.045, 2.2, 0, 0, kTeal},
    {"left forearm", 3, {0, 0.50, 1.46}, {0, 0.56, 1.46}, {0, 0.74, 1.46}, 0.04, 1.7, 0, 0, kSkin},
    {"right upper arm", 1, {0, -0.19, 1.46}, {0, -0.25, 1.46}, {0, -0.44, 1.46}, 0.045, 2.2, 0, 0, kTeal},
    {"right forearm", 5, {0, -0.50, 1.46}, {0, -0.56, 1.46}, {0, -0.74, 1.46}, 0.04, 1.7, 0, 0, kSkin},
    {"left thigh", 0, {0, 0.10, 0.92}, {0, 0.10, 0.84}, {0, 0.10, 0.54}, 0.07, 8.5, 0, 0, kRust},
    {"left shin", 7, {0, 0.10, 0.46}, {0, 0.10, 0.38}, {0, 0.10, 0.08}, 0.055, 4.5, 0, 130, kAmber},
    {"right thigh", 0, {0, -0.10, 0.92}, {0, -0.10, 0.84}, {0, -0.10, 0.54}, 0.07, 8.5, 0, 0, kRust},
    {"right shin", 9, {0, -0.10, 0.46}, {0, -0.10, 0.38}, {0, -0.10, 0.08}, 0.055, 4.5, 0, 130, kAmber},
};

/// Elbows bend about the person's vertical, forward.
bool is_elbow(const Limb& limb) { return limb.parent == 3 || limb.parent == 5; }

void add_person(ModelBuilder& builder, const std::string& tag, const Vec3& place, const Quat& turn)
{
    constexpr Vec3 kMiddle{0, 0, 0.9};  // of a person who stands with the soles at 0
    std::vector<BodyId> bodies;
    std::vector<Vec3> origins;  // of the bodies, in the person's frame
    for (const Limb& limb : kLimbs)
    {
        const bool root = limb.parent < 0;
        const Vec3 origin = root ? kMiddle : limb.joint;
        const BodyId body =
            root ? builder.add_body({.name = tag + limb.name, .position = place, .rotation = turn})
                 : builder.add_body({.name = tag + limb.name,
                                     .parent = bodies[static_cast<std::size_t>(limb.parent)],
                                     .position = origin - origins[static_cast<std::size_t>(limb.parent)]});
        add_limb(builder, body, limb.from - origin, limb.to - origin, limb.radius,
                 {.name = tag + limb.name, .mass = limb.mass, .colour = limb.colour});
        if (is_elbow(limb))
        {
            const double side = limb.joint.y > 0 ? -1 : 1;
            builder.add_joint(body, {.name = tag + limb.name, .axis = {0, 0, side}, .range = degrees(0, 140)});
        }
        else if (limb.lower < limb.upper)
        {
            builder.add_joint(body,
                              {.name = tag + limb.name, .axis = {0, 1, 0}, .range = degrees(limb.lower, limb.upper)});
        }
        else if (!root)
        {
            builder.add_joint(body, {.name = tag + limb.name, .type = JointType::ball});
        }
        bodies.push_back(body);
        origins.push_back(origin);
    }
    builder.add_joint(bodies[0], {.name = tag + "root", .type = JointType::free});
}

}  // namespace

Result<Model> build_ragdolls(const RagdollsOptions& options)
{
    constexpr int kSide = 4;
    constexpr double kCell = 2.0;  // a person and both arms fit in any turn
    ModelBuilder builder("ragdolls");
    builder.add_ground({.name = "floor", .colour = kFloor});
    Random random(options.seed);
    for (int i = 0; i < options.count; ++i)
    {
        const int layer = i / (kSide * kSide);
        const Vec3 cell{i % kSide - 0.5 * (kSide - 1), i / kSide % kSide - 0.5 * (kSide - 1), layer + 0.6};
        add_person(builder, std::to_string(i + 1) + " ", kCell * cell, draw_rotation(random));
    }
    return builder.build();
}

}  // namespace rattleback::lab
