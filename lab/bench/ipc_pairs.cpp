// Element by element; an element owns some of its vertices and edges, so that shared ones count once.
#include "lab/bench/ipc_pairs.h"

#include "base/index.h"
#include "geometry/simplex_distance.h"
#include "lab/bench/ipc_common.h"
#include "record/recording_format.h"

namespace rattleback::lab
{

PairCounter::PairCounter(const Model& model, bool welded) : collider_(model), welded_(welded)
{
    const RecordedModel recorded = make_recorded_model(model, {});
    for (int i = 0; i < model.shape_count(); ++i)
    {
        bodies_.push_back(recorded.shapes[at(i)].body);
        centers_.push_back(recorded.bodies[at(bodies_.back())].center);
        complexes_.push_back(make_complex(recorded, i));
    }
    places_.resize(complexes_.size());
    reach_ = find_ipc_parameter(model, "dhat") + find_ipc_parameter(model, "dmin");
}

std::int64_t PairCounter::count(const State& state)
{
    if (reach_ == 0) return 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
    {
        const Pose& pose = state.body_pose[at(bodies_[i])];
        places_[i] = {to_matrix(pose.rotation), pose.position + rotate(pose.rotation, centers_[i])};
    }
    std::int64_t sum = 0;
    for (const PairCandidate& pair : collider_.find_pairs(state.world(0), reach_))
        sum += count_pair(pair.first.index, pair.second.index);
    return sum;
}

std::int64_t PairCounter::count_pair(int first, int second) const
{
    const Complex &a = complexes_[at(first)], &b = complexes_[at(second)];
    const Place &p = places_[at(first)], &q = places_[at(second)];
    std::int64_t sum = 0;
    if (a.plane || b.plane)
    {
        const Complex &ground = a.plane ? a : b, &other = a.plane ? b : a;
        const Place &under = a.plane ? p : q, &above = a.plane ? q : p;
        const Vec3 origin = under(ground.vertices.front()), up = under.rotation * ground.normal;
        for (const Vec3& vertex : other.vertices)
            sum += dot(up, above(vertex) - origin) < reach_ + other.radius ? 1 : 0;
        return sum;
    }
    const double reach = reach_ + a.radius + b.radius;
    const auto is_near = [&](const Simplex& x, const Simplex& y) { return norm(find_nearest(x, y).between) < reach; };
    visit_near(a, p, b, q, reach,
               [&](int item, int other)
               {
                   const Element &x = a.elements[at(item)], &y = b.elements[at(other)];
                   std::array<Vec3, 3> corner_x, corner_y;
                   for (int k = 0; k < x.count; ++k) corner_x[at(k)] = p(a.corner(x, k));
                   for (int k = 0; k < y.count; ++k) corner_y[at(k)] = q(b.corner(y, k));
                   const auto edge = [](const std::array<Vec3, 3>& corner, int count, int k)
                   { return Simplex{{corner[at(k)], corner[at((k + 1) % count)]}, 2}; };
                   for (int k = 0; y.count == 3 && k < x.count; ++k)
                       if (x.owns_vertex[at(k)] || !welded_)
                           sum += is_near({{corner_x[at(k)]}, 1}, {corner_y, 3}) ? 1 : 0;
                   for (int k = 0; x.count == 3 && k < y.count; ++k)
                       if (y.owns_vertex[at(k)] || !welded_)
                           sum += is_near({{corner_y[at(k)]}, 1}, {corner_x, 3}) ? 1 : 0;
                   for (int i = 0; i < x.edge_count(); ++i)
                       for (int k = 0; k < y.edge_count(); ++k)
                           if ((x.owns_edge[at(i)] && y.owns_edge[at(k)]) || !welded_)
                               sum += is_near(edge(corner_x, x.count, i), edge(corner_y, y.count, k)) ? 1 : 0;
               });
    return sum;
}

}  // namespace rattleback::lab
