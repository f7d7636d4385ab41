// From a Model to groups, masses and surfaces.
#include "solvers/ipc/layout.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "solvers/ipc/tolerance.h"
#include "solvers/shared/rigid_groups.h"

#include <algorithm>
#include <limits>

namespace rattleback::ipc
{

namespace
{

Mat3 make_diagonal(const Vec3& d) { return {{d.x, 0, 0, 0, d.y, 0, 0, 0, d.z}}; }

void add(Mat3& a, const Mat3& b)
{
    for (int i = 0; i < 9; ++i) a.m[i] += b.m[i];
}

/// m (|r|^2 - r rᵀ): a point mass about an axis through the origin (Steiner).
Mat3 find_point_inertia(double mass, const Vec3& r)
{
    Mat3 inertia = make_diagonal(mass * dot(r, r) * Vec3{1, 1, 1});
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) inertia(i, j) -= mass * r[i] * r[j];
    }
    return inertia;
}

void add_masses(const Model& model, Layout& layout)
{
    const Bodies& bodies = model.bodies;
    const auto find_center = [&](int b) { return (layout.in_group[at(b)] * bodies.inertial_pose[at(b)]).position; };
    for (int b = 1; b < model.body_count(); ++b)
    {
        // Mass and centre of mass of all bodies that are welded together.
        Group& group = layout.groups[at(layout.group_of_body[at(b)])];
        group.mass += bodies.mass[at(b)];
        group.center += bodies.mass[at(b)] * find_center(b);
        group.gravity_compensation += bodies.mass[at(b)] * bodies.gravity_compensation[at(b)];
    }
    for (Group& group : layout.groups)
    {
        if (group.mass <= 0) continue;
        group.center = (1 / group.mass) * group.center;
        group.gravity_compensation /= group.mass;
    }
    for (int b = 1; b < model.body_count(); ++b)
    {
        // Inertia about that centre, by Steiner.
        Group& group = layout.groups[at(layout.group_of_body[at(b)])];
        const Quat axes = (layout.in_group[at(b)] * bodies.inertial_pose[at(b)]).rotation;
        add(group.inertia, turn_tensor(axes, make_diagonal(bodies.inertia[at(b)])));
        add(group.inertia, find_point_inertia(bodies.mass[at(b)], find_center(b) - group.center));
    }
}

/// Rotational inertia of what has none of its own: rods and points, and kinematic bodies without mass.
void complete_masses(const Settings& settings, Layout& layout)
{
    // What holds a kinematic body on its way weighs so many times all bodies together: a load equal to their weight
    // moves it by h^2 g over this number.
    constexpr double kKinematicWeight = 1e6;
    double total = 0;
    int count = 0;
    for (const Group& group : layout.groups)
    {
        total += group.dynamic ? group.mass : 0;
        count += group.dynamic ? 1 : 0;
    }
    layout.holding_mass = kKinematicWeight * (total > 0 ? total : 1);
    for (Group& group : layout.groups)
    {
        // What is driven is held on its way by its mass alone (README, "Deviations"). An augmented Lagrangian takes its
        // own, or that of the others where it has none.
        const bool has_mass = group.mass > 0 && group.inertia(0, 0) > 0;
        if (group.kinematic && !(settings.lagrangian_drive && has_mass))
        {
            group.mass = settings.lagrangian_drive ? (count > 0 ? total / count : 1) : layout.holding_mass;
            const double arm = std::max(group.radius + group.round, 1e-3);
            group.inertia = make_diagonal(0.4 * group.mass * arm * arm * Vec3{1, 1, 1});
        }
        // Thin rods and points have no inertia about some axis: a billionth of the others' keeps matrices regular.
        const double trace = group.inertia(0, 0) + group.inertia(1, 1) + group.inertia(2, 2);
        for (int i = 0; i < 3; ++i) group.inertia(i, i) += 1e-9 * trace + 1e-12 * group.mass;
        group.moment = make_diagonal(0.5 * trace * Vec3{1, 1, 1});
        for (int i = 0; i < 9; ++i) group.moment.m[i] -= group.inertia.m[i];
    }
}

/// The box and the ball about the centre of mass that hold a piece.
void find_bounds(Piece& piece)
{
    for (const Vec3& v : piece.vertices)
    {
        piece.bounds = merge(piece.bounds, {v, v});
        piece.radius = std::max(piece.radius, norm(v) * (1 + 1e-12));
    }
}

/// Three static trees in the group's frame: poses turn boxes, never rebuild trees.
void build_trees(Piece& piece)
{
    std::vector<Aabb> boxes;
    const auto add_box = [&](const Simplex& simplex)
    {
        Aabb box = kEmptyBox;
        for (int i = 0; i < simplex.count; ++i) box = merge(box, {simplex.corner[at(i)], simplex.corner[at(i)]});
        boxes.push_back(box);
    };
    for (const int v : piece.corners) add_box(piece.vertex(v));
    piece.corner_tree.build(boxes);
    boxes.clear();
    for (const int e : piece.outline) add_box(piece.edge(e));
    piece.outline_tree.build(boxes);
    boxes.clear();
    for (int f = 0; f < static_cast<int>(piece.faces.size()); ++f) add_box(piece.face(f));
    piece.face_tree.build(boxes);
}

/// A surface in the frame of its group, without what needs d̂ (finish_piece()).
Piece place_piece(const Model& model, const Settings& settings, const Layout& layout, int shape, ShapeSurface surface)
{
    const Shapes& shapes = model.shapes;
    const int body = shapes.body[at(shape)], g = layout.group_of_body[at(body)];
    const Pose pose = layout.in_group[at(body)] * shapes.pose[at(shape)];
    Piece piece;
    piece.shape = shape;
    piece.group = g;
    // What has no faces is a wire or a cloud of points, and needs more kinds of pairs.
    piece.is_points = surface.edges.empty();
    piece.is_wire = surface.faces.empty() && !piece.is_points;
    piece.round = surface.round;
    for (const Vec3& v : surface.vertices)
        piece.vertices.push_back(pose.position + rotate(pose.rotation, v) - layout.groups[at(g)].center);
    piece.edges = std::move(surface.edges);
    piece.faces = std::move(surface.faces);
    find_bounds(piece);
    find_flats(piece, settings.deviations.flats);
    find_parts(piece, shapes.type[at(shape)] == ShapeType::surface);
    // Not where distances are those of the paper, nor where offset surfaces are round.
    if (settings.separation == 0 && !settings.exact_hessian && settings.deviations.rims) find_rims(piece);
    return piece;
}

void finish_piece(double reach, Piece& piece)
{
    // Flats count as planes up to what no gap will ever notice.
    constexpr double kFlatPart = 1e-7;
    find_outline(piece, kFlatPart * reach);
    build_trees(piece);
}

std::vector<Piece> make_pieces(const Model& model, const Settings& settings, Layout& layout, std::vector<Error>& errors)
{
    const Shapes& shapes = model.shapes;
    std::vector<Piece> pieces;
    for (int s = 0; s < model.shape_count(); ++s)
    {
        // Shapes that no category lets touch anything are for the eye.
        if (shapes.category[at(s)] == 0 && shapes.mask[at(s)] == 0) continue;
        const int body = shapes.body[at(s)], g = layout.group_of_body[at(body)];
        const std::string name = "shape '" + shapes.name[at(s)] + "'";
        if (shapes.type[at(s)] == ShapeType::plane)
        {
            const Pose pose = layout.in_group[at(body)] * shapes.pose[at(s)];
            const Vec3 normal = rotate(pose.rotation, Vec3{0, 0, 1});
            if (g == 0)
                layout.planes.push_back({s, {normal, dot(normal, pose.position)}});
            else
                errors.push_back({ErrorCode::unsupported, name, "is a plane on a moving body", "use a box"});
            continue;
        }
        // Everything else is simplices.
        ShapeSurface surface = build_surface(model, s, settings.corners, settings.inset);
        if (surface.vertices.empty())
        {
            errors.push_back({ErrorCode::unsupported, name, "has no surface in solver 'ipc'", "use a mesh"});
            continue;
        }
        Piece piece = place_piece(model, settings, layout, s, std::move(surface));
        piece.inset = settings.inset;
        layout.has_rims = layout.has_rims || !piece.rims.empty();
        Group& group = layout.groups[at(g)];
        group.radius = std::max(group.radius, piece.radius);
        group.round = std::max(group.round, piece.round);
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

/// d̂ where none is given: 0.005 of the smallest moving shape's radius, not above a millimetre.
double find_reach(const Layout& layout, std::span<const Piece> pieces)
{
    double smallest = 0.2;
    for (const Piece& piece : pieces)
    {
        const double radius = piece.radius + piece.round;
        if (layout.groups[at(piece.group)].row >= 0 && radius > 0) smallest = std::min(smallest, radius);
    }
    return 0.005 * smallest;
}

}  // namespace

Result<std::shared_ptr<const Layout>> build_layout(const Model& model, const Settings& settings)
{
    auto layout = std::make_shared<Layout>();
    // Bodies that are welded move as one; the world is group 0.
    RigidGroups rigid = find_rigid_groups(model);
    for (const int root : rigid.root)
    {
        Group group;
        group.body = root;
        group.dynamic = is_dynamic(model, root);
        group.kinematic = root > 0 && !group.dynamic;
        if (root > 0) group.row = layout->row_count++;
        const int joint = group.dynamic ? model.bodies.joints_of_body[at(model.bodies.joint_begin[at(root)])] : -1;
        if (joint >= 0 && model.joints.type[at(joint)] == JointType::free)
        {
            group.q_begin = model.joints.q_begin[at(joint)];
            group.v_begin = model.joints.v_begin[at(joint)];
        }
        layout->groups.push_back(group);
    }
    for (std::size_t k = 0; k < rigid.kinematic_bodies.size(); ++k)
        layout->groups[at(rigid.group_of_body[at(rigid.kinematic_bodies[k])])].kinematic_index = static_cast<int>(k);
    layout->kinematic_bodies = std::move(rigid.kinematic_bodies);
    layout->group_of_body = std::move(rigid.group_of_body);
    layout->in_group = std::move(rigid.in_group);
    // Masses first: surfaces count from the centres of mass.
    add_masses(model, *layout);
    std::vector<Error> errors;
    std::vector<Piece> pieces = make_pieces(model, settings, *layout, errors);
    add_joints(model, *layout, errors);
    if (!errors.empty()) return errors;
    complete_masses(settings, *layout);
    layout->reach = settings.reach > 0 ? settings.reach : find_reach(*layout, pieces);
    for (Piece& piece : pieces)
    {
        finish_piece(layout->reach, piece);
        layout->pieces.add(std::move(piece));
    }
    layout->tolerance = find_tolerance(model, *layout, settings);
    layout->plain = find_plain_stiffness(*layout, settings.separation, find_diagonal(model, *layout));
    return std::shared_ptr<const Layout>(std::move(layout));
}

Piece build_piece(const Model& model, const Settings& settings, const Layout& layout, int shape, double inset)
{
    Piece piece = place_piece(model, settings, layout, shape, build_surface(model, shape, settings.corners, inset));
    piece.inset = inset;
    finish_piece(layout.reach, piece);
    return piece;
}

}  // namespace rattleback::ipc
