// Random scenes for the broad phase, and the plain definition of what it must find.
#include "unit/collide/crowd.h"
#include "base/index.h"

#include "collide/filter.h"
#include "collide/manifold.h"
#include "geometry/bounds.h"

#include <algorithm>
#include <bit>

namespace rattleback
{

namespace
{

class Dice
{
public:
    explicit Dice(std::mt19937_64& random) : random_(random) {}
    double real(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(random_); }
    int pick(int count) { return static_cast<int>(random_() % static_cast<std::uint64_t>(count)); }
    Vec3 vector(double size) { return {real(-size, size), real(-size, size), real(-size, size)}; }
    Quat turn() { return from_axis_angle({real(-1, 1), real(-1, 1), 1.5}, real(-3, 3)); }

private:
    std::mt19937_64& random_;
};

MeshOptions make_blob(Dice& dice, int vertices)
{
    MeshOptions mesh;
    mesh.vertices = {{-0.1, -0.1, -0.1}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    for (int i = 4; i < vertices; ++i)
    {
        const Vec3 v = dice.vector(1);
        mesh.vertices.push_back((0.2 / norm(v)) * v);
    }
    return mesh;
}

class CrowdBuilder
{
public:
    explicit CrowdBuilder(const CrowdOptions& options) : options_(options), random_(options.seed), dice_(random_)
    {
        for (const int vertices : {8, 60})
        {
            MeshOptions mesh = make_blob(dice_, vertices);
            mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
            meshes_.push_back(builder_.add_mesh(mesh));
        }
        field_ = builder_.add_height_field(
            {.rows = 3, .columns = 3, .half_x = 0.5, .half_y = 0.4, .heights = {0, 0.2, 0, 0.1, 0, 0.3, 0, 0, 0}});
        for (int i = 0; i < options.material_count; ++i)
        {
            materials_.push_back(builder_.add_material(
                {.friction = dice_.real(0, 2), .restitution = dice_.real(0, 1), .priority = dice_.pick(2)}));
        }
    }

    Model build()
    {
        add_grounds();
        while (static_cast<int>(shapes_.size()) < options_.shape_count) add_group();
        for (int i = 0; i < static_cast<int>(bodies_.size()) / 4; ++i) add_exclusion();
        for (int i = 0; i < options_.pair_fraction * static_cast<double>(shapes_.size()); ++i) add_pair();
        return builder_.build().value();
    }

private:
    Vec3 somewhere() { return options_.center + dice_.vector(options_.half_width); }

    ShapeOptions make_options(double spread)
    {
        constexpr std::array<std::uint32_t, 6> kMasks{1, 1, 1, 3, 2, 0};
        ShapeOptions options{.position = spread > 0 ? dice_.vector(spread) : Vec3{},
                             .rotation = spread > 0 ? dice_.turn() : Quat{},
                             .category = kMasks[at(dice_.pick(6))],
                             .mask = kMasks[at(dice_.pick(6))],
                             .margin = dice_.pick(3) == 0 ? dice_.real(0, 0.1) : 0,
                             .gap = dice_.pick(4) == 0 ? dice_.real(0, 0.1) : 0};
        if (!materials_.empty()) options.material = materials_[at(dice_.pick(static_cast<int>(materials_.size())))];
        return options;
    }

    Shape make_shape(bool may_be_field)
    {
        const double r = dice_.real(0.02, 0.25), h = dice_.real(0.02, 0.4);
        switch (options_.every_kind ? dice_.pick(may_be_field ? 8 : 7) : 0)
        {
            case 1:
                return Capsule{r, h};
            case 2:
                return Box{{r, h, dice_.real(0.02, 0.3)}};
            case 3:
                return Cylinder{r, h};
            case 4:
                return Ellipsoid{{r, h, dice_.real(0.02, 0.3)}};
            case 5:
                return Hull{meshes_[at(dice_.pick(2))]};
            case 6:
                return Box{{r, r, r}};
            case 7:
                return HeightField{field_};
            default:
                return Sphere{r};
        }
    }

    void add_shape(BodyId body, const Shape& shape, const ShapeOptions& options)
    {
        shapes_.push_back(builder_.add_shape(body, shape, options));
        body_of_shape_.push_back(body.index);
    }

    void add_shapes(BodyId body, int count, double spread, bool may_be_field = false)
    {
        for (int i = 0; i < count; ++i) add_shape(body, make_shape(may_be_field), make_options(spread));
    }

    void add_grounds()
    {
        const auto add_plane = [&](BodyId body, const Vec3& position)
        {
            ShapeOptions options = make_options(0.1);
            options.position = position;
            options.category = 3;
            add_shape(body, Plane{}, options);
        };
        const double down = -0.8 * options_.half_width;
        add_plane(kWorld, options_.center + Vec3{0, 0, down});
        add_shapes(kWorld, 3, options_.half_width, true);
        const BodyId lid = builder_.add_body(
            {.position = options_.center + Vec3{0, 0, down}, .kind = BodyKind::kinematic, .inertia = kUnit});
        add_plane(lid, {});
        add_plane(lid, {0, 0.3, 0});
        const BodyId loose = builder_.add_body({.position = options_.center + Vec3{0, 0, down}, .inertia = kUnit});
        add_plane(loose, {});
        bodies_.insert(bodies_.end(), {kWorld, lid, loose});
    }

    /// One body, or a chain of two.
    void add_group()
    {
        const int kind = dice_.pick(10);
        const BodyKind motion = kind == 0 ? BodyKind::fixed : kind == 1 ? BodyKind::kinematic : BodyKind::dynamic;
        const BodyId body =
            builder_.add_body({.position = somewhere(),
                               .rotation = dice_.turn(),
                               .kind = motion,
                               .inertia = kUnit,
                               .linear_velocity = motion == BodyKind::dynamic ? dice_.vector(1) : Vec3{},
                               .angular_velocity = motion == BodyKind::dynamic ? dice_.vector(2) : Vec3{}});
        bodies_.push_back(body);
        const int shapes = kind < 4 ? 1 : kind < 7 ? 1 + dice_.pick(4) : kind == 7 ? 12 : 1;
        add_shapes(body, shapes, shapes > 1 ? 0.3 : 0, motion != BodyKind::dynamic);
        if (kind != 8) return;
        const BodyId child = builder_.add_body({.parent = body, .position = {0.1, 0, 0}, .inertia = kUnit});
        if (dice_.pick(3) > 0) builder_.add_joint(child);
        bodies_.push_back(child);
        add_shapes(child, 2, 0.1);
    }

    void add_exclusion()
    {
        const int count = static_cast<int>(bodies_.size());
        const int a = dice_.pick(count), b = dice_.pick(count);
        if (a != b) builder_.exclude(bodies_[at(a)], bodies_[at(b)]);
    }

    void add_pair()
    {
        const int count = static_cast<int>(shapes_.size());
        const int a = dice_.pick(count), b = dice_.pick(count);
        const std::pair<int, int> pair(std::min(a, b), std::max(a, b));
        if (body_of_shape_[at(a)] == body_of_shape_[at(b)] ||
            std::find(paired_.begin(), paired_.end(), pair) != paired_.end())
            return;
        paired_.push_back(pair);
        builder_.add_pair(shapes_[at(a)], shapes_[at(b)],
                          {.margin = dice_.real(0, options_.half_width), .gap = dice_.real(0, 0.2)});
    }

    static constexpr Inertia kUnit{.mass = 1, .diagonal = {1, 1, 1}};

    CrowdOptions options_;
    std::mt19937_64 random_;
    Dice dice_;
    ModelBuilder builder_;
    std::vector<MeshId> meshes_;
    HeightFieldId field_;
    std::vector<MaterialId> materials_;
    std::vector<BodyId> bodies_;
    std::vector<ShapeId> shapes_;
    std::vector<int> body_of_shape_;
    std::vector<std::pair<int, int>> paired_;
};

/// What a shape takes up in the time of the question, without margins: the hull of its box and of the same box moved
/// along, and as much more on all sides as a turn about the centre of mass can add.
Aabb find_swept_box(const Model& model, const ConstWorldView& world, int shape, double motion)
{
    const Shapes& shapes = model.shapes;
    const std::size_t s = at(shape), body = at(shapes.body[s]);
    const Pose pose = world.body_pose[body] * shapes.pose[s];
    const int asset = shapes.asset[s];
    const bool is_field = shapes.type[s] == ShapeType::height_field;
    const MeshOptions* mesh = asset >= 0 && !is_field ? &model.meshes[at(asset)] : nullptr;
    const HeightFieldOptions* field = is_field ? &model.height_fields[at(asset)] : nullptr;
    Aabb box = compute_bounds(shapes.type[s], shapes.size[s], mesh, field, pose);
    if (mesh != nullptr && mesh->vertices.size() > 32)  // such are bounded by their own box, turned
    {
        const Aabb local = compute_bounds(shapes.type[s], {}, mesh, nullptr, Pose{});
        const Pose middle = pose * Pose{0.5 * (local.lower + local.upper), {}};
        box = compute_bounds(ShapeType::box, 0.5 * (local.upper - local.lower), nullptr, nullptr, middle);
    }
    if (motion == 0 || model.bodies.weld[body] == 0) return box;
    const Velocity& velocity = world.body_velocity[body];
    const Vec3 arm = pose.position - (world.body_pose[body] * model.bodies.inertial_pose[body]).position;
    const double radius = shapes.type[s] == ShapeType::sphere ? 0 : shapes.bounding_radius[s];
    const double slack = std::min(2.0, motion * norm(velocity.angular)) * (norm(arm) + radius);
    for (int axis = 0; axis < 3; ++axis)
    {
        const double shift = motion * velocity.linear[axis];
        box.lower[axis] += std::min(0.0, shift) - slack;
        box.upper[axis] += std::max(0.0, shift) + slack;
    }
    return box;
}

/// True if some corner of the box is, or may come in the time of the question, less than `reach` above the plane.
bool is_below(const Model& model, const ConstWorldView& world, int plane, const Aabb& box, double reach, double motion)
{
    const std::size_t body = at(model.shapes.body[at(plane)]);
    const Pose pose = world.body_pose[body] * model.shapes.pose[at(plane)];
    const Vec3 normal = rotate(pose.rotation, Vec3{0, 0, 1});
    double lowest = HUGE_VAL, furthest = 0;
    for (int corner = 0; corner < 8; ++corner)
    {
        const Vec3 point{(corner & 1) != 0 ? box.upper.x : box.lower.x, (corner & 2) != 0 ? box.upper.y : box.lower.y,
                         (corner & 4) != 0 ? box.upper.z : box.lower.z};
        lowest = std::min(lowest, dot(normal, point - pose.position));
        furthest = std::max(furthest, norm(point - pose.position));
    }
    if (motion > 0 && model.bodies.weld[body] != 0)
    {
        const Velocity& velocity = world.body_velocity[body];
        const Vec3 arm = pose.position - (world.body_pose[body] * model.bodies.inertial_pose[body]).position;
        const double turn = std::min(2.0, motion * norm(velocity.angular));
        reach += motion * norm(velocity.linear) + turn * (norm(arm) + furthest);
    }
    return lowest <= reach;
}

}  // namespace

Model make_crowd(const CrowdOptions& options) { return CrowdBuilder(options).build(); }

void stir(const Model& model, const CrowdOptions& options, int call, std::mt19937_64& random, State& state)
{
    Dice dice(random);
    if (call % 5 == 0) return;
    const bool jumps = call % 5 == 1;
    for (int body = 1; body < model.body_count(); ++body)
    {
        if (model.bodies.weld[at(body)] == 0 || dice.pick(jumps ? 20 : 3) == (jumps ? 1 : 0)) continue;
        if (jumps && dice.pick(20) != 0) continue;
        Pose& pose = state.body_pose[at(body)];
        pose.position = jumps ? options.center + dice.vector(options.half_width) : pose.position + dice.vector(0.02);
        pose.rotation =
            jumps ? dice.turn() : normalized(from_axis_angle(dice.vector(1) + Vec3{2, 0, 0}, 0.05) * pose.rotation);
        state.body_velocity[at(body)] = {dice.vector(2), dice.vector(3)};
    }
}

std::vector<PairCandidate> find_pairs_by_brute_force(const Model& model, const ConstWorldView& world,
                                                     const PairQuestion& question)
{
    const Shapes& shapes = model.shapes;
    const int count = model.shape_count();
    std::vector<Aabb> boxes(at(count));
    for (int s = 0; s < count; ++s) boxes[at(s)] = find_swept_box(model, world, s, question.motion);

    std::vector<bool> is_paired(at(count));
    for (const ShapePair& pair : model.pairs) is_paired[at(pair.first)] = is_paired[at(pair.second)] = true;

    std::vector<PairCandidate> pairs;
    for (int a = 0; a < count; ++a)
    {
        for (int b = a + 1; b < count; ++b)
        {
            const bool a_is_plane = shapes.type[at(a)] == ShapeType::plane;
            const bool b_is_plane = shapes.type[at(b)] == ShapeType::plane;
            const bool plane = a_is_plane || b_is_plane;
            double reach = question.margin;
            if (question.own_margins)
                reach += shapes.margin[at(a)] + shapes.gap[at(a)] + shapes.margin[at(b)] + shapes.gap[at(b)];
            const bool may_be_explicit = is_paired[at(a)] && is_paired[at(b)];
            if (!may_be_explicit && !plane && !overlaps(inflate(boxes[at(a)], reach), boxes[at(b)])) continue;
            const int own = may_be_explicit ? find_explicit_pair(model, a, b) : -1;
            if (own >= 0)
                reach = question.margin +
                        (question.own_margins ? model.pairs[at(own)].margin + model.pairs[at(own)].gap : 0);
            if (!plane && !overlaps(inflate(boxes[at(a)], reach), boxes[at(b)])) continue;
            if (never_touch(shapes.type[at(a)], shapes.type[at(b)]) || !may_collide(model, ShapeId{a}, ShapeId{b}))
                continue;
            if (plane)
            {
                const int flat = a_is_plane ? a : b, other = a_is_plane ? b : a;
                double extra = question.own_margins ? shapes.margin[at(other)] + shapes.gap[at(other)] : 0;
                extra += 0.5 * question.margin;
                // Beside explicit pairs the other shape's share of the reach widens its box, the plane's lifts the
                // plane.
                const Aabb box = own >= 0 ? boxes[at(other)] : inflate(boxes[at(other)], extra);
                if (!is_below(model, world, flat, box, own >= 0 ? reach : reach - extra, question.motion)) continue;
            }
            pairs.push_back({ShapeId{a}, ShapeId{b}});
        }
    }
    return pairs;
}

bool are_identical(const Contacts& first, const Contacts& second)
{
    const auto bits = []<class T>(const T& value)
    { return std::bit_cast<std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)>>(value); };
    const auto same = [&](const auto& a, const auto& b) { return bits(a) == bits(b); };
    return std::equal(first.items.begin(), first.items.end(), second.items.begin(), second.items.end(),
                      [&](const Contact& a, const Contact& b)
                      {
                          return a.first_body == b.first_body && a.second_body == b.second_body &&
                                 a.first_shape == b.first_shape && a.second_shape == b.second_shape &&
                                 same(a.point, b.point) && same(a.frame, b.frame) && same(a.distance, b.distance) &&
                                 same(a.margin, b.margin) && a.dimension == b.dimension &&
                                 same(a.friction, b.friction) && a.softness == b.softness &&
                                 same(a.restitution, b.restitution) && a.feature == b.feature;
                      });
}

}  // namespace rattleback
