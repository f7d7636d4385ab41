// What the solver `ipc` makes of a Model once: rigid groups with their masses, and their surfaces as simplices.
#pragma once

#include "geometry/certified_impact.h"
#include "geometry/tree.h"
#include "solvers/ipc/joint_layout.h"
#include "solvers/ipc/plain_stiffness.h"
#include "solvers/ipc/settings.h"

#include <algorithm>
#include <memory>

namespace rattleback::ipc
{

/// One rigid group of bodies. Its frame is that of its topmost body.
struct Group
{
    int body = -1;
    bool dynamic = false;    ///< moved by forces
    bool kinematic = false;  ///< follows a track or target, unless something is in its way
    int row = -1;            ///< its row in Newton's system; -1: at rest for ever
    int kinematic_index = -1;
    bool is_middle = false;          ///< has no body of its own: between two joints of `body`
    int q_begin = -1, v_begin = -1;  ///< of its free joint; -1: it has none
    double mass = 0;                 ///< [kg]; of kinematic groups: that of what holds them on their way,
                                     ///< or their own where an augmented Lagrangian does
    Vec3 center;                     ///< of mass, in the group's frame [m]
    Mat3 inertia;                    ///< about it, in the group's axes [kg m^2]
    Mat3 moment;                     ///< J = tr(inertia) / 2 - inertia: of Eq. 5 [kg m^2]
    double gravity_compensation = 0;
    double radius = 0;  ///< of the ball about the centre that holds all vertices [m]
    double round = 0;   ///< by which its surface reaches beyond them at most (Piece::round) [m]
};

/// A track drives one of them or both, and no force moves either.
inline bool is_driven_pair(const Group& a, const Group& b)
{
    const auto is_given = [](const Group& group) { return group.kinematic || group.row < 0; };
    return &a != &b && (a.kinematic || b.kinematic) && is_given(a) && is_given(b);
}

/// The surface of one shape: vertices from the centre of mass of its group, in the group's axes.
struct Piece
{
    int shape = -1, group = -1;
    double inset = 0;  ///< how far inside the shape its sides lie [m]; one piece of a shape is known by it
    std::vector<Vec3> vertices;
    std::vector<std::array<int, 2>> edges;
    std::vector<std::array<int, 3>> faces;
    std::vector<int> flat_of_face;  ///< [face] of the same number where several lie in a plane side by side; -1: alone
    std::vector<char> is_inner;     ///< [edge] it lies within a flat
    std::vector<char> is_inside;    ///< [vertex] all of its edges do
    /// Outward normals of the sides with rims at a vertex (rims.h): from rim_begin[vertex] on, to that of the next.
    std::vector<Vec3> rims;
    std::vector<int> rim_begin;
    bool is_wire = false;    ///< edges without faces
    bool is_points = false;  ///< vertices alone
    bool is_solid = false;   ///< its faces bound a volume
    std::vector<int> parts;  ///< one vertex of each connected part
    /// Vertices and edges that can be the first to touch something: all but those within flats (find_outline()).
    std::vector<int> corners, outline;
    double flatness = 0;                           ///< how far those flats are from planes at most [m]
    BoxTree corner_tree, outline_tree, face_tree;  ///< items: places in `corners` and `outline`; faces
    Aabb bounds{kEmptyBox};
    double radius = 0;  ///< of its farthest vertex
    /// Its surface lies so far from its simplices all around [m]: a ball is a vertex, a capsule an edge. Turning about
    /// its centre moves no vertex of a ball, so that spinning costs no path anything.
    double round = 0;

    Simplex vertex(int index) const { return vertex(index, vertices); }
    Simplex edge(int index) const { return edge(index, vertices); }
    Simplex face(int index) const { return face(index, vertices); }
    // The same with the vertices elsewhere.
    static Simplex vertex(int index, std::span<const Vec3> places)
    {
        return {{places[static_cast<std::size_t>(index)]}, 1};
    }
    Simplex edge(int index, std::span<const Vec3> places) const
    {
        const auto& e = edges[static_cast<std::size_t>(index)];
        return {{places[static_cast<std::size_t>(e[0])], places[static_cast<std::size_t>(e[1])]}, 2};
    }
    Simplex face(int index, std::span<const Vec3> places) const
    {
        const auto& f = faces[static_cast<std::size_t>(index)];
        return {{places[static_cast<std::size_t>(f[0])], places[static_cast<std::size_t>(f[1])],
                 places[static_cast<std::size_t>(f[2])]},
                3};
    }
};

/// Surfaces of all shapes that may touch. Copies share them.
class Pieces
{
public:
    const Piece& operator[](std::size_t index) const { return *list_[index]; }
    std::size_t size() const { return list_.size(); }
    bool empty() const { return list_.empty(); }
    void add(Piece piece) { list_.push_back(std::make_shared<const Piece>(std::move(piece))); }
    const std::shared_ptr<const Piece>& share(std::size_t index) const { return list_[index]; }
    void replace(std::size_t index, std::shared_ptr<const Piece> piece) { list_[index] = std::move(piece); }

private:
    std::vector<std::shared_ptr<const Piece>> list_;
};

/// A half-space on the world.
struct PlanePiece
{
    int shape = -1;
    HalfSpace space;
};

struct Layout
{
    std::vector<Group> groups;
    std::vector<int> group_of_body;     ///< [body]
    std::vector<Pose> in_group;         ///< [body] its frame in the group's
    std::vector<int> kinematic_bodies;  ///< roots
    Pieces pieces;
    std::vector<PlanePiece> planes;
    JointLayout joints;
    int row_count = 0;
    bool has_rims = false;    ///< of any piece
    double holding_mass = 0;  ///< that holds kinematic bodies on their way [kg]
    double reach = 0;         ///< d̂ [m]
    double tolerance = 0;     ///< largest speed of a point left in Newton's direction [m/s]
    PlainStiffness plain;     ///< of [IPC]
    /// Pairs of shapes, the lower number first, sorted: of a kinematic body and a fixed or another kinematic one that
    /// begin within 2 d̂ of each other. They are mounted in each other (a shaft in its bearing) and never meet; others
    /// stop each other.
    std::vector<std::pair<int, int>> mounted;
    std::vector<Error> start_warnings;  ///< of the start and of keyframes: which shapes lie further inside
};

/// Contacts for which there is room from the start: some to each surface, so that a world of some hundred bodies
/// allocates nothing in its steps. Beyond it buffers double.
inline std::size_t find_contact_room(const Layout& layout)
{
    constexpr std::size_t kLeast = 64, kEach = 16, kMost = 4096;
    return std::min(kMost, kLeast + kEach * layout.pieces.size());
}
/// The same of the candidates of one pair of surfaces: more where there are few.
inline std::size_t find_list_room(const Layout& layout)
{
    constexpr std::size_t kFew = 64, kMany = 16, kRoom = 256;
    return layout.pieces.size() <= kFew ? kRoom : kMany;
}

/// Errors name the shapes that this solver cannot treat.
Result<std::shared_ptr<const Layout>> build_layout(const Model& model, const Settings& settings);

/// The surface of a shape of a layout that is built, with another inset [m].
Piece build_piece(const Model& model, const Settings& settings, const Layout& layout, int shape, double inset);

/// Which faces lie in a plane side by side, and edges and vertices between those; none of them unless it `joins`.
void find_flats(Piece& piece, bool joins = true);

/// After find_flats(): `corners` and `outline`, for certificates. What lies within flats that are planes up to `most`
/// [m] is left out; of others it stays.
///
/// Two flats P and Q that do not meet are nearest to each other at a corner of one over the other or where their
/// outlines cross: between inner points of both the planes are parallel, and both points can slide to such a place; an
/// inner point of P and an outline of Q, the same along that outline. Flats of `flatness` e are within e of such
/// planes, so no two points of two pieces are nearer than the nearest of these pairs less 2 (e_P + e_Q).
void find_outline(Piece& piece, double most);

/// The two faces at each edge of the faces, in the order of their corners; edges with one face or more than two are
/// left out.
struct FacePair
{
    std::array<int, 2> edge;
    int first = -1, second = -1;
};
std::vector<FacePair> pair_faces(const std::vector<std::array<int, 3>>& faces);

/// After find_flats() and find_parts(): `rims`, of sides of solids that all their neighbours turn away from sharply,
/// to the back.
void find_rims(Piece& piece);

/// `is_solid` and `parts`; a sheet bounds nothing, closed or not.
void find_parts(Piece& piece, bool is_sheet);

/// Whether a point, in the frame of a piece's vertices, lies inside it where it is a solid of faces. What is round has
/// no inside here: whatever is in it is nearer to its simplices than Piece::round.
bool is_inside(const Piece& solid, const Vec3& point);

/// The surface of a shape, vertices in the shape's own frame; empty for planes and height fields. `error`: how far it
/// is from a curved shape; `round`: Piece::round. With `inset` [m] the sides of all that bounds a volume lie so far
/// inside (inset.h); of boxes and round shapes not below a tenth of their size.
struct ShapeSurface
{
    std::vector<Vec3> vertices;
    std::vector<std::array<int, 2>> edges;
    std::vector<std::array<int, 3>> faces;
    double error = 0;
    double round = 0;
};
ShapeSurface build_surface(const Model& model, int shape, int corners, double inset);

}  // namespace rattleback::ipc
