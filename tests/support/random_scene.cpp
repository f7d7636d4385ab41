// Random scenes: one function per family of elements, each taking its choices from the bytes.
#include "support/random_scene.h"

#include "support/random_model.h"

#include <array>
#include <iterator>
#include <limits>

namespace rattleback
{

int ByteSource::byte()
{
    if (bytes_.empty()) return 0;
    const int value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
}

std::vector<std::uint8_t> make_random_bytes(std::uint64_t seed, std::size_t count)
{
    Random random(seed);
    std::vector<std::uint8_t> bytes(count);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.bits() >> 56);
    return bytes;
}

namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kAbsurd[] = {
    0,     -1,      1e-300,    1e300,      1e9,    1e-9, std::numeric_limits<double>::quiet_NaN(), 1e17, -1e17, 1e30,
    1e-30, -1e-300, kInfinity, -kInfinity, 5e-324, 1e6};

class SceneMaker
{
public:
    SceneMaker(ByteSource& bytes, const RandomSceneOptions& options) : bytes_(bytes), options_(options) {}

    ModelBuilder make()
    {
        plain_ = bytes_.flag() && !options_.absurd;
        set_settings();
        if (!plain_) add_assets();
        const int bodies = bytes_.pick(8);
        for (int i = 0; i < bodies; ++i) add_body();
        if (bytes_.flag()) add_shape(kWorld);
        if (bytes_.flag()) builder_.add_ground({.material = material()});
        if (plain_) return std::move(builder_);
        for (int i = bytes_.pick(3); i > 0; --i) add_equality();
        for (int i = bytes_.pick(3); i > 0; --i) add_tendon();
        for (int i = bytes_.pick(4); i > 0; --i) add_actuator();
        for (int i = bytes_.pick(4); i > 0; --i) add_sensor();
        if (bytes_.rarely(4)) add_filters();
        if (bytes_.rarely(4)) add_keyframe();
        if (bytes_.rarely(8)) add_rod();
        return std::move(builder_);
    }

private:
    bool goes_wrong() { return options_.absurd && bytes_.rarely(48); }

    double absurd() { return kAbsurd[bytes_.pick(static_cast<int>(std::size(kAbsurd)))]; }
    /// In [low, high] as a rule.
    double number(double low, double high) { return goes_wrong() ? absurd() : low + (high - low) * bytes_.fraction(); }
    double size() { return number(0.03, 0.4); }
    /// Zero half of the time.
    double optional_number(double high) { return bytes_.flag() ? number(0, high) : 0; }
    Vec3 vector(double reach) { return {number(-reach, reach), number(-reach, reach), number(-reach, reach)}; }
    Quat rotation()
    {
        if (bytes_.flag()) return {};
        return {number(-1, 1), number(-1, 1), number(-1, 1), 0.3};
    }
    Pose pose() { return {vector(0.5), normalized(rotation())}; }
    Range range(double reach)
    {
        if (!bytes_.rarely(3)) return {};
        const double lower = number(-reach, 0);
        return {true, lower, goes_wrong() ? absurd() : lower + number(0, 2 * reach)};
    }
    Softness softness()
    {
        const int kind = bytes_.pick(4);
        if (kind == 0) return Spring{.stiffness = number(10, 1e5), .damping = number(0, 1e3)};
        if (kind == 1) return Impedance{.solref = {number(0.005, 0.1), number(0.5, 1.5)}};
        if (kind == 2 && options_.absurd)
            return Impedance{.solref = {-number(0, 1e4), -number(0, 10)},
                             .solimp = {number(0, 1), number(0, 1), number(0, 1), number(0, 1), number(0, 4)}};
        return Rigid{};
    }
    template <class Id>
    Id id(int count)
    {
        if (goes_wrong()) return Id{bytes_.pick(12) - 2};
        return count == 0 ? Id{} : Id{bytes_.pick(count)};
    }
    BodyId body() { return id<BodyId>(body_count_); }
    MaterialId material() { return id<MaterialId>(material_count_); }

    void set_settings()
    {
        Settings& settings = builder_.settings();
        settings.dt = number(0.001, 0.01);
        settings.gravity = bytes_.rarely(4) ? vector(10) : Vec3{0, 0, -9.81};
        settings.integrator = static_cast<Integrator>(bytes_.pick(5));
        if (bytes_.rarely(6)) settings.medium = {number(0, 1000), number(0, 1), vector(1)};
    }

    void add_assets()
    {
        for (int i = bytes_.pick(3); i > 0; --i, ++material_count_)
        {
            constexpr int kDimensions[] = {3, 1, 4, 6};
            builder_.add_material({.friction = number(0, 1.5),
                                   .spinning_friction = number(0, 0.01),
                                   .rolling_friction = number(0, 0.01),
                                   .dimension = goes_wrong() ? bytes_.pick(9) : kDimensions[bytes_.pick(4)],
                                   .restitution = bytes_.rarely(4) ? number(0, 1) : 0,
                                   .softness = softness(),
                                   .solmix = number(0, 2),
                                   .priority = bytes_.pick(3)});
        }
        for (int i = bytes_.pick(3); i > 0; --i) add_mesh();
        for (int i = bytes_.pick(3); i > 0; --i) add_height_field();
    }

    /// A tetrahedron or an octahedron, pulled about; or any triangles at all.
    void add_mesh()
    {
        MeshOptions mesh;
        const int count = 4 + bytes_.pick(5);
        const double radius = size();
        for (int i = 0; i < count; ++i)
        {
            constexpr double kCorner[9][3] = {{1, 1, 1},   {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}, {0, 0, 1.5},
                                              {0, 1.5, 0}, {1.5, 0, 0}, {0, -1, 0},  {-1.2, 0, 0}};
            mesh.vertices.push_back({radius * kCorner[i][0] * number(0.7, 1), radius * kCorner[i][1] * number(0.7, 1),
                                     radius * kCorner[i][2] * number(0.7, 1)});
        }
        mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
        if (bytes_.rarely(4)) mesh.triangles.push_back({bytes_.pick(count), bytes_.pick(count), bytes_.pick(count)});
        if (goes_wrong()) mesh.triangles.clear();
        if (goes_wrong()) mesh.vertices.assign(mesh.vertices.size(), Vec3{});
        if (goes_wrong()) mesh.triangles.push_back({bytes_.pick(20) - 2, 0, 1});
        for (int i = bytes_.pick(4); i > 0; --i) mesh.edges.push_back({bytes_.pick(count), bytes_.pick(count)});
        builder_.add_mesh(std::move(mesh));
        ++mesh_count_;
    }

    void add_height_field()
    {
        HeightFieldOptions field{.rows = 2 + bytes_.pick(3),
                                 .columns = 2 + bytes_.pick(3),
                                 .half_x = number(0.5, 2),
                                 .half_y = number(0.5, 2),
                                 .base = number(0, 0.2)};
        for (int i = field.rows * field.columns - (goes_wrong() ? 1 : 0); i > 0; --i)
            field.heights.push_back(optional_number(0.3));
        if (goes_wrong()) field.rows = bytes_.flag() ? -1 : 2'000'000'000;
        builder_.add_height_field(std::move(field));
        ++field_count_;
    }

    void add_body()
    {
        BodyOptions options{.position = vector(0.8), .rotation = rotation()};
        if (bytes_.rarely(3) && body_count_ > 1) options.parent = BodyId{body_count_ - 1};
        if (goes_wrong()) options.parent = BodyId{bytes_.pick(10) - 1};
        const int kind = bytes_.pick(8);
        options.kind = kind == 6 ? BodyKind::kinematic : kind == 7 ? BodyKind::fixed : BodyKind::dynamic;
        if (options.kind == BodyKind::kinematic && !goes_wrong()) options.parent = kWorld;
        if (bytes_.rarely(4))
        {
            const double mass = number(0.1, 5), moment = number(0.001, 0.1);
            options.inertia = Inertia{.mass = mass,
                                      .position = vector(0.1),
                                      .rotation = rotation(),
                                      .diagonal = {moment, moment * number(0.6, 1.4), moment}};
        }
        if (bytes_.rarely(6)) options.gravity_compensation = number(0, 1);
        const bool floats = options.kind == BodyKind::dynamic && options.parent == kWorld;
        const bool fixed = options.kind != BodyKind::dynamic || (floats && (plain_ || bytes_.flag()));
        const int joints = fixed ? 0 : bytes_.pick(3);
        if ((floats && joints == 0 && bytes_.rarely(3)) || goes_wrong())
        {
            options.linear_velocity = vector(3);
            options.angular_velocity = vector(10);
        }
        const BodyId added = builder_.add_body(options);
        ++body_count_;
        for (int i = 0; i < joints; ++i) add_joint(added);
        if (options.kind == BodyKind::kinematic && bytes_.flag())
            builder_.add_track(added, {.times = {0, number(0.1, 2)}, .poses = {pose(), pose()}});
        const int shapes = bytes_.pick(3) + (options.inertia ? 0 : 1);
        for (int i = 0; i < shapes; ++i) add_shape(added);
        if (bytes_.flag())
        {
            builder_.add_site(added, {.position = vector(0.3), .rotation = rotation()});
            ++site_count_;
        }
    }

    void add_joint(BodyId on)
    {
        constexpr JointType kTypes[] = {JointType::hinge, JointType::slide, JointType::hinge,
                                        JointType::ball,  JointType::free,  JointType::fixed};
        const bool any = goes_wrong() || bytes_.rarely(6);
        JointOptions options{.type = kTypes[any ? bytes_.pick(6) : bytes_.pick(3)],
                             .axis = bytes_.flag() ? Vec3{0, 1, 0} : vector(1),
                             .position = vector(0.3)};
        const bool scalar = options.type == JointType::hinge || options.type == JointType::slide;
        if (scalar || goes_wrong())
        {
            options.range = range(1);
            options.margin = optional_number(0.01);
            options.limit_softness = softness();
            options.stiffness = optional_number(50);
            options.spring_reference = number(-1, 1);
            options.reference = bytes_.rarely(4) ? number(-1, 1) : 0;
            options.initial_velocity = bytes_.rarely(3) ? number(-3, 3) : 0;
            options.actuator_force_range = range(20);
        }
        options.damping = optional_number(1);
        options.armature = bytes_.rarely(4) ? number(0, 0.1) : 0;
        options.dry_friction = bytes_.rarely(4) ? number(0, 1) : 0;
        options.dry_friction_softness = softness();
        options.gravity_compensation_by_actuator = bytes_.rarely(8);
        if (bytes_.rarely(12)) options.break_force = number(1, 1000);
        builder_.add_joint(goes_wrong() ? body() : on, options);
        ++joint_count_;
        if (scalar) scalar_joints_.push_back(JointId{joint_count_ - 1});
    }

    Shape shape(bool on_world)
    {
        // every kind, those that all solvers know more often
        switch (on_world ? bytes_.pick(12) : 1 + bytes_.pick(14))
        {
            case 0:
                return Plane{};
            case 2:
                return Capsule{size(), size()};
            case 3:
                return Box{{size(), size(), size()}};
            case 4:
                return Cylinder{size(), size()};
            case 5:
                return Ellipsoid{{size(), size(), size()}};
            case 6:
                return Hull{id<MeshId>(mesh_count_)};
            case 7:
                return Mesh{.mesh = id<MeshId>(mesh_count_),
                            .collide = bytes_.flag() ? MeshCollide::exact : MeshCollide::hull,
                            .mass = static_cast<MeshMass>(bytes_.pick(4))};
            case 8:
                return HeightField{id<HeightFieldId>(field_count_)};
            case 9:
                return Points{id<MeshId>(mesh_count_)};
            case 10:
                return Segments{id<MeshId>(mesh_count_)};
            case 11:
                return Surface{id<MeshId>(mesh_count_)};
            default:
                return Sphere{size()};
        }
    }

    void add_shape(BodyId on)
    {
        Shape made = shape(on == kWorld);
        const bool needs_mesh = made.index() >= static_cast<std::size_t>(ShapeType::hull);
        const bool is_field = made.index() == static_cast<std::size_t>(ShapeType::height_field);
        if (needs_mesh && (is_field ? field_count_ : mesh_count_) == 0 && !goes_wrong()) made = Sphere{size()};
        ShapeOptions options{.position = bytes_.flag() ? Vec3{} : vector(0.3),
                             .rotation = rotation(),
                             .material = material(),
                             .density = number(100, 3000)};
        if (bytes_.rarely(4)) options.mass = number(0.1, 3);
        if (bytes_.rarely(4)) options.category = static_cast<std::uint32_t>(bytes_.pick(4));
        if (bytes_.rarely(4)) options.mask = static_cast<std::uint32_t>(bytes_.pick(4));
        options.margin = optional_number(0.02);
        options.gap = bytes_.rarely(4) ? number(0, 0.02) : 0;
        if (bytes_.rarely(12)) options.fluid = {number(0, 1), number(0, 1), number(0, 1), number(0, 1), number(0, 1)};
        const ShapeId added = builder_.add_shape(goes_wrong() ? body() : on, made, options);
        ++shape_count_;
        const bool wraps = std::holds_alternative<Sphere>(made) || std::holds_alternative<Cylinder>(made);
        if (wraps) round_shapes_.push_back(added);
    }

    void add_equality()
    {
        const EqualityOptions options{.softness = softness(),
                                      .active = !bytes_.rarely(4),
                                      .torque_scale = number(0.1, 2),
                                      .break_force = bytes_.rarely(6) ? number(1, 1000) : kUnbreakable};
        const int kind = bytes_.pick(7);
        const BodyId first = body(), second = body();  // one choice at a time: the order of arguments is not fixed
        const bool lacks_ends = kind < 5    ? first.index == second.index
                                : kind == 5 ? scalar_joints_.size() < 2
                                            : tendon_count_ == 0;
        if (lacks_ends && !goes_wrong()) return;
        const Pose first_frame = pose(), second_frame = pose();
        if (kind == 0) builder_.add_connect(first, second, first_frame.position, options);
        if (kind == 1) builder_.add_connect_points(first, first_frame.position, second, second_frame.position, options);
        if (kind == 2) builder_.add_weld(first, second, options);
        if (kind == 3) builder_.add_weld_frames(first, first_frame, second, second_frame, options);
        if (kind == 4)
        {
            const auto spring = [&] { return Spring{bytes_.flag() ? number(0, 1e4) : kInfinity, number(0, 10)}; };
            builder_.add_cable(first, second,
                               {.first_frame = first_frame, .cable = {spring(), spring(), spring(), spring()}});
        }
        const std::array<double, 5> polynomial{number(-1, 1), number(-2, 2), optional_number(1), 0, optional_number(1)};
        if (kind == 5)
        {
            const JointId joint = scalar_joint();
            JointId other = bytes_.flag() ? scalar_joint() : JointId{};
            if (other.index == joint.index && !goes_wrong()) other = {};
            builder_.add_joint_coupling(joint, other, polynomial, options);
        }
        if (kind == 6)
        {
            const TendonId tendon = id<TendonId>(tendon_count_);
            TendonId other = bytes_.flag() ? id<TendonId>(tendon_count_) : TendonId{};
            if (other.index == tendon.index && !goes_wrong()) other = {};
            builder_.add_tendon_coupling(tendon, other, polynomial, options);
        }
    }
    JointId scalar_joint()
    {
        if (goes_wrong() || scalar_joints_.empty()) return id<JointId>(joint_count_);
        return scalar_joints_[static_cast<std::size_t>(bytes_.pick(static_cast<int>(scalar_joints_.size())))];
    }

    void add_tendon()
    {
        TendonOptions options{.range = range(2),
                              .margin = optional_number(0.01),
                              .limit_softness = softness(),
                              .stiffness = optional_number(100),
                              .damping = optional_number(5),
                              .dry_friction = bytes_.rarely(4) ? number(0, 1) : 0,
                              .dry_friction_softness = softness(),
                              .armature = bytes_.rarely(8) ? number(0, 0.1) : 0,
                              .actuator_force_range = range(20)};
        if (bytes_.rarely(4)) options.spring_length = {number(0, 0.1), number(0.1, 1)};
        if (bytes_.flag() || site_count_ < 2)
        {
            if (scalar_joints_.empty() && !goes_wrong()) return;
            std::vector<std::pair<JointId, double>> joints;
            const int least = goes_wrong() ? 0 : 1;
            for (int i = least + bytes_.pick(3); i > 0; --i)
            {
                const JointId joint = scalar_joint();
                joints.emplace_back(joint, number(-2, 2));
            }
            builder_.add_fixed_tendon(joints, options);
        }
        else
        {
            const auto site = [&] { return ModelBuilder::PathItem{.site = id<SiteId>(site_count_)}; };
            std::vector<ModelBuilder::PathItem> path{site()};
            if (bytes_.rarely(3) && !round_shapes_.empty())
            {
                const auto which = static_cast<std::size_t>(bytes_.pick(static_cast<int>(round_shapes_.size())));
                path.push_back({.shape = goes_wrong() ? id<ShapeId>(shape_count_) : round_shapes_[which],
                                .side_site = bytes_.flag() ? id<SiteId>(site_count_) : SiteId{}});
                options.armature = goes_wrong() ? number(0, 1) : 0;
            }
            path.push_back(site());
            if (bytes_.rarely(4)) path.insert(path.end(), {{.divisor = number(0.5, 2)}, site(), site()});
            builder_.add_spatial_tendon(path, options);
        }
        ++tendon_count_;
    }

    void add_actuator()
    {
        const int kind = bytes_.pick(3);
        ActuatorTarget target = scalar_joint();
        if (kind == 1 && tendon_count_ > 0) target = id<TendonId>(tendon_count_);
        if (kind == 2 && site_count_ > 0) target = id<SiteId>(site_count_);
        if (joint_count_ == 0 && std::holds_alternative<JointId>(target) && !goes_wrong()) return;
        switch (bytes_.pick(4))
        {
            case 0:
                builder_.add_motor(target,
                                   {.gear = {number(-2, 2), 0, optional_number(1), 0, 0, 0}, .input_range = range(1)});
                return;
            case 1:
                builder_.add_position_actuator(target, {.stiffness = number(0, 100),
                                                        .damping = optional_number(5),
                                                        .damping_ratio = bytes_.rarely(3) ? number(0, 2) : 0,
                                                        .force_range = range(50)});
                return;
            case 2:
                builder_.add_velocity_actuator(target, {.gain = number(0, 10)});
                return;
            default:
                builder_.add_actuator(target, {.gain = {number(-5, 5), optional_number(1), 0},
                                               .bias = {optional_number(1), -number(0, 5), -number(0, 1)},
                                               .dynamics = static_cast<ActuatorDynamics>(bytes_.pick(4)),
                                               .time_constant = number(0.01, 1),
                                               .force_range = range(20),
                                               .act_range = range(1),
                                               .act_early = bytes_.flag(),
                                               .in_parent = bytes_.rarely(8)});
        }
    }

    void add_sensor()
    {
        // The first ten watch a joint, or a body or site; the others say by their rule what is wrong.
        const auto type = static_cast<SensorType>(bytes_.pick(10));
        const bool on_joint = type == SensorType::joint_position || type == SensorType::joint_velocity;
        if (on_joint && scalar_joints_.empty() && !goes_wrong()) return;
        if (on_joint != goes_wrong())
            builder_.add_sensor(type, scalar_joint());
        else if (bytes_.flag() && site_count_ > 0)
            builder_.add_sensor(type, id<SiteId>(site_count_));
        else
            builder_.add_sensor(type, body());
    }

    void add_filters()
    {
        const BodyId first = body(), second = body();
        builder_.exclude(first, second);
        if (shape_count_ < 2) return;
        const ShapeId one = id<ShapeId>(shape_count_), other = id<ShapeId>(shape_count_);
        builder_.add_pair(one, other, {.material = material(), .margin = optional_number(0.02)});
    }

    void add_keyframe()
    {
        Keyframe key{.time = number(0, 1)};
        if (goes_wrong()) key.v.assign(static_cast<std::size_t>(bytes_.pick(10)), number(-1, 1));
        builder_.add_keyframe(std::move(key));
    }

    void add_rod()
    {
        const int fewer = goes_wrong() ? 3 : 0;
        builder_.add_rod({.start = vector(0.5),
                          .end = vector(0.5),
                          .segments = 1 + bytes_.pick(5) - fewer,
                          .radius = number(0.005, 0.03),
                          .young = number(1e4, 1e7),
                          .first_body = bytes_.flag() ? body() : BodyId{},
                          .material = material()});
    }

    ByteSource& bytes_;
    RandomSceneOptions options_;
    ModelBuilder builder_;
    bool plain_ = false;  ///< bodies and shapes alone, which most solvers take
    int body_count_ = 1, joint_count_ = 0, shape_count_ = 0, site_count_ = 0, tendon_count_ = 0;
    int material_count_ = 1, mesh_count_ = 0, field_count_ = 0;
    std::vector<JointId> scalar_joints_;
    std::vector<ShapeId> round_shapes_;  ///< that a tendon may wrap around
};

}  // namespace

ModelBuilder make_random_scene(ByteSource& bytes, const RandomSceneOptions& options)
{
    return SceneMaker(bytes, options).make();
}

}  // namespace rattleback
