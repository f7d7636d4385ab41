// LaneContacts: contacts of a pack of worlds at once, by closed forms in all lanes, or lane by lane where a pair of
// types has none.
#pragma once

#include "collide/lane_boxes.h"
#include "collide/lane_rows.h"
#include "collide/manifold/closed_points.h"
#include "collide/material_table.h"
#include "dynamics/workspace.h"

#include <rattleback/query.h>

namespace rattleback
{

/// Two shapes that may touch, lower type first: constants of the Model.
struct LanePair
{
    int first = -1, second = -1;  ///< shapes
    int first_body = 0, second_body = 0;
    double margin = 0;      ///< contacts act below it [m]
    double reach = 0;       ///< and are found below it [m]
    bool of_plane = false;  ///< the first is a plane
    ContactSurface surface;
};

/// A point of a pair in the worlds of a pack.
template <class T>
struct LanePoint
{
    int pair = -1;
    MaskOf<T> touches = make_mask<T>(false);  ///< lanes that have it; in the others its numbers mean nothing
    T distance{};
    Vector3<T> point;
    Matrix3<T> frame;  ///< columns: normal, tangents
    std::array<std::uint64_t, static_cast<std::size_t>(kLaneCount<T>)> feature{};
};

/// For models of solid shapes with few pairs. The points of a lane, in their order, are the contacts that the lane's
/// world has whatever its neighbours are.
template <class T>
class LaneContacts
{
public:
    explicit LaneContacts(const Model& model);

    /// False for models with surfaces (exact meshes, height fields) or too many pairs: they need a Collider.
    bool serves_model() const { return serves_; }

    /// Points at the poses of the workspace; `filters` [lane]: pairs that a world leaves out.
    void find(const WorkspaceView<T>& w, std::span<const ContactFilter> filters);

    std::span<const LanePoint<T>> points() const { return {points_.data(), count_}; }
    const LanePair& pair(int index) const { return pairs_[static_cast<std::size_t>(index)]; }

    /// The contacts of the first lanes, a list for each; storage is used again.
    void write(std::span<Contacts> lanes) const;

private:
    using Finder = void (LaneContacts::*)(int pair, const MaskOf<T>& near);

    /// Pairs of shapes of two bodies, or of a plane and a body: looked at first, by boxes around the bodies.
    struct Group
    {
        int first = -1, second = -1;  ///< bodies; of a plane its shape in the place of the first
        bool of_plane = false;
        int begin = 0, end = 0;  ///< in grouped_
    };

    void list_pairs();
    void group_pairs();
    static Finder choose_finder(ShapeType first, ShapeType second);
    void place_shapes(const WorkspaceView<T>& w);
    void place_bodies();
    bool is_near(const Group& group) const;
    void list_near();
    void add_near(std::size_t pair);
    MaskOf<T> find_near(const LanePair& pair) const;
    MaskOf<T> drop_filtered(const LanePair& pair, MaskOf<T> near, std::span<const ContactFilter> filters) const;
    template <class Form>
    void find_closed(int pair, const MaskOf<T>& near);
    void find_by_lane(int pair, const MaskOf<T>& near);
    LanePoint<T>& open_point(int pair);

    const Model& model_;
    bool serves_ = true;
    std::vector<LanePair> pairs_;  ///< sorted by shapes, as contacts are
    std::vector<Finder> finders_;  ///< [pair]
    std::vector<Group> groups_;
    std::vector<int> grouped_;           ///< pairs by group
    std::vector<char> is_used_;          ///< [shape] by some pair
    std::vector<Mat3> turn_;             ///< [shape] axes in its body
    std::vector<ShapeBox> shape_boxes_;  ///< [shape] in its own axes; of planes unused
    std::vector<PlacedLanes<T>> shapes_;
    std::vector<LaneBox<T>> boxes_;           ///< [shape]
    std::vector<int> boxed_shapes_;           ///< of pairs, all but planes, by body
    std::vector<double> widening_;            ///< [shape] of its bounds: half of the furthest reach of its pairs [m]
    std::vector<LaneBounds<T>> bounds_;       ///< [shape]
    std::vector<LaneBounds<T>> body_bounds_;  ///< [body] around those of its boxed shapes
    LaneRows rows_;                           ///< of a world alone: its pairs, four at a time
    std::vector<std::uint64_t> is_near_;      ///< [pair] bits
    std::vector<MaskOf<T>> near_;             ///< [pair] where its bit is set
    std::vector<PlacedShape> unplaced_;       ///< [shape] for functions of one world
    std::vector<LanePoint<T>> points_;
    std::size_t count_ = 0;  ///< of points_ that are of this call
};

}  // namespace rattleback
