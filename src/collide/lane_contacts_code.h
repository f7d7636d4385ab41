// Contacts in lanes, for any scalar: near pairs of a fixed list, closed forms, and contact functions for what has none.
#pragma once

#include "collide/lane_contacts.h"

#include "base/flatten.h"
#include "base/index.h"
#include "collide/filter.h"
#include "collide/manifold/closed_plane.h"
#include "collide/manifold/closed_round.h"
#include "collide/model_shape.h"
#include "collide/surface/touch_surface.h"
#include "math/rotation.h"
#include "model/contact_frame.h"

#include <algorithm>
#include <bit>
#include <map>

namespace rattleback
{

namespace
{

constexpr std::size_t kMostPairs = 4000;  ///< every one is looked at in every step
constexpr int kMostShapes = 1000;         ///< every two are looked at once
/// Boxes are this much larger [m]: they never drop what touches.
template <class T>
constexpr double kRoundings = kIsSingle<T> ? 1e-6 : 1e-9;

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
    boxes_.resize(count);
    widening_.resize(count);
    bounds_.resize(count);
    body_bounds_.resize(at(model.body_count()));
    for (int s = 0; s < model.shape_count(); ++s)
    {
        unplaced_.push_back(make_unplaced(model, s));
        turn_.push_back(to_matrix(model.shapes.pose[at(s)].rotation));
        shapes_[at(s)].size = model.shapes.size[at(s)];
        shape_boxes_.push_back(find_shape_box(unplaced_.back()));
    }
    list_pairs();
    if (serves_) group_pairs();
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

/// Bodies in the order of their first pairs.
template <class T>
void LaneContacts<T>::group_pairs()
{
    std::map<std::array<int, 3>, std::vector<int>> lists;
    for (std::size_t p = 0; p < pairs_.size(); ++p)
    {
        const LanePair& pair = pairs_[p];
        const int first = pair.of_plane ? pair.first : pair.first_body;
        lists[{pair.of_plane ? 1 : 0, first, pair.second_body}].push_back(static_cast<int>(p));
    }
    for (const auto& [key, list] : lists)
    {
        Group group{.first = key[1], .second = key[2], .of_plane = key[0] != 0};
        group.begin = static_cast<int>(grouped_.size());
        grouped_.insert(grouped_.end(), list.begin(), list.end());
        group.end = static_cast<int>(grouped_.size());
        groups_.push_back(group);
    }
    is_near_.resize((pairs_.size() + 63) / 64);
    near_.resize(pairs_.size(), make_mask<T>(false));
    for (int s = 0; s < model_.shape_count(); ++s)
        if (is_used_[at(s)] != 0 && model_.shapes.type[at(s)] != ShapeType::plane) boxed_shapes_.push_back(s);
    std::stable_sort(boxed_shapes_.begin(), boxed_shapes_.end(),
                     [&](int a, int b) { return model_.shapes.body[at(a)] < model_.shapes.body[at(b)]; });
    for (const LanePair& pair : pairs_)
        for (const int s : {pair.first, pair.second})
            widening_[at(s)] = std::max(widening_[at(s)], 0.5 * pair.reach + kRoundings<T>);
    if constexpr (std::is_same_v<T, double>)
    {
        std::vector<std::array<int, 2>> pairs;
        for (const LanePair& pair : pairs_)
            pairs.push_back(pair.of_plane ? std::array{-1, -1} : std::array{pair.first, pair.second});
        rows_ = LaneRows(boxed_shapes_, pairs);
    }
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
RB_FLATTEN void LaneContacts<T>::place_shapes(const WorkspaceView<T>& w)
{
    const Shapes& shapes = model_.shapes;
    for (std::size_t s = 0; s < shapes_.size(); ++s)
    {
        if (is_used_[s] == 0) continue;
        const auto body = at(shapes.body[s]);
        PlacedLanes<T>& placed = shapes_[s];
        placed.position = w.position[body] + w.matrix[body] * broadcast<T>(shapes.pose[s].position);
        placed.rotation = w.matrix[body] * broadcast<T>(turn_[s]);
        const ShapeBox& box = shape_boxes_[s];
        const T* m = placed.rotation.m;
        boxes_[s].center = placed.position + placed.rotation * broadcast<T>(box.center);
        const bool is_capsule = shapes.type[s] == ShapeType::capsule;
        const Vec3& size = shapes.size[s];
        const T wide(widening_[s]);
        for (int k = 0; k < 3; ++k)
        {
            T& half = boxes_[s].half[k];
            if (is_capsule)
                half = absolute(m[3 * k + 2]) * T(size.y) + T(size.x);
            else
                half = absolute(m[3 * k]) * T(box.half.x) + absolute(m[3 * k + 1]) * T(box.half.y) +
                       absolute(m[3 * k + 2]) * T(box.half.z);
            bounds_[s].lower[k] = boxes_[s].center[k] - (half + wide);
            bounds_[s].upper[k] = boxes_[s].center[k] + (half + wide);
        }
    }
}

/// Bounds around those of all shapes of a body.
template <class T>
void LaneContacts<T>::place_bodies()
{
    for (std::size_t i = 0; i < boxed_shapes_.size();)
    {
        const int body = model_.shapes.body[at(boxed_shapes_[i])];
        LaneBounds<T> all = bounds_[at(boxed_shapes_[i])];
        for (++i; i < boxed_shapes_.size() && model_.shapes.body[at(boxed_shapes_[i])] == body; ++i)
        {
            const LaneBounds<T>& own = bounds_[at(boxed_shapes_[i])];
            for (int k = 0; k < 3; ++k)
            {
                all.lower[k] = minimum(all.lower[k], own.lower[k]);
                all.upper[k] = maximum(all.upper[k], own.upper[k]);
            }
        }
        body_bounds_[at(body)] = all;
    }
}

/// Lanes in which the boxes of two shapes, or of one and a plane, come within reach.
template <class T>
MaskOf<T> LaneContacts<T>::find_near(const LanePair& pair) const
{
    if (!pair.of_plane) return do_meet(bounds_[at(pair.first)], bounds_[at(pair.second)]);
    const PlacedLanes<T>& plane = shapes_[at(pair.first)];
    return is_near_plane(plane.rotation.column(2), plane.position, boxes_[at(pair.second)], pair.reach + kRoundings<T>);
}

/// Whether the bounds of a group's bodies meet in some lane; single pairs, and those of a plane, look for themselves.
template <class T>
bool LaneContacts<T>::is_near(const Group& group) const
{
    if (group.of_plane || group.end == group.begin + 1) return true;
    return any(do_meet(body_bounds_[at(group.first)], body_bounds_[at(group.second)]));
}

template <class T>
void LaneContacts<T>::add_near(std::size_t pair)
{
    const MaskOf<T> near = find_near(pairs_[pair]);
    if (!any(near)) return;
    near_[pair] = near;
    is_near_[pair / 64] |= std::uint64_t{1} << (pair % 64);
}

/// Bits of pairs that are near in some lane, and their lanes.
template <class T>
RB_FLATTEN void LaneContacts<T>::list_near()
{
    std::fill(is_near_.begin(), is_near_.end(), 0);
    // A world alone has four pairs in a pack, and asks planes one by one.
    const bool in_rows = !rows_.empty();
    if constexpr (std::is_same_v<T, double>)
    {
        if (in_rows) rows_.place(bounds_);
        rows_.visit([&](int p) { add_near(at(p)); });
    }
    if (!in_rows) place_bodies();
    for (const Group& group : groups_)
    {
        if ((in_rows && !group.of_plane) || !is_near(group)) continue;
        for (int i = group.begin; i < group.end; ++i) add_near(at(grouped_[at(i)]));
    }
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
RB_FLATTEN void LaneContacts<T>::find_closed(int index, const MaskOf<T>& near)
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
    // Boxes that turn with the shapes part most of those that are near: far less work than a distance.
    MaskOf<T> touching = near;
    if (!pair.of_plane)
    {
        const auto first = at(pair.first), second = at(pair.second);
        touching = may_touch<T>({boxes_[first].center, shapes_[first].rotation, shape_boxes_[first].half},
                                {boxes_[second].center, shapes_[second].rotation, shape_boxes_[second].half},
                                pair.reach + kRoundings<T>, near);
    }
    for (int k = 0; k < kLaneCount<T>; ++k)
    {
        if (!has_lane(touching, k)) continue;
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
    list_near();
    // In the order of the pairs, which is that of contacts.
    for (std::size_t word = 0; word < is_near_.size(); ++word)
    {
        for (std::uint64_t bits = is_near_[word]; bits != 0; bits &= bits - 1)
        {
            const std::size_t p = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
            const MaskOf<T> near = drop_filtered(pairs_[p], near_[p], filters);
            if (any(near)) (this->*finders_[p])(static_cast<int>(p), near);
        }
    }
}

/// Without lanes whose filter leaves the pair out.
template <class T>
MaskOf<T> LaneContacts<T>::drop_filtered(const LanePair& pair, MaskOf<T> near,
                                         std::span<const ContactFilter> filters) const
{
    for (int k = 0; k < kLaneCount<T>; ++k)
    {
        if (!filters[at(k)] || !has_lane(near, k)) continue;
        if (!filters[at(k)](ShapeId{pair.first}, ShapeId{pair.second})) drop_lane(near, k);
    }
    return near;
}

template <class T>
void LaneContacts<T>::write(std::span<Contacts> lanes) const
{
    // visit(lane) for each of the first lanes that has a point.
    const unsigned wanted = (1U << lanes.size()) - 1;
    const auto each_lane = [&](const LanePoint<T>& point, const auto& visit)
    {
        for (unsigned bits = static_cast<unsigned>(to_bits(point.touches)) & wanted; bits != 0; bits &= bits - 1)
            visit(static_cast<int>(std::countr_zero(bits)));
    };
    std::array<std::size_t, static_cast<std::size_t>(kLaneCount<T>)> count{};
    for (const LanePoint<T>& point : points()) each_lane(point, [&](int k) { ++count[at(k)]; });
    for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k].items.resize(count[k]);
    count = {};
    for (const LanePoint<T>& point : points())
    {
        const LanePair& pair = pairs_[at(point.pair)];
        each_lane(point,
                  [&](int k)
                  {
                      Contact& contact = lanes[at(k)].items[count[at(k)]++];
                      contact.first_body = BodyId{pair.first_body};
                      contact.second_body = BodyId{pair.second_body};
                      contact.first_shape = ShapeId{pair.first};
                      contact.second_shape = ShapeId{pair.second};
                      contact.point = take_lane(point.point, k);
                      for (int e = 0; e < 9; ++e) contact.frame.m[e] = lane(point.frame.m[e], k);
                      contact.distance = lane(point.distance, k);
                      contact.margin = pair.margin;
                      contact.dimension = pair.surface.dimension;
                      contact.friction = pair.surface.friction;
                      contact.softness = pair.surface.softness;
                      contact.restitution = pair.surface.restitution;
                      contact.adhesion = 0;  // of no pair in lanes
                      contact.feature = point.feature[at(k)];
                  });
    }
}

}  // namespace rattleback
