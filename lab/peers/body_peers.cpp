// The table of body peers, and what they have in common: what they cannot express, and the frames of their bodies.
#include "base/index.h"
#include "lab/measure/measure.h"
#include "lab/peers/body_peer.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace rattleback::lab
{

namespace
{

/// Bullet's two builds have the same names: that in single precision is linked to a module beside the program, whose
/// names are looked up there first.
Result<std::unique_ptr<BodyPeer>> make_single_bullet_peer(const Model& model, const BodyPeerOptions& options)
{
    using Make = void(const Model&, const BodyPeerOptions&, Result<std::unique_ptr<BodyPeer>>&);
    static void* const module = []
    {
        // The tests lie in a folder below that of the programs.
        const std::filesystem::path folder = std::filesystem::path(own_program()).parent_path();
        void* opened = nullptr;
        for (const std::filesystem::path& place : {folder, folder.parent_path()})
            if (opened == nullptr)
                opened =
                    dlopen((place / "librattleback_bullet_single.so").c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        return opened;
    }();
    // dlsym gives the address of a function as that of an object.
    Make* const make =
        module == nullptr ? nullptr : reinterpret_cast<Make*>(dlsym(module, "rattleback_make_bullet_peer"));
    Result<std::unique_ptr<BodyPeer>> peer =
        Error{.code = ErrorCode::io,
              .where = "bullet_single",
              .message = "its module is not beside the program",
              .hint = "install libbullet-dev and build rattleback_bullet_single; a build with sanitizers has none"};
    if (make != nullptr) make(model, options, peer);
    return peer;
}

// A new body peer is one folder in lab/peers and one line here.
constexpr std::array kBodyPeers = {
    BodyPeerInfo{"bullet", "double", &make_bullet_peer},
    BodyPeerInfo{"bullet_single", "single", &make_single_bullet_peer},
    BodyPeerInfo{"ode", "double", &make_ode_peer},
};

/// Collects refusals under one engine's name.
class Refusals
{
public:
    Refusals(const Model& model, const std::string& engine, bool by_triangles)
        : model_(model), engine_(engine), by_triangles_(by_triangles)
    {
    }

    void refuse(const std::string& kind, const std::string& name, const std::string& why)
    {
        errors_.push_back(
            {.code = ErrorCode::unsupported, .where = engine_, .message = kind + " '" + name + "' " + why, .hint = ""});
    }
    void check_bodies();
    void check_joints();
    void check_shapes();
    void check_equalities();
    void check_rest();
    std::vector<Error> take() { return std::move(errors_); }

private:
    const Model& model_;
    std::string engine_;
    bool by_triangles_;
    std::vector<Error> errors_;
};

void Refusals::check_bodies()
{
    const Bodies& bodies = model_.bodies;
    for (int body = 1; body < model_.body_count(); ++body)
    {
        const std::size_t b = at(body);
        if (bodies.gravity_compensation[b] != 0) refuse("body", bodies.name[b], "is held up against gravity");
        const bool welded = bodies.kind[b] != BodyKind::kinematic && bodies.v_count[b] == 0;
        const bool moves = bodies.last_dof[b] >= 0 || bodies.kind[at(bodies.parent[b])] == BodyKind::kinematic;
        if (welded && bodies.parent[b] > 0 && moves) refuse("body", bodies.name[b], "is rigidly attached to another");
        if (bodies.joint_begin[b + 1] - bodies.joint_begin[b] > 1) refuse("body", bodies.name[b], "has several joints");
    }
}

void Refusals::check_joints()
{
    const Joints& joints = model_.joints;
    for (int joint = 0; joint < model_.joint_count(); ++joint)
    {
        const std::size_t j = at(joint);
        const std::string& name = joints.name[j];
        if (joints.type[j] == JointType::ball && joints.range[j].limited)
            refuse("joint", name, "is a ball with a limit");
        if (joints.stiffness[j] != 0) refuse("joint", name, "has a spring");
        if (std::isfinite(joints.break_force[j]) || std::isfinite(joints.break_torque[j]))
            refuse("joint", name, "can break");
        if (joints.range[j].limited && !std::holds_alternative<Rigid>(joints.limit_softness[j]))
            refuse("joint", name, "has a soft limit");
        for (int k = 0; k < v_count(joints.type[j]); ++k)
        {
            const std::size_t d = at(joints.v_begin[j] + k);
            if (model_.dofs.damping[d] == 0 && model_.dofs.armature[d] == 0 && model_.dofs.dry_friction[d] == 0)
                continue;
            refuse("joint", name, "has damping, armature or dry friction");
            break;
        }
    }
}

void Refusals::check_shapes()
{
    const Shapes& shapes = model_.shapes;
    for (int shape = 0; shape < model_.shape_count(); ++shape)
    {
        const std::size_t s = at(shape);
        if (shapes.margin[s] != 0 || shapes.gap[s] != 0) refuse("shape", shapes.name[s], "has a margin or a gap");
        const bool plane = shapes.type[s] == ShapeType::plane;
        if (plane && find_motion(model_, shapes.body[s]) != PeerMotion::none)
            refuse("shape", shapes.name[s], "is a plane that moves");
        if (!by_triangles_ && shapes.type[s] == ShapeType::mesh && shapes.mesh_collide[s] == MeshCollide::exact)
            refuse("shape", shapes.name[s], "is a mesh that collides by its triangles");
        // what stands still is taken over shape by shape
        const bool alone = find_motion(model_, shapes.body[s]) == PeerMotion::none;
        const std::size_t first = alone ? s : at(shapes_of(model_, shapes.body[s]).front());
        if (shapes.category[s] != shapes.category[first] || shapes.mask[s] != shapes.mask[first])
            refuse("shape", shapes.name[s], "collides with other things than the rest of its body");
        if (model_.materials[at(shapes.material[s])].friction != model_.materials[at(shapes.material[first])].friction)
            refuse("shape", shapes.name[s], "has another friction than the rest of its body");
    }
    for (std::size_t m = 0; m < model_.materials.size(); ++m)
    {
        const MaterialOptions& material = model_.materials[m];
        const std::string name = material.name.empty() ? std::to_string(m) : material.name;
        if (!std::holds_alternative<Rigid>(material.softness)) refuse("material", name, "is soft");
        if (material.restitution != 0) refuse("material", name, "bounces");
        if (material.dimension == 1 && material.friction != 0)
            refuse("material", name, "is frictionless by its dimension, with a friction that others may combine with");
        if (material.dimension > 3) refuse("material", name, "has spinning or rolling friction");
        if (material.priority != model_.materials[0].priority) refuse("material", name, "has a priority of its own");
    }
}

void Refusals::check_equalities()
{
    const Equalities& equalities = model_.equalities;
    for (int equality = 0; equality < model_.equality_count(); ++equality)
    {
        const std::size_t e = at(equality);
        const std::string& name = equalities.name[e];
        const EqualityType type = equalities.type[e];
        if (type != EqualityType::connect && type != EqualityType::weld)
            refuse("equality", name, std::string("is of type ") + to_string(type));
        if (!std::holds_alternative<Rigid>(equalities.softness[e])) refuse("equality", name, "is soft");
        if (std::isfinite(equalities.break_force[e]) || std::isfinite(equalities.break_torque[e]))
            refuse("equality", name, "can break");
    }
}

void Refusals::check_rest()
{
    for (const std::string& name : model_.tendons.name) refuse("tendon", name, "is not taken over");
    for (const std::string& name : model_.actuators.name) refuse("actuator", name, "is not taken over");
    for (const ShapePair& pair : model_.pairs)
        refuse("pair of shape", model_.shapes.name[at(pair.first)], "collides by a rule of its own");
    if (model_.settings.medium.density != 0 || model_.settings.medium.viscosity != 0)
        refuse("model", model_.name, "is in a fluid");
}

}  // namespace

std::span<const BodyPeerInfo> all_body_peers() { return kBodyPeers; }

std::vector<Error> find_inexpressible(const Model& model, const std::string& engine, bool by_triangles)
{
    Refusals refusals(model, engine, by_triangles);
    refusals.check_bodies();
    refusals.check_joints();
    refusals.check_shapes();
    refusals.check_equalities();
    refusals.check_rest();
    return refusals.take();
}

PeerFrame find_peer_frame(const Model& model, int body)
{
    const std::size_t b = at(body);
    const Pose& inertial = model.bodies.inertial_pose[b];
    const Vec3& moments = model.bodies.inertia[b];
    const std::span<const int> shapes = shapes_of(model, body);
    if (shapes.size() == 1 && find_motion(model, body) == PeerMotion::forces)
    {
        const Pose& shape = model.shapes.pose[at(shapes[0])];
        const Mat3 turn = to_matrix(conjugate(shape.rotation) * inertial.rotation);
        Mat3 tensor;
        double aside = 0;  // largest product of inertia in the shape's axes
        for (int i = 0; i < 3; ++i)
        {
            for (int j = 0; j < 3; ++j)
            {
                tensor(i, j) = turn(i, 0) * moments.x * turn(j, 0) + turn(i, 1) * moments.y * turn(j, 1) +
                               turn(i, 2) * moments.z * turn(j, 2);
                if (i != j) aside = std::max(aside, std::abs(tensor(i, j)));
            }
        }
        const double size = norm(shape.position) + norm(inertial.position);
        const bool same_place = norm(shape.position - inertial.position) <= 1e-12 * size;
        if (same_place && aside <= 1e-9 * (moments.x + moments.y + moments.z))
            return {shape, {tensor(0, 0), tensor(1, 1), tensor(2, 2)}, true};
    }
    return {inertial, moments, false};
}

PeerMotion find_motion(const Model& model, int body)
{
    if (model.bodies.kind[at(body)] == BodyKind::kinematic) return PeerMotion::given;
    return model.bodies.last_dof[at(body)] >= 0 ? PeerMotion::forces : PeerMotion::none;
}

std::span<const int> shapes_of(const Model& model, int body)
{
    const std::size_t begin = at(model.bodies.shape_begin[at(body)]), end = at(model.bodies.shape_begin[at(body) + 1]);
    return std::span(model.bodies.shapes_of_body).subspan(begin, end - begin);
}

}  // namespace rattleback::lab
