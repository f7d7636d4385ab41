// Collision filters: MuJoCo's rules about bodies, categories and masks, and a quick search for any pair that passes.
#include "collide/filter.h"

#include "base/index.h"
#include "collide/manifold.h"
#include "collide/surface/touch_surface.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr int kMaxTests = 1 << 22;  // a fraction of a second; past it any pair with matching masks is the answer
constexpr int kBits = 32;

// Rules of MuJoCo: masks of shapes, then rules about bodies (welded groups, parents, exclusions), and explicit pairs
// beyond all of them. Solvers must know before a run whether any pair can touch that they have no contact for, without
// testing all pairs: one shape per body and bit is enough.

PairCandidate make_candidate(int a, int b) { return {ShapeId{std::min(a, b)}, ShapeId{std::max(a, b)}}; }

// Moved by forces: a body with a degree of freedom somewhere on its path.
bool moves(const Model& model, int shape)
{
    // Kinematic bodies move, but no force moves them: they need a partner with dofs.
    return model.bodies.last_dof[static_cast<std::size_t>(model.shapes.body[static_cast<std::size_t>(shape)])] >= 0;
}

/// Of the shapes whose bits include `bit`, the first on each body; those that forces can move come first.
std::vector<int> select_shapes(const Model& model, const std::vector<int>& shapes,
                               const std::vector<std::uint32_t>& bits, std::uint32_t bit)
{
    // One shape per body is enough: the rules about bodies do not depend on the shape.
    std::vector<char> seen(static_cast<std::size_t>(model.body_count()), 0);
    std::vector<int> selected;
    for (const int shape : shapes)
    {
        const auto s = static_cast<std::size_t>(shape);
        char& taken = seen[static_cast<std::size_t>(model.shapes.body[s])];
        if ((bits[s] & bit) == 0 || taken != 0) continue;
        taken = 1;
        selected.push_back(shape);
    }
    // With movable ones first, a static receiver ends the inner loop.
    std::stable_partition(selected.begin(), selected.end(), [&](int shape) { return moves(model, shape); });
    return selected;
}

/// A pair, one shape of each list, that passes all filters but explicit pairs.
std::optional<PairCandidate> find_pair_between(const Model& model, const std::vector<int>& first,
                                               const std::vector<int>& second)
{
    // A bound on the work: a model with thousands of bodies that all exclude each other must not take minutes.
    int tests = 0;
    // Bit by bit: a pair passes when a category of one meets a mask of the other in any bit.
    for (int bit = 0; bit < kBits; ++bit)
    {
        const std::uint32_t mask = std::uint32_t{1} << bit;
        const std::vector<int> carriers = select_shapes(model, first, model.shapes.category, mask);
        if (carriers.empty()) continue;
        const std::vector<int> receivers = select_shapes(model, second, model.shapes.mask, mask);
        for (const int a : carriers)
        {
            const bool a_moves = moves(model, a);
            for (const int b : receivers)
            {
                // Neither of two static shapes can be moved into the other.
                if (!a_moves && !moves(model, b)) break;  // the movable receivers came first
                const int body_a = model.shapes.body[static_cast<std::size_t>(a)];
                const int body_b = model.shapes.body[static_cast<std::size_t>(b)];
                if (body_a == body_b) continue;
                if (bodies_may_collide(model, body_a, body_b) || ++tests > kMaxTests) return make_candidate(a, b);
            }
        }
    }
    return std::nullopt;
}

}  // namespace

BodyFilter make_body_filter(const Model& model, int body)
{
    const Bodies& bodies = model.bodies;
    const auto b = static_cast<std::size_t>(body);
    // The parent of a welded group is that of its topmost body.
    const int parent = bodies.parent[static_cast<std::size_t>(bodies.weld[b])];
    const int above = parent < 0 ? 0 : bodies.weld[static_cast<std::size_t>(parent)];
    return {
        .weld = bodies.weld[b], .above = model.settings.filter_parents ? above : -1, .moves = bodies.last_dof[b] >= 0};
}

bool are_excluded(const Model& model, int first_body, int second_body)
{
    const std::pair<int, int> key = std::minmax(first_body, second_body);
    // Excluded pairs are sorted by the builder.
    return std::binary_search(model.excluded_bodies.begin(), model.excluded_bodies.end(), key);
}

bool bodies_may_collide(const Model& model, int first_body, int second_body)
{
    return may_collide(make_body_filter(model, first_body), make_body_filter(model, second_body)) &&
           !are_excluded(model, first_body, second_body);
}

bool masks_match(const Shapes& shapes, int first, int second)
{
    const auto a = static_cast<std::size_t>(first), b = static_cast<std::size_t>(second);
    // Either way round, as in MuJoCo: (contype1 & conaffinity2) || (contype2 & conaffinity1).
    return (shapes.category[a] & shapes.mask[b]) != 0 || (shapes.category[b] & shapes.mask[a]) != 0;
}

int find_explicit_pair(const Model& model, int first_shape, int second_shape)
{
    const PairCandidate wanted = make_candidate(first_shape, second_shape);
    const auto found = std::find_if(model.pairs.begin(), model.pairs.end(), [&](const ShapePair& pair)
                                    { return make_candidate(pair.first, pair.second) == wanted; });
    return found == model.pairs.end() ? -1 : static_cast<int>(found - model.pairs.begin());
}

bool may_collide(const Model& model, ShapeId first, ShapeId second)
{
    // Ids of another model are a mistake of the program.
    const auto exists = [&](ShapeId shape) { return shape.valid() && shape.index < model.shape_count(); };
    RB_CHECK(exists(first) && exists(second), "may_collide: no such shape");
    if (first == second) return false;
    // An explicit pair speaks for itself, whatever masks and exclusions say.
    if (find_explicit_pair(model, first.index, second.index) >= 0) return true;
    return masks_match(model.shapes, first.index, second.index) &&
           bodies_may_collide(model, model.shapes.body[at(first)], model.shapes.body[at(second)]);
}

std::optional<PairCandidate> find_any_pair(const Model& model)
{
    // Explicit pairs pass every filter.
    if (!model.pairs.empty()) return make_candidate(model.pairs.front().first, model.pairs.front().second);
    std::vector<int> all;
    for (int shape = 0; shape < model.shape_count(); ++shape)
    {
        const auto s = static_cast<std::size_t>(shape);
        // Shapes without any bit collide in explicit pairs only.
        if ((model.shapes.category[s] | model.shapes.mask[s]) != 0) all.push_back(shape);
    }
    return find_pair_between(model, all, all);
}

std::optional<PairCandidate> find_unsupported_pair(const Model& model)
{
    constexpr std::size_t kExactMesh = kShapeTypeCount;  // a kind of its own, touched by its triangles
    std::array<std::vector<int>, kShapeTypeCount + 1> of_kind;
    const auto find_kind = [&](int shape)
    {
        const auto s = static_cast<std::size_t>(shape);
        const ShapeType type = model.shapes.type[s];
        const bool is_exact = type == ShapeType::mesh && model.shapes.mesh_collide[s] == MeshCollide::exact;
        return is_exact ? kExactMesh : static_cast<std::size_t>(type);
    };
    // Of two kinds: exact triangles by their own rules, all others by the table of contact functions.
    const auto is_supported = [](std::size_t a, std::size_t b)
    {
        const auto to_type = [](std::size_t kind)
        { return kind == kExactMesh ? ShapeType::mesh : static_cast<ShapeType>(kind); };
        const auto has_triangles = [](std::size_t kind)
        { return kind == kExactMesh || kind == at(ShapeType::surface) || kind == at(ShapeType::height_field); };
        const ShapeType first = to_type(a), second = to_type(b);
        if (has_triangles(a) || has_triangles(b))
            return can_touch_surface(first, has_triangles(a), second, has_triangles(b));
        return never_touch(first, second) || find_manifold_function(first, second) != nullptr;
    };
    // Kinds and not pairs of shapes: the table of functions is by kind, and there are few.
    for (int shape = 0; shape < model.shape_count(); ++shape) of_kind[find_kind(shape)].push_back(shape);
    // Explicit pairs first, then kinds that meet nowhere in the table.
    for (const ShapePair& pair : model.pairs)
    {
        if (is_supported(find_kind(pair.first), find_kind(pair.second))) continue;
        return make_candidate(pair.first, pair.second);
    }
    for (std::size_t a = 0; a < of_kind.size(); ++a)
    {
        for (std::size_t b = 0; b < of_kind.size(); ++b)
        {
            if (of_kind[a].empty() || of_kind[b].empty() || is_supported(a, b)) continue;
            if (const auto pair = find_pair_between(model, of_kind[a], of_kind[b])) return pair;
        }
    }
    return std::nullopt;
}

}  // namespace rattleback
