// The exhaustive search for the direction along which two overlapping shapes come apart soonest.
#pragma once

#include "geometry/placed_shape.h"

#include <vector>

namespace rattleback
{

/// Directions along which a shape has edges, and normals of its faces, world, unit.
struct SearchCandidates
{
    std::vector<Vec3> edges, faces;
};

/// The search for the direction with the largest gap.
class GapSearch
{
public:
    GapSearch(const PlacedShape& first, const PlacedShape& second) : first_(first), second_(second) {}

    /// `guess`: one more direction to start from.
    void run(const Vec3& guess);
    double gap() const { return peaks_.front().gap; }
    const Vec3& normal() const { return peaks_.front().normal; }
    /// Whether nothing else is about as good and the gap falls off on all sides.
    bool is_unique(double scale) const;

private:
    struct Peak
    {
        double gap = 0;
        Vec3 normal;
    };

    double evaluate(const Vec3& n) const;
    void add(const Vec3& normal);
    void add_products(const SearchCandidates& a, const SearchCandidates& b);
    void add_circle(const Vec3& axis);
    void add_cover();
    void climb(Vec3 normal);
    void polish(Peak peak);
    void sort();

    const PlacedShape& first_;
    const PlacedShape& second_;
    std::vector<Peak> peaks_;
};

}  // namespace rattleback
