// Contacts in lanes: near pairs of a fixed list, closed forms, and contact functions for what has none.
#include "collide/lane_contacts.h"

#include "base/index.h"
#include "collide/filter.h"
#include "collide/manifold/closed_plane.h"
#include "collide/manifold/closed_round.h"
#include "collide/model_shape.h"
#include "collide/surface/touch_surface.h"
#include "math/rotation.h"
#include "model/contact_frame.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr std::size_t kMostPairs = 4000;  ///< every one is looked at in every step
constexpr int kMostShapes = 1000;         ///< every two are looked at once

/// All lanes but one.
void drop_lane(bool& mask, int) { mask = false; }
template <class S, int N>
void drop_lane(Mask<S, N>& mask, int lane)
{
    mask.lanes[lane] = 0;
}

template <class T>
Vec3 take_lane(const Vector3<T>& a, int i)
{
    return {lane(a.x, i), lane(a.y, i), lane(a.z, i)};
}

}  // namespace

template <class T>
LaneContacts<T>::LaneContacts(const Model& model) : model_(model)
{
    const auto count = at(model.shape_count());
    is_used_.resize(count);
    shapes_.resize(count);
    extents_.resize(count);
    for (int s = 0; s < model.shape_count(); ++s)
    {
        unplaced_.push_back(make_unplaced(model, s));
        turn_.push_back(to_matrix(model.shapes.pose[at(s)].rotation));
        shapes_[at(s)].size = model.shapes.size[at(s)];
    }
    list_pairs();
}

/// All pairs that pass the filters, in the order of contacts.
template <class T>
void LaneContacts<T>::list_pairs()
{
    const Shapes& shapes = model_.shapes;
    MaterialTable materials(model_, 1);
    const auto is_solid = [&](int s)
    {
        const PlacedShape& shape = unplaced_[at(s)];
        const bool needs_hull = shape.type == ShapeType::hull || shape.type == ShapeType::mesh;
        return !is_surface(shape) && (!needs_hull || shape.hull != nullptr);
    };
    serves_ = model_.shape_count() <= kMostShapes;
    for (int a = 0; a < model_.shape_count() && serves_; ++a)
    {
        for (int b = a + 1; b < model_.shape_count() && serves_; ++b)
        {
            if (never_touch(shapes.type[at(a)], shapes.type[at(b)]) || !may_collide(model_, ShapeId{a}, ShapeId{b}))
                continue;
            const bool in_order = shapes.type[at(a)] <= shapes.type[at(b)];
            const int first = in_order ? a : b, second = in_order ? b : a;
            const int own = find_explicit_pair(model_, a, b);
            const ShapePair* pair = own < 0 ? nullptr : &model_.pairs[at(own)];
            const double margin = pair ? pair->margin : shapes.margin[at(a)] + shapes.margin[at(b)];
            const double gap = pair ? pair->gap : shapes.gap[at(a)] + shapes.gap[at(b)];
            pairs_.push_back({.first = first,
                              .second = second,
                              .first_body = shapes.body[at(first)],
                              .second_body = shapes.body[at(second)],
                              .margin = margin,
                              .reach = margin + gap,
                              .of_plane = shapes.type[at(first)] == ShapeType::plane,
                              .surface = pair && pair->material >= 0 ? materials.find(pair->material)
                                                                     : materials.find(shapes.material[at(first)],
                                                                                      shapes.material[at(second)], 0)});
            is_used_[at(a)] = is_used_[at(b)] = 1;
            serves_ = is_solid(a) && is_solid(b) && pairs_.size() <= kMostPairs &&
                      find_manifold_function(shapes.type[at(a)], shapes.type[at(b)]) != nullptr;
        }
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const LanePair& x, const LanePair& y)
              { return std::pair(x.first, x.second) < std::pair(y.first, y.second); });
    for (const LanePair& pair : pairs_)
        finders_.push_back(choose_finder(shapes.type[at(pair.first)], shapes.type[at(pair.second)]));
}

template <class T>
typename LaneContacts<T>::Finder LaneContacts<T>::choose_finder(ShapeType first, ShapeType second)
{
    // The pairs of manifold.cpp that have a closed form.
    using enum ShapeType;
    const auto is = [&](ShapeType a, ShapeType b) { return first == a && second == b; };
    if (is(plane, sphere)) return &LaneContacts::template find_closed<PlaneSphere>;
    if (is(plane, capsule)) return &LaneContacts::template find_closed<PlaneCapsule>;
    if (is(plane, box)) return &LaneContacts::template find_closed<PlaneBox>;
    if (is(plane, cylinder)) return &LaneContacts::template find_closed<PlaneCylinder>;
    if (is(plane, ellipsoid)) return &LaneContacts::template find_closed<PlaneEllipsoid>;
    if (is(sphere, sphere)) return &LaneContacts::template find_closed<SphereSphere>;
    if (is(sphere, capsule)) return &LaneContacts::template find_closed<SphereCapsule>;
    if (is(sphere, box)) return &LaneContacts::template find_closed<SphereBox>;
    if (is(sphere, cylinder)) return &LaneContacts::template find_closed<SphereCylinder>;
    if (is(capsule, capsule)) return &LaneContacts::template find_closed<CapsuleCapsule>;
    return &LaneContacts::find_by_lane;
}

/// Shapes in the world, and boxes around them.
template <class T>
void LaneContacts<T>::place_shapes(const WorkspaceView<T>& w)
{
    const Shapes& shapes = model_.shapes;
    for (std::size_t s = 0; s < shapes_.size(); ++s)
    {
        if (is_used_[s] == 0) continue;
        const auto body = at(shapes.body[s]);
        PlacedLanes<T>& placed = shapes_[s];
        placed.position = w.position[body] + w.matrix[body] * broadcast<T>(shapes.pose[s].position);
        placed.rotation = w.matrix[body] * broadcast<T>(turn_[s]);
        const Vec3& size = shapes.size[s];
        if (shapes.type[s] == ShapeType::capsule)
        {
            const Vector3<T> axis = placed.rotation.column(2);
            for (int k = 0; k < 3; ++k) extents_[s][k] = absolute(axis[k]) * T(size.y) + T(size.x);
        }
        else if (shapes.type[s] == ShapeType::box)
        {
            for (int k = 0; k < 3; ++k)
                extents_[s][k] = absolute(placed.rotation.m[3 * k]) * T(size.x) +
                                 absolute(placed.rotation.m[3 * k + 1]) * T(size.y) +
                                 absolute(placed.rotation.m[3 * k + 2]) * T(size.z);
        }
        else
        {
            const T radius(shapes.bounding_radius[s]);
            extents_[s] = {radius, radius, radius};
        }
    }
}

/// Lanes in which the boxes of two shapes, or a shape's bounding ball and a plane, come within reach; a few roundings
/// more than that.
template <class T>
MaskOf<T> LaneContacts<T>::find_near(const LanePair& pair) const
{
    const Vector3<T> between = shapes_[at(pair.second)].position - shapes_[at(pair.first)].position;
    const T reach(pair.reach + 1e-9);
    if (pair.of_plane)
    {
        const Vector3<T> normal = shapes_[at(pair.first)].rotation.column(2);
        return dot(normal, between) < reach + T(model_.shapes.bounding_radius[at(pair.second)]);
    }
    const Vector3<T> sum = extents_[at(pair.first)] + extents_[at(pair.second)];
    const MaskOf<T> x = absolute(between.x) < sum.x + reach, y = absolute(between.y) < sum.y + reach;
    return both(both(x, y), absolute(between.z) < sum.z + reach);
}

template <class T>
LanePoint<T>& LaneContacts<T>::open_point(int pair)
{
    if (count_ == points_.size()) points_.emplace_back();
    LanePoint<T>& point = points_[count_++];
    point.pair = pair;
    return point;
}

template <class T>
template <class Form>
void LaneContacts<T>::find_closed(int index, const MaskOf<T>& near)
{
    const LanePair& pair = pairs_[at(index)];
    const auto found = find_touch_points<Form>(shapes_[at(pair.first)], shapes_[at(pair.second)], pair.reach);
    Matrix3<T> frame;
    bool has_frame = false;
    for (const TouchPoint<T>& p : found)
    {
        const MaskOf<T> touches = both(near, p.touches);
        if (!any(touches)) continue;
        if (!has_frame) frame = find_contact_frame(p.normal, Form::find_tangent(shapes_[at(pair.second)]));
        has_frame = Form::kSharesFrame;
        LanePoint<T>& point = open_point(index);
        point.touches = touches;
        point.distance = p.distance;
        point.point = p.point;
        point.frame = frame;
        for (int k = 0; k < kLaneCount<T>; ++k)
            point.feature[at(k)] = has_lane(touches, k) ? static_cast<std::uint64_t>(lane(p.feature, k)) : 0;
    }
}

/// Contact functions of one world, for each lane that is near.
template <class T>
void LaneContacts<T>::find_by_lane(int index, const MaskOf<T>& near)
{
    const LanePair& pair = pairs_[at(index)];
    const ManifoldFunction function =
        find_manifold_function(model_.shapes.type[at(pair.first)], model_.shapes.type[at(pair.second)]);
    const std::size_t begin = count_;
    Manifold manifold;
    for (int k = 0; k < kLaneCount<T>; ++k)
    {
        if (!has_lane(near, k)) continue;
        for (const int s : {pair.first, pair.second})
        {
            PlacedShape& placed = unplaced_[at(s)];
            placed.position = take_lane(shapes_[at(s)].position, k);
            for (int e = 0; e < 9; ++e) placed.rotation.m[e] = lane(shapes_[at(s)].rotation.m[e], k);
        }
        manifold.count = 0;
        function(unplaced_[at(pair.first)], unplaced_[at(pair.second)], pair.reach, manifold);
        for (int i = 0; i < manifold.count; ++i)
        {
            const std::size_t slot = begin + at(i);
            if (slot == count_) open_point(index).touches = make_mask<T>(false);
            LanePoint<T>& point = points_[slot];
            const ManifoldPoint& found = manifold.points[at(i)];
            set_true(point.touches, k);
            set_lane(point.distance, k, found.distance);
            for (int e = 0; e < 3; ++e) set_lane(point.point[e], k, found.point[e]);
            const Mat3 frame = make_contact_frame(found.normal, found.tangent);
            for (int e = 0; e < 9; ++e) set_lane(point.frame.m[e], k, frame.m[e]);
            point.feature[at(k)] = found.feature;
        }
    }
}

template <class T>
void LaneContacts<T>::find(const WorkspaceView<T>& w, std::span<const ContactFilter> filters)
{
    count_ = 0;
    place_shapes(w);
    for (std::size_t p = 0; p < pairs_.size(); ++p)
    {
        MaskOf<T> near = find_near(pairs_[p]);
        if (!any(near)) continue;
        for (int k = 0; k < kLaneCount<T>; ++k)
        {
            if (!filters[at(k)] || !has_lane(near, k)) continue;
            if (!filters[at(k)](ShapeId{pairs_[p].first}, ShapeId{pairs_[p].second})) drop_lane(near, k);
        }
        if (any(near)) (this->*finders_[p])(static_cast<int>(p), near);
    }
}

template <class T>
void LaneContacts<T>::write(int lane_index, std::vector<Contact>& contacts) const
{
    std::size_t count = 0;
    for (const LanePoint<T>& point : points()) count += has_lane(point.touches, lane_index) ? 1 : 0;
    contacts.resize(count);
    count = 0;
    for (const LanePoint<T>& point : points())
    {
        if (!has_lane(point.touches, lane_index)) continue;
        const LanePair& pair = pairs_[at(point.pair)];
        Contact& contact = contacts[count++];
        contact.first_body = BodyId{pair.first_body};
        contact.second_body = BodyId{pair.second_body};
        contact.first_shape = ShapeId{pair.first};
        contact.second_shape = ShapeId{pair.second};
        contact.point = take_lane(point.point, lane_index);
        for (int e = 0; e < 9; ++e) contact.frame.m[e] = lane(point.frame.m[e], lane_index);
        contact.distance = lane(point.distance, lane_index);
        contact.margin = pair.margin;
        contact.dimension = pair.surface.dimension;
        contact.friction = pair.surface.friction;
        contact.softness = pair.surface.softness;
        contact.restitution = pair.surface.restitution;
        contact.feature = point.feature[at(lane_index)];
    }
}

template class LaneContacts<double>;
template class LaneContacts<Pack4>;

}  // namespace rattleback
