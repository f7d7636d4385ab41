// Finds shapes that start inside each other: solvers push them apart, in one step where they can, and off they fly.
#include "engine/overlaps.h"

#include "base/index.h"
#include "geometry/bounds.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

namespace rattleback
{

namespace
{

// Both must be exceeded. Contacts at rest give way by less than a hundredth of a body's size in all solvers, and models
// that were drawn to a tenth of a millimetre touch by less than one; what is deeper was not meant.
constexpr double kOverlapShare = 0.01;
constexpr double kLeastOverlap = 1e-3;  // [m]
constexpr std::size_t kMaxNamed = 10;

struct Overlap
{
    PairCandidate pair;
    double depth = 0;  ///< [m]
};

/// Thickness of a shape along the thinnest of its own axes [m]; infinite for planes.
double find_thickness(const Model& model, int shape)
{
    // What counts as deep depends on the thinner shape: a millimetre in a sheet is not a millimetre in a crate.
    const Shapes& shapes = model.shapes;
    const ShapeType type = shapes.type[at(shape)];
    const int asset = shapes.asset[at(shape)];
    if (type == ShapeType::plane) return std::numeric_limits<double>::infinity();
    // The box around the shape in its own frame.
    const bool field = type == ShapeType::height_field;
    const Aabb box =
        compute_bounds(type, shapes.size[at(shape)], asset >= 0 && !field ? &model.meshes[at(asset)] : nullptr,
                       asset >= 0 && field ? &model.height_fields[at(asset)] : nullptr, Pose{});
    const Vec3 size = box.upper - box.lower;
    return std::min({size.x, size.y, size.z});
}

std::string to_millimetres(double metres)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.3g mm", 1000 * metres);
    return buffer.data();
}

Error describe(const Model& model, const Overlap& overlap)
{
    const Shapes& shapes = model.shapes;
    const auto name = [&](ShapeId shape)
    {
        const std::string& body = model.bodies.name[at(shapes.body[at(shape)])];
        return "'" + shapes.name[at(shape)] + "' (body '" + body + "')";
    };
    return {.code = ErrorCode::invalid_value,
            .where = "shapes " + name(overlap.pair.first) + " and " + name(overlap.pair.second),
            .message = "start " + to_millimetres(overlap.depth) + " inside each other and will be pushed apart",
            .hint = "move them apart, or exclude the pair"};
}

}  // namespace

std::vector<Error> find_overlaps(const Setup& setup, const ConstWorldView& world)
{
    const Model& model = *setup.model;
    if (model.shape_count() < 2 || !has_contacts(setup)) return {};
    Collider collider(model);
    std::vector<Overlap> overlaps;
    // Boxes that overlap first; the signed distance of these alone.
    for (const PairCandidate& pair : collider.find_pairs(world, 0))
    {
        const std::optional<ShapeGap> gap = find_distance(model, world, pair.first, pair.second);
        if (!gap || !(-gap->distance > kLeastOverlap)) continue;
        const double thickness =
            std::min(find_thickness(model, pair.first.index), find_thickness(model, pair.second.index));
        if (-gap->distance > kOverlapShare * thickness) overlaps.push_back({pair, -gap->distance});
    }
    // The deepest first; the rest is counted.
    std::stable_sort(overlaps.begin(), overlaps.end(),
                     [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });

    std::vector<Error> warnings;
    for (std::size_t i = 0; i < std::min(overlaps.size(), kMaxNamed); ++i)
        warnings.push_back(describe(model, overlaps[i]));
    if (overlaps.size() > kMaxNamed)
    {
        warnings.push_back({.code = ErrorCode::invalid_value,
                            .where = "",
                            .message = "and " + std::to_string(overlaps.size() - kMaxNamed) +
                                       " more pairs of shapes start inside each other"});
    }
    return warnings;
}

}  // namespace rattleback
