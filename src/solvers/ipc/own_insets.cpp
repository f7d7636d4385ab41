// Surfaces of worlds with insets of their own, and when they are given up.
#include "solvers/ipc/own_insets.h"

#include "base/index.h"
#include "geometry/bounds.h"
#include "solvers/ipc/inset.h"
#include "solvers/ipc/inset_search.h"

#include <algorithm>

namespace rattleback::ipc
{

double find_overlap_limit(const Model& model, const Piece& piece)
{
    constexpr double kShare = 0.01, kLeast = 2.5e-3, kMostShare = 0.25;
    const Shapes& shapes = model.shapes;
    const ShapeType type = shapes.type[at(piece.shape)];
    const bool is_thin = type == ShapeType::surface || type == ShapeType::points || type == ShapeType::segments;
    if (is_thin) return 0;
    const int asset = shapes.asset[at(piece.shape)];
    const Aabb box = compute_bounds(type, shapes.size[at(piece.shape)], asset >= 0 ? &model.meshes[at(asset)] : nullptr,
                                    nullptr, Pose{});
    const Vec3 size = box.upper - box.lower;
    const double thickness = std::min({size.x, size.y, size.z});
    return std::min(kMostShare * thickness, std::max(kLeast, kShare * thickness));
}

double find_touching_gap(const Layout& layout, const Placement& first, const Placement& second)
{
    // At a gap of x d̂ a barrier pushes with about its force in the middle of d̂ over x, and a run begins with a
    // thousandth of the usual stiffness at least (Newton::balance_start).
    constexpr double kTouching = 1e-3, kRounding = 1e-14;
    return std::max(kTouching * layout.reach, kRounding * (norm(first.center) + norm(second.center)));
}

OwnInsets::OwnInsets(const Model& model, const Settings& settings, std::shared_ptr<const Layout> shared)
    : model_(model),
      settings_(settings),
      shared_(std::move(shared)),
      layout_(*shared_),
      is_near_(shared_->pieces.size())
{
}

void OwnInsets::wear(std::vector<OwnInset>& insets)
{
    const auto is_worn = [](const std::pair<int, double>& worn, const OwnInset& own)
    { return worn.first == own.piece && worn.second == own.inset; };
    const bool is_same = std::equal(worn_.begin(), worn_.end(), insets.begin(), insets.end(), is_worn);
    if (!is_same)
    {
        for (const auto& [piece, inset] : worn_) layout_.pieces.replace(at(piece), shared_->pieces.share(at(piece)));
        worn_.clear();
    }
    for (OwnInset& own : insets)
    {
        // Surfaces are built once, and after a snapshot was loaded.
        if (own.surface == nullptr && is_same) own.surface = layout_.pieces.share(at(own.piece));
        if (own.surface == nullptr)
            own.surface = std::make_shared<const Piece>(
                build_piece(model_, settings_, *shared_, shared_->pieces[at(own.piece)].shape, own.inset));
        if (is_same) continue;
        layout_.pieces.replace(at(own.piece), own.surface);
        worn_.emplace_back(own.piece, own.inset);
    }
}

std::vector<DeepOverlap> OwnInsets::widen(std::span<const Placement> placements, const ContactFilter& filter,
                                          std::vector<OwnInset>& insets)
{
    constexpr int kMostRounds = 60;
    wear(insets);
    InsetSearch search(model_, settings_, layout_, filter);
    for (int round = 0; round < kMostRounds && search.look(placements); ++round)
    {
        search.give_way(insets);
        wear(insets);
    }
    return search.list_deep();
}

bool OwnInsets::release(const Candidates& candidates, std::span<const Placement> placements,
                        std::vector<OwnInset>& insets)
{
    if (insets.empty()) return false;
    // Boxes that did not meet were grown by what insets move at most (Candidates::find_boxes): the shapes themselves
    // are d̂ apart and more.
    std::fill(is_near_.begin(), is_near_.end(), char{0});
    for (const auto& [first, second] : candidates.near_pairs()) is_near_[at(first)] = is_near_[at(second)] = 1;
    for (const OwnInset& own : insets)
    {
        const Piece& piece = layout_.pieces[at(own.piece)];
        const double reach = candidates.reach() + piece.radius + piece.round + kFarthestInset * own.inset;
        for (const PlanePiece& plane : layout_.planes)
        {
            const double height = dot(plane.space.normal, placements[at(piece.group)].center) - plane.space.offset;
            if (height <= reach) is_near_[at(own.piece)] = 1;
        }
    }
    return std::erase_if(insets, [&](const OwnInset& own) { return is_near_[at(own.piece)] == 0; }) > 0;
}

}  // namespace rattleback::ipc
