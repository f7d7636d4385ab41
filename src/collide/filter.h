// Which shapes may collide at all: the rules that hold for every pose.
#pragma once

#include <rattleback/query.h>

namespace rattleback
{

/// What the rules about bodies need to know of one.
struct BodyFilter
{
    int weld = 0;        ///< its rigidly welded group
    int above = 0;       ///< the group that the joints of its own attach it to; -1: it may touch that, too
    bool moves = false;  ///< forces can move it
};
BodyFilter make_body_filter(const Model& model, int body);
/// All rules about two bodies but exclusions.
inline bool may_collide(const BodyFilter& a, const BodyFilter& b)
{
    if (!(a.moves || b.moves) || a.weld == b.weld) return false;
    return a.weld == 0 || b.weld == 0 || (a.above != b.weld && b.above != a.weld);
}
/// True if the model excludes the two bodies.
bool are_excluded(const Model& model, int first_body, int second_body);

/// The rules about two bodies alone, the same as MuJoCo's: nothing collides within one rigidly welded group, nor where
/// neither body can be moved by forces, nor with the group that its joints attach it to (unless that is the world, or
/// the model's setting `filter_parents` is false), nor where the model excludes the two.
bool bodies_may_collide(const Model& model, int first_body, int second_body);

/// The rule about two shapes alone: categories and masks.
bool masks_match(const Shapes& shapes, int first, int second);

/// Index of the explicit pair of these two shapes in model.pairs, or -1.
int find_explicit_pair(const Model& model, int first_shape, int second_shape);

}  // namespace rattleback
