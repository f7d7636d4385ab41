// Vertices, edges and faces of shapes, and which of two shapes may come near each other while their bodies move.
#pragma once

#include <rattleback/query.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace rattleback RATTLEBACK_API
{

/// What a shape is made of, in its own frame: points have vertices, segments edges too, surfaces and meshes that
/// collide exactly all three. Vertices at one place are one; faces without area are left out.
struct ShapeSimplices
{
    std::vector<Vec3> vertices;              ///< [m]
    std::vector<std::array<int, 2>> edges;   ///< vertices, the lower first; each once, sorted
    std::vector<std::array<int, 3>> faces;   ///< vertices, counter-clockwise from outside
    std::vector<std::array<int, 2>> beside;  ///< [edge] the faces at it; -1: none
};

/// Which of the two comes first is that of the PairCandidate.
enum class SimplexPairKind
{
    vertex_face,
    face_vertex,
    edge_edge,
    vertex_edge,  ///< of points and segments
    edge_vertex,
    vertex_vertex,  ///< of two clouds of points
};

/// Two simplices by their numbers in ShapeSimplices.
struct SimplexPair
{
    SimplexPairKind kind = SimplexPairKind::vertex_face;
    int first = -1, second = -1;

    friend auto operator<=>(const SimplexPair&, const SimplexPair&) = default;
};

/// The narrow phase's first half for solvers of their own: from a pair of shapes (Collider::find_pairs with the same
/// margin and motion) to vertices, edges and faces. Of a Model, which must outlive it; keeps scratch.
class SimplexFinder
{
public:
    explicit SimplexFinder(const Model& model);
    ~SimplexFinder();
    SimplexFinder(SimplexFinder&&) noexcept;

    /// Nothing for other shapes than points, segments, surfaces and meshes that collide exactly.
    const ShapeSimplices* find_simplices(ShapeId shape) const;

    /// Pairs of simplices that may come within `margin` [m] while the bodies move on for `motion` seconds at their
    /// present velocities (centres of mass on straight lines, turning evenly); sorted, valid until the next call. What
    /// is left out stays further apart all the time. Nearest points of two shapes always lie on one of these kinds of
    /// pairs; empty where one of the two has no simplices.
    std::span<const SimplexPair> find_pairs(const ConstWorldView& world, const PairCandidate& pair, double margin,
                                            double motion = 0);

private:
    struct Scratch;
    std::unique_ptr<Scratch> scratch_;
};

}  // namespace rattleback
