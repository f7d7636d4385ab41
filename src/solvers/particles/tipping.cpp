// Support of boxes of spheres against that of the boxes.
#include "solvers/particles/tipping.h"

#include "base/index.h"
#include "collide/filter.h"
#include "solvers/shared/rigid_groups.h"

#include <rattleback/contacts.h>
#include <rattleback/query.h>

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

namespace
{

/// The largest sliding friction of a shape with anything that does not move by forces; 0 where it may touch nothing.
double find_largest_friction(const Model& model, const RigidGroups& rigid, int shape)
{
    const Shapes& shapes = model.shapes;
    double largest = 0;
    for (int s = 0; s < model.shape_count(); ++s)
    {
        const int root = rigid.root[at(rigid.group_of_body[at(shapes.body[at(s)])])];
        if (model.bodies.v_count[at(root)] > 0 || !may_collide(model, ShapeId{shape}, ShapeId{s})) continue;
        const MaterialOptions surface =
            combine(model.materials[at(shapes.material[at(shape)])], model.materials[at(shapes.material[at(s)])]);
        if (surface.dimension >= 3) largest = std::max(largest, surface.friction);
    }
    return largest;
}

/// Ten iterations let the edge that carries all sink a little: boxes with less than this part of their half width to
/// spare tipped over (friction 0.5 and 0.8, 2 to 11 spheres across). With 12 and 16 across some tipped that have more:
/// a warning is advice, no proof.
constexpr double kReserve = 0.03;

/// What it takes for a box of spheres to stand wherever the box itself does.
struct Standing
{
    bool stands = true;  ///< as it is
    int across = 0;      ///< smallest number of spheres that does; 0: no number does surely
};

Standing find_standing(const Vec3& half, double friction, int across)
{
    const double thinnest = std::min({half.x, half.y, half.z}), radius = thinnest / across;
    double largest = HUGE_VAL;  // radius with which it stands on every side on which the box does [m]
    for (int up = 0; up < 3; ++up)
    {
        for (int aside = 0; aside < 3; ++aside)
        {
            const double spare = half[aside] - friction * half[up];
            // The box itself tips; from friction 1 on spheres stand better than the box.
            if (aside == up || !(spare > 0) || friction >= 1) continue;
            largest = std::min(largest, (spare - kReserve * half[aside]) / (1 - friction));
        }
    }
    if (radius <= largest) return {};
    return {false, largest > 0 ? static_cast<int>(std::ceil(thinnest / largest * (1 - 1e-9))) : 0};
}

}  // namespace

std::vector<Error> find_tipping_boxes(const Model& model, const ParticleOptions& options)
{
    std::vector<Error> warnings;
    if (options.method == Method::refined) return warnings;
    const RigidGroups rigid = find_rigid_groups(model);
    const Bodies& bodies = model.bodies;
    for (int g = 0; g < rigid.count(); ++g)
    {
        // A box alone: of several shapes the support is not that of one.
        const int body = rigid.root[at(g)];
        const int first = bodies.shape_begin[at(body)];
        if (bodies.v_count[at(body)] == 0 || rigid.bodies_of(g).size() != 1 ||
            bodies.shape_begin[at(body) + 1] - first != 1)
            continue;
        const int shape = bodies.shapes_of_body[at(first)];
        if (model.shapes.type[at(shape)] != ShapeType::box) continue;
        const double friction = find_largest_friction(model, rigid, shape);
        const Standing standing = find_standing(model.shapes.size[at(shape)], friction, options.across);
        if (standing.stands) continue;
        std::array<char, 160> text{};
        std::snprintf(text.data(), text.size(),
                      "its %d spheres across end inside its edges: pushed against friction %.3g it tips over, and the "
                      "box would not",
                      options.across, friction);
        const std::string enough = standing.across > 0
                                       ? "across = " + std::to_string(standing.across) + " stands, and so does"
                                       : std::string("no number of spheres stands surely; use");
        warnings.push_back({.code = ErrorCode::invalid_value,
                            .where = "body '" + bodies.name[at(body)] + "'",
                            .message = text.data(),
                            .hint = enough + " solver 'refined'"});
    }
    return warnings;
}

}  // namespace rattleback::particles
