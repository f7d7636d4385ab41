// Starts in words: which shapes are too deep in each other, and which lie further inside than they are drawn.
#include "solvers/ipc/start_words.h"

#include "base/decimal.h"
#include "base/index.h"

#include <rattleback/query.h>

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

std::string name_shape(const Model& model, int shape)
{
    return "shape " + std::to_string(shape) + " '" + model.shapes.name[at(shape)] + "'";
}

std::string to_millimetres(double metres) { return to_digits(1000 * metres, 3) + " mm"; }

}  // namespace

double find_depth(const Model& model, const ConstWorldView& world, int first, int second)
{
    const std::optional<ShapeGap> gap = rattleback::find_distance(model, world, ShapeId{first}, ShapeId{second});
    return gap ? std::max(0.0, -gap->distance) : 0;
}

std::vector<Error> describe_overlaps(const Model& model, const ConstWorldView& world, std::span<const DeepOverlap> deep)
{
    constexpr std::size_t kMostNamed = 10;
    std::vector<Error> errors;
    for (const DeepOverlap& overlap : deep.first(std::min(deep.size(), kMostNamed)))
    {
        const auto [first, second] = std::minmax(overlap.first, overlap.second);
        const double depth = find_depth(model, world, first, second);
        const std::string by = depth > 0 ? ", by " + to_millimetres(depth) : "";
        const std::string room = overlap.most > 0 ? "takes up to " + to_millimetres(overlap.most) + " of these two"
                                                  : "cannot move the surfaces of these two inwards";
        errors.push_back(
            {.where = name_shape(model, first),
             .message = "touches or intersects " + name_shape(model, second) + by + "; solver 'ipc' " + room,
             .hint = "move them apart, or exclude the pair"});
    }
    if (deep.size() > kMostNamed)
        errors.push_back({.where = "",
                          .message = "and " + std::to_string(deep.size() - kMostNamed) +
                                     " more pairs of shapes start inside each other"});
    return errors;
}

std::vector<Error> describe_insets(const Model& model, const Layout& layout, std::span<const OwnInset> insets,
                                   const std::string& where)
{
    if (insets.empty()) return {};
    const auto largest = std::max_element(insets.begin(), insets.end(),
                                          [](const OwnInset& a, const OwnInset& b) { return a.inset < b.inset; });
    const auto others = insets.size() - 1;
    const std::string rest = others == 0 ? ""
                                         : ", and those of " + std::to_string(others) +
                                               (others == 1 ? " other shape" : " other shapes") + " by as much or less";
    return {{.code = ErrorCode::invalid_value,
             .where = name_shape(model, layout.pieces[at(largest->piece)].shape),
             .message = "touches or overlaps another at " + where + ": in solver 'ipc' its sides lie " +
                        to_millimetres(largest->inset) + " further inside" + rest,
             .hint = "until nothing is near them; with gaps of " + to_millimetres(layout.reach) +
                     " shapes stay as they are"}};
}

std::vector<Error> describe_refused_keyframe(const Model& model, const ConstWorldView& world,
                                             std::span<const DeepOverlap> deep, const std::string& where)
{
    Error error = describe_overlaps(model, world, deep.first(1)).front();
    error.code = ErrorCode::invalid_value;
    error.message = "at " + where + " it " + error.message;
    if (deep.size() > 1)
        error.message += "; " + std::to_string(deep.size() - 1) + " more pairs are too deep in each other there";
    return {error};
}

}  // namespace rattleback::ipc
