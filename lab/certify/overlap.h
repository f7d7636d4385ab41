// Whether two complexes intersect where they are, and how deeply; how far apart they are.
#pragma once

#include "lab/certify/complex.h"

namespace rattleback::lab
{

/// Where a body is: its centre of mass and axes.
struct Place
{
    Mat3 rotation;
    Vec3 center;

    Vec3 operator()(const Vec3& x) const { return rotation * x + center; }
};

struct Overlap
{
    bool intersects = false;  ///< by exact tests where no radius is involved, else beyond 1e-12 of the size
    /// Of solids: how far the deepest vertex, middle of an edge or of a face of one lies below the surface of the
    /// other, of many every few; of what has a radius: how much nearer than that; otherwise the largest shift that
    /// parts an edge from a triangle which it pierces.
    double depth = 0;  ///< [m]
};

/// `contained`: also look whether one solid lies inside the other without touching its surface.
Overlap find_overlap(const Complex& first, const Place& first_place, const Complex& second, const Place& second_place,
                     bool contained);

/// Distance of the surfaces of two that do not intersect, to rounding, where it is below `reach` > 0; otherwise `reach`
/// [m].
double find_distance(const Complex& first, const Place& first_place, const Complex& second, const Place& second_place,
                     double reach);

/// Calls visit(element of first, element of second) for all that come within `margin` [m] of each other's boxes.
template <class Visit>
void visit_near(const Complex& first, const Place& first_place, const Complex& second, const Place& second_place,
                double margin, Visit&& visit)
{
    // In the frame of the second.
    const Mat3 back = transpose(second_place.rotation);
    const Place relative{back * first_place.rotation, back * (first_place.center - second_place.center)};
    const BoxTurn turn(relative.rotation, relative.center, margin);
    const auto find_box = [&](int item)
    {
        Aabb box = kEmptyBox;
        const Element& element = first.elements[static_cast<std::size_t>(item)];
        for (int k = 0; k < element.count; ++k)
        {
            const Vec3 v = relative(first.corner(element, k));
            box = merge(box, {v, v});
        }
        return inflate(box, margin);
    };
    std::vector<int> front;
    first.tree.query_pairs(second.tree, turn, front, find_box,
                           [&](int item, const auto& others)
                           {
                               for (const int other : others) visit(item, other);
                           });
}

}  // namespace rattleback::lab
