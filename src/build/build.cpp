// Checks what was authored, then compiles it.
#include "build/build.h"

#include "base/index.h"
#include "build/check.h"
#include "build/compile.h"
#include "build/length_range.h"

namespace rattleback
{

namespace
{

/// Joints whose armature is so far below zero that nothing moves as it should.
std::vector<Error> find_outweighed(const Model& model)
{
    std::vector<Error> errors;
    for (std::size_t d = 0; d < model.dofs.armature.size(); ++d)
    {
        if (!(model.dofs.armature[d] < 0) || model.dofs.inertia[d] > 0) continue;
        errors.push_back({.where = "joint '" + model.joints.name[at(model.dofs.joint[d])] + "'",
                          .message = "its negative armature outweighs all that it moves",
                          .hint = "leave it some inertia"});
    }
    return errors;
}

}  // namespace

Result<Model> build(const Authored& authored)
{
    // Names and layout first: errors name elements, checks count coordinates. Masses and hulls are found while checking
    // and handed on.
    const Names names = make_names(authored);
    const Layout layout = find_layout(authored);
    std::vector<BodyMass> masses;
    std::vector<Polyhedron> hulls;
    std::vector<Error> errors = check(authored, names, layout, masses, hulls);
    if (!errors.empty()) return errors;
    Model model = compile(authored, names, layout, masses, std::move(hulls));
    errors = find_outweighed(model);
    if (!errors.empty()) return errors;
    errors = resolve_muscles(authored.length_ranges, model);
    if (!errors.empty()) return errors;
    return model;
}

std::vector<Error> find_mistakes(const Authored& authored)
{
    std::vector<BodyMass> masses;
    std::vector<Polyhedron> hulls;
    return check(authored, make_names(authored), find_layout(authored), masses, hulls);
}

std::optional<std::vector<BodyMass>> find_masses(const Authored& authored)
{
    const Names names = make_names(authored);
    Checker checker;
    // Everything counts as good here: mistakes end the search anyway.
    std::vector<char> body_good(authored.bodies.size(), 1), shape_good(authored.shapes.size(), 1);
    check_tree(authored, names, find_layout(authored), body_good, checker);
    check_shapes(authored, names, shape_good, checker);
    std::vector<BodyMass> masses = find_body_masses(authored, names, shape_good, body_good, checker);
    if (checker.count() > 0) return std::nullopt;
    return masses;
}

}  // namespace rattleback
