// Collider: a sweep over bounding spheres along x, then one contact function per pair.
#include "collide/filter.h"
#include "collide/manifold.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace rattleback
{

namespace
{

struct Bound
{
    Vec3 center;        ///< world [m]
    double radius = 0;  ///< of the inflated bounding sphere [m]; infinite: it meets everything
    double margin = 0;  ///< the part of the radius that is neither shape nor drift [m]
    double drift = 0;   ///< how far the centre may go [m]
    double left = 0;    ///< center.x - radius
    int shape = -1;
};

std::size_t at(int index) { return static_cast<std::size_t>(index); }

auto key(const Contact& contact) { return std::tuple(contact.first_shape, contact.second_shape, contact.feature); }

bool comes_before(const ShapePair& pair, const PairCandidate& other)
{
    return PairCandidate{pair.first, pair.second} < other;
}

}  // namespace

struct Collider::Scratch
{
    const Model& model;
    std::vector<ShapePair> explicit_pairs;  ///< model.pairs with first < second, sorted, each pair once
    std::vector<Bound> bounds;              ///< [shape_count]
    std::vector<Bound> finite, infinite;    ///< shapes that collide, finite sorted by `left`
    std::vector<PairCandidate> pairs;
    Contacts contacts;
    std::map<std::pair<int, int>, MaterialOptions> combined;  ///< by materials; filled when first met

    /// Pairs whose spheres come within `margin` of each other, beside each shape's own margin and gap if asked.
    void find_pairs(const WorldView& world, double margin, double motion, bool own_margins);
    void place_bounds(const WorldView& world, double margin, double motion, bool own_margins);
    void add_if_allowed(const Bound& a, const Bound& b);
    bool near_each_other(const WorldView& world, const Bound& a, const Bound& b, double extra) const;
    PlacedShape place(const WorldView& world, int shape) const;
    const MaterialOptions& find_combined(int first, int second);
    void add_contacts(const WorldView& world, const PairCandidate& pair, double margin);
};

void Collider::Scratch::place_bounds(const WorldView& world, double margin, double motion, bool own_margins)
{
    const Shapes& shapes = model.shapes;
    finite.clear();
    infinite.clear();
    for (int shape = 0; shape < model.shape_count(); ++shape)
    {
        const std::size_t s = at(shape), body = at(shapes.body[s]);
        Bound& bound = bounds[s];
        bound.shape = shape;
        bound.center = (world.body_pose[body] * shapes.pose[s]).position;
        bound.drift = 0;
        if (motion > 0)
        {
            const Vec3 mass_center = (world.body_pose[body] * model.bodies.inertial_pose[body]).position;
            const Velocity& velocity = world.body_velocity[body];
            const double arm = norm(bound.center - mass_center);
            bound.drift = motion * (norm(velocity.linear) + norm(velocity.angular) * arm);
        }
        bound.margin = 0.5 * margin + (own_margins ? shapes.margin[s] + shapes.gap[s] : 0);
        bound.radius = shapes.bounding_radius[s] + bound.margin + bound.drift;
        bound.left = bound.center.x - bound.radius;
        if ((shapes.category[s] | shapes.mask[s]) == 0) continue;
        (bound.radius < std::numeric_limits<double>::infinity() ? finite : infinite).push_back(bound);
    }
    std::sort(finite.begin(), finite.end(),
              [](const Bound& a, const Bound& b) { return a.left != b.left ? a.left < b.left : a.shape < b.shape; });
}

void Collider::Scratch::add_if_allowed(const Bound& a, const Bound& b)
{
    if (!masks_match(model.shapes, a.shape, b.shape)) return;
    if (!bodies_may_collide(model, model.shapes.body[at(a.shape)], model.shapes.body[at(b.shape)])) return;
    pairs.push_back({std::min(a.shape, b.shape), std::max(a.shape, b.shape)});
}

bool Collider::Scratch::near_each_other(const WorldView& world, const Bound& a, const Bound& b, double extra) const
{
    const bool b_is_plane = model.shapes.type[at(b.shape)] == ShapeType::plane;
    if (model.shapes.type[at(a.shape)] != ShapeType::plane && !b_is_plane)
    {
        const Vec3 between = b.center - a.center;
        const double reach = a.radius + b.radius + extra;
        return dot(between, between) <= reach * reach;
    }
    const Bound& plane = b_is_plane ? b : a;
    const Bound& other = b_is_plane ? a : b;
    if (plane.drift > 0) return true;  // a plane that turns sweeps the further, the further out it is met
    const std::size_t body = at(model.shapes.body[at(plane.shape)]);
    const Quat rotation = world.body_pose[body].rotation * model.shapes.pose[at(plane.shape)].rotation;
    const double height = dot(rotate(rotation, Vec3{0, 0, 1}), other.center - plane.center);
    return height <= other.radius + plane.margin + extra;
}

void Collider::Scratch::find_pairs(const WorldView& world, double margin, double motion, bool own_margins)
{
    place_bounds(world, margin, motion, own_margins);
    pairs.clear();
    for (std::size_t i = 0; i < finite.size(); ++i)
    {
        const Bound& a = finite[i];
        for (std::size_t j = i + 1; j < finite.size() && finite[j].left <= a.center.x + a.radius; ++j)
        {
            if (near_each_other(world, a, finite[j], 0)) add_if_allowed(a, finite[j]);
        }
    }
    for (const Bound& a : infinite)
    {
        for (const Bound& b : finite)
        {
            if (near_each_other(world, a, b, 0)) add_if_allowed(a, b);
        }
    }
    for (const ShapePair& pair : explicit_pairs)
    {
        if (never_touch(model.shapes.type[at(pair.first)], model.shapes.type[at(pair.second)])) continue;
        const double extra = own_margins ? pair.margin + pair.gap : 0;
        if (!near_each_other(world, bounds[at(pair.first)], bounds[at(pair.second)], extra)) continue;
        pairs.push_back({pair.first, pair.second});
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

PlacedShape Collider::Scratch::place(const WorldView& world, int shape) const
{
    const Pose pose = world.body_pose[at(model.shapes.body[at(shape)])] * model.shapes.pose[at(shape)];
    return {model.shapes.type[at(shape)], pose.position, to_matrix(pose.rotation), model.shapes.size[at(shape)]};
}

const MaterialOptions& Collider::Scratch::find_combined(int first, int second)
{
    const auto [entry, is_new] = combined.try_emplace({first, second});
    if (is_new) entry->second = combine(model.materials[at(first)], model.materials[at(second)]);
    return entry->second;
}

void Collider::Scratch::add_contacts(const WorldView& world, const PairCandidate& pair, double margin)
{
    const Shapes& shapes = model.shapes;
    const bool ordered = shapes.type[at(pair.first)] <= shapes.type[at(pair.second)];
    const int first = ordered ? pair.first : pair.second, second = ordered ? pair.second : pair.first;
    const ShapeType first_type = shapes.type[at(first)], second_type = shapes.type[at(second)];
    if (never_touch(first_type, second_type)) return;
    const ManifoldFunction find_points = find_manifold_function(first_type, second_type);
    RB_CHECK(find_points != nullptr, std::string("no contact between ") + to_string(first_type) + " and " +
                                         to_string(second_type) + ": the solver must refuse such a model");

    const auto found = std::lower_bound(explicit_pairs.begin(), explicit_pairs.end(), pair, &comes_before);
    const bool is_explicit =
        found != explicit_pairs.end() && found->first == pair.first && found->second == pair.second;
    const ShapePair* own = is_explicit ? &*found : nullptr;
    const double pair_margin = own != nullptr ? own->margin : shapes.margin[at(first)] + shapes.margin[at(second)];
    const double gap = own != nullptr ? own->gap : shapes.gap[at(first)] + shapes.gap[at(second)];
    Manifold manifold;
    find_points(place(world, first), place(world, second), pair_margin + gap + margin, manifold);
    if (manifold.count == 0) return;

    const MaterialOptions& material = own != nullptr && own->material >= 0
                                          ? model.materials[at(own->material)]
                                          : find_combined(shapes.material[at(first)], shapes.material[at(second)]);
    for (int i = 0; i < manifold.count; ++i)
    {
        const ManifoldPoint& point = manifold.points[at(i)];
        contacts.items.push_back(
            {.first_body = shapes.body[at(first)],
             .second_body = shapes.body[at(second)],
             .first_shape = first,
             .second_shape = second,
             .point = point.point,
             .frame = make_contact_frame(point.normal),
             .distance = point.distance,
             .margin = pair_margin,
             .dimension = material.dimension,
             .friction = {material.friction, material.spinning_friction, material.rolling_friction},
             .softness = material.softness,
             .restitution = material.restitution,
             .feature = point.feature});
    }
}

Collider::Collider(const Model& model) : scratch_(new Scratch{.model = model})
{
    RB_CHECK(model.shape_count() < 1 << 28, "more shapes than contact features can tell apart");
    scratch_->bounds.resize(at(model.shape_count()));
    std::vector<ShapePair>& pairs = scratch_->explicit_pairs;
    for (const ShapePair& pair : model.pairs)
    {
        pairs.push_back(pair);
        if (pair.first > pair.second) std::swap(pairs.back().first, pairs.back().second);
    }
    const auto key = [](const ShapePair& pair) { return PairCandidate{pair.first, pair.second}; };
    std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto same = [&](const ShapePair& a, const ShapePair& b) { return key(a) == key(b); };
    pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
}
Collider::~Collider() = default;
Collider::Collider(Collider&&) noexcept = default;

const Contacts& Collider::find_contacts(const WorldView& world, double margin, ColliderMemory& memory)
{
    Scratch& scratch = *scratch_;
    scratch.find_pairs(world, margin, 0, true);
    scratch.contacts.clear();
    for (const PairCandidate& pair : scratch.pairs) scratch.add_contacts(world, pair, margin);
    std::sort(scratch.contacts.items.begin(), scratch.contacts.items.end(),
              [](const Contact& a, const Contact& b) { return key(a) < key(b); });
    memory.keys.clear();
    for (const Contact& contact : scratch.contacts.items) memory.keys.push_back(contact.feature);
    return scratch.contacts;
}

std::span<const PairCandidate> Collider::find_pairs(const WorldView& world, double margin, double motion)
{
    scratch_->find_pairs(world, margin, motion, false);
    return scratch_->pairs;
}

}  // namespace rattleback
