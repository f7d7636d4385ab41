// Vertices of all pieces in the world: placed once for the many pairs that ask for each of them.
#pragma once

#include "base/index.h"
#include "solvers/ipc/bodies.h"

namespace rattleback::ipc
{

class PlacedVertices
{
public:
    explicit PlacedVertices(const Layout& layout) : layout_(layout), pieces_(layout.pieces.size()) {}

    /// Pieces whose groups are where they were stay as they are.
    void place(std::span<const Placement> placements)
    {
        for (std::size_t p = 0; p < pieces_.size(); ++p)
        {
            const Piece& piece = layout_.pieces[p];
            const Placement& pose = placements[at(piece.group)];
            Placed& placed = pieces_[p];
            if (!placed.vertices.empty() && placed.inset == piece.inset && is_same_place(placed.pose, pose)) continue;
            placed.pose = pose;
            placed.inset = piece.inset;
            placed.vertices.resize(piece.vertices.size());
            for (std::size_t v = 0; v < placed.vertices.size(); ++v) placed.vertices[v] = pose.place(piece.vertices[v]);
        }
    }
    std::span<const Vec3> of(int piece) const { return pieces_[at(piece)].vertices; }

private:
    struct Placed
    {
        Placement pose;
        double inset = 0;
        std::vector<Vec3> vertices;
    };
    const Layout& layout_;
    std::vector<Placed> pieces_;
};

}  // namespace rattleback::ipc
