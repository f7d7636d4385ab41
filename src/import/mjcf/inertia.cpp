// Mass and inertia of bodies as MuJoCo's compiler finds them, once all geoms are known.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/index.h"
#include "build/body_mass.h"
#include "build/build.h"
#include "import/mjcf/assembly.h"
#include "import/mjcf/mesh_axes.h"
#include "import/mjcf/shell_mass.h"
#include "math/rotation.h"

namespace rattleback::mjcf
{

namespace
{

Inertia to_inertia(const BodyMass& body)
{
    return {.mass = body.mass,
            .position = body.inertial_pose.position,
            .rotation = body.inertial_pose.rotation,
            .diagonal = body.inertia};
}

/// The inertial of a body, unless its geoms are to say it.
const Element* find_inertial(const Element& body)
{
    const Element* element = find_child(body, "inertial");
    return element && element->has("mass") && body.context->inertia_from_geom != "true" ? element : nullptr;
}

/// No moment of a solid exceeds the sum of the others.
bool is_impossible(const Vec3& d) { return d.x + d.y < d.z || d.x + d.z < d.y || d.y + d.z < d.x; }

/// Moments that no solid has become their mean, unless `least`, which all of them are raised to first, mends them.
void balance(Inertia& inertia, double least)
{
    auto [moments, rotation] = find_principal_axes(to_matrix(inertia));
    if (!is_impossible(moments)) return;
    for (int k = 0; k < 3; ++k) moments[k] = std::max(moments[k], least);
    const double mean = (moments.x + moments.y + moments.z) / 3;
    const bool is_mended = !is_impossible(moments);
    // Moments that are raised keep their axes; those of a mean are any.
    if (is_mended) inertia.rotation = inertia.rotation * rotation;
    inertia.diagonal = is_mended ? moments : Vec3{mean, mean, mean};
    inertia.products = {};
}

/// The same principal axes in the order and with the signs that find_mesh_axes() gives them.
Quat choose_signs(const Quat& rotation, const Vec3& moments)
{
    constexpr double kAligned = 0.99;  // axes of nearly equal moments may be any
    const Mat3 axes = to_matrix(rotation);
    const Mat3 inertia = axes * to_matrix(Inertia{.diagonal = moments}) * transpose(axes);
    const Mat3 usual = to_matrix(find_mesh_axes(inertia).rotation);
    Mat3 chosen;
    for (int k = 0; k < 3; ++k)
    {
        const auto along = [&](int j) { return dot(axes.column(j), usual.column(k)); };
        int best = 0;
        for (int j = 1; j < 3; ++j) best = std::abs(along(j)) > std::abs(along(best)) ? j : best;
        if (std::abs(along(best)) < kAligned) return rotation;
        for (int i = 0; i < 3; ++i) chosen(i, k) = along(best) < 0 ? -axes(i, best) : axes(i, best);
    }
    // q and -q are one rotation: the one that MuJoCo has.
    const Quat q = to_quaternion(chosen), same = find_mesh_axes(inertia).rotation;
    const bool opposite = q.w * same.w + q.x * same.x + q.y * same.y + q.z * same.z < 0;
    return opposite ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

/// Are static bodies that were fused bounded one by one? (Not where geoms alone say what a body weighs.)
bool is_bounded(const Context& context)
{
    return context.inertia_from_geom != "true" && (context.bound_mass > 0 || context.bound_inertia > 0);
}

/// At least the bounds, then such moments as a solid can have.
void bound(const Context& context, Inertia& inertia)
{
    inertia.mass = std::max(inertia.mass, context.bound_mass);
    Vec3& d = inertia.diagonal;
    for (int k = 0; k < 3; ++k) d[k] = std::max(d[k], context.bound_inertia);
    const double mean = (d.x + d.y + d.z) / 3;
    if (context.balance_inertia && is_impossible(d)) d = {mean, mean, mean};
}

/// One part keeps its axes; several have those of their sum.
Inertia add_up(const std::vector<BodyPart>& parts)
{
    const Mat3& own = parts[0].mass.inertia;
    const bool diagonal = own(0, 1) == 0 && own(0, 2) == 0 && own(1, 2) == 0;
    if (parts.size() == 1 && diagonal)
        return Inertia{.mass = parts[0].mass.mass,
                       .position = parts[0].pose.position,
                       .rotation = parts[0].pose.rotation,
                       .diagonal = {own(0, 0), own(1, 1), own(2, 2)}};
    MassProperties sum = transformed(parts[0].mass, parts[0].pose);
    for (std::size_t i = 1; i < parts.size(); ++i) sum = combined(sum, transformed(parts[i].mass, parts[i].pose));
    const PrincipalAxes axes = find_principal_axes(sum.inertia);
    return Inertia{.mass = sum.mass, .position = sum.center, .rotation = axes.rotation, .diagonal = axes.moments};
}

void move(const Pose& by, Vec3& position, Quat& rotation)
{
    const Pose moved = by * Pose{position, rotation};
    position = moved.position;
    rotation = moved.rotation;
}

}  // namespace

std::optional<Inertia> Assembly::read_inertial(const Element& body) const
{
    const Element* element = find_inertial(body);
    if (!element) return std::nullopt;
    Inertia inertia{.mass = element->number("mass"), .position = to_vector(element->numbers("pos"))};
    inertia.rotation = read_turn(*element, log_);
    const bool full = element->has("fullinertia");
    const bool moves = find_child(body, "joint") || find_child(body, "freejoint");
    if (full == element->has("diaginertia") && inertia.mass > 0 && !element->broken && (moves || full))
        log_.fail(element->location, "'inertial' needs one of 'diaginertia' and 'fullinertia'");
    if (element->has("diaginertia")) inertia.diagonal = to_vector(element->numbers("diaginertia"));
    if (full)
    {
        const std::vector<double> m = element->numbers("fullinertia");
        inertia.diagonal = {m[0], m[1], m[2]};
        inertia.products = {m[3], m[4], m[5]};
        if (!(inertia.rotation == Quat{}))
            log_.fail(element->location, "'fullinertia' and an orientation are given", "give the one or the other");
    }
    if (body.context->balance_inertia) balance(inertia, body.context->bound_inertia);
    return inertia;
}

void Assembly::note_mass(const Element& element, const Shape& shape, const ShapeOptions& options, BodyId body)
{
    const ShapeRow row = to_row(shape);
    // Meshes weigh what MuJoCo's compiler finds in the frame in which it keeps them.
    const bool weightless = row.type == ShapeType::plane || !geoms_weigh_;
    if (weightless || options.mass == 0 || (options.mass < 0 && !(options.density > 0)) || body == kWorld) return;
    BodyPart part{.pose = {options.position, options.rotation}};
    if (const auto* mesh = std::get_if<Mesh>(&shape))
    {
        const MeshAsset& asset = meshes_.at(element.text("mesh"));
        const double density = options.mass > 0 ? options.mass / asset.volume : options.density;
        part.mass.mass = density * asset.volume;
        for (int k = 0; k < 3; ++k) part.mass.inertia(k, k) = density * asset.moments[k];
        if (mesh->mesh.valid()) made_of_parts_.insert(body.index);
    }
    else if (row.type == ShapeType::height_field)
    {
        // To MuJoCo a box at the geom's frame, half as high as the field and its base.
        const HeightFieldOptions& field = authored_.height_fields[at(row.asset)];
        const double top = height_fields_.at(element.text("hfield")).elevation;
        const Vec3 half{field.half_x, field.half_y, 0.25 * top + 0.5 * field.base};
        const auto box = options.mass > 0
                             ? compute_mass_scaled(ShapeType::box, half, nullptr, row.mesh_mass, options.mass)
                             : compute_mass(ShapeType::box, half, nullptr, row.mesh_mass, options.density);
        if (!box) return;
        part.mass = box.value();
        made_of_parts_.insert(body.index);
    }
    else if (const auto shell = compute_shell_mass(row.type, row.size); element.flag("shellinertia") && shell)
    {
        const double density = options.mass > 0 ? options.mass / shell->mass : options.density;
        part.mass.mass = density * shell->mass;
        for (int k = 0; k < 3; ++k) part.mass.inertia(k, k) = density * shell->inertia(k, k);
        made_of_parts_.insert(body.index);
    }
    else
    {
        const auto mass = options.mass > 0
                              ? compute_mass_scaled(row.type, row.size, nullptr, row.mesh_mass, options.mass)
                              : compute_mass(row.type, row.size, nullptr, row.mesh_mass, options.density);
        if (!mass) return;  // the builder says so
        part.mass = mass.value();
    }
    part.source = fused_;
    parts_[body.index].push_back(part);
}

void Assembly::note_inertial(const Inertia& inertia, const Pose& frame, BodyId body)
{
    BodyPart part{.pose = frame * Pose{inertia.position, inertia.rotation}, .source = fused_};
    part.mass.mass = inertia.mass;
    part.mass.inertia = to_matrix(inertia);
    if (inertia.mass > 0) parts_[body.index].push_back(part);
}

void Assembly::add_fused_parts(const Element& element, const Pose& frame, BodyId body)
{
    // A body that was fused weighs what it said itself, or what its own geoms weigh; bounds hold for each of them.
    const Context& context = *spec_.world.context;
    const bool bounded = is_bounded(context) && body != kWorld;
    const int outer = std::exchange(fused_, bounded ? ++last_fused_ : fused_);
    const int own = fused_;
    const std::optional<Inertia> inertia = read_inertial(element);
    if (inertia) note_inertial(*inertia, frame, body);
    if (body != kWorld && (bounded || inertia || find_inertial(*body_elements_[at(body.index)])))
        made_of_parts_.insert(body.index);
    const bool outside = std::exchange(geoms_weigh_, !inertia);
    add_body_parts(element, frame, body);
    geoms_weigh_ = outside;
    fused_ = outer;
    const auto is_own = [&](const BodyPart& part) { return part.source == own; };
    // One without mass gets what `boundmass` says, at `pos` of its own frame, as MuJoCo has it.
    std::vector<BodyPart>& parts = parts_[body.index];
    if (bounded && context.bound_mass > 0 && std::none_of(parts.begin(), parts.end(), is_own))
        parts.push_back({.mass = {.mass = context.bound_mass},
                         .pose = frame * Pose{to_vector(element.numbers("pos")), {}},
                         .source = own});
}

std::optional<Inertia> Assembly::find_part_inertia(int body) const
{
    const auto found = parts_.find(body);
    if (found == parts_.end() || !made_of_parts_.contains(body) || found->second.empty()) return std::nullopt;
    const Context& context = *spec_.world.context;
    if (!is_bounded(context)) return add_up(found->second);
    std::map<int, std::vector<BodyPart>> sources;
    for (const BodyPart& part : found->second) sources[part.source].push_back(part);
    std::vector<BodyPart> bodies;
    for (const auto& [source, parts] : sources)
    {
        Inertia inertia = add_up(parts);
        bound(context, inertia);
        bodies.push_back({.mass = {.mass = inertia.mass, .inertia = to_matrix(Inertia{.diagonal = inertia.diagonal})},
                          .pose = {inertia.position, inertia.rotation}});
    }
    return add_up(bodies);
}

void Assembly::settle_bodies()
{
    const Context& context = *spec_.world.context;
    // MuJoCo looks for compensation below zero only where some body has more than none.
    const auto lifts = [](const BodyOptions& body) { return body.gravity_compensation > 0; };
    if (std::none_of(authored_.bodies.begin(), authored_.bodies.end(), lifts))
        for (BodyOptions& body : authored_.bodies) body.gravity_compensation = 0;
    // Only where the compiler's options or a mesh change what the builder would find by itself.
    const bool bounded =
        context.bound_mass > 0 || context.bound_inertia > 0 || context.balance_inertia || context.total_mass > 0;
    const auto aligned = [](const Element* body) { return body && wants_alignment(*body); };
    if (log_.is_cut_off()) return;
    if (!bounded && made_of_parts_.empty() && std::none_of(body_elements_.begin(), body_elements_.end(), aligned))
        return;
    const std::optional<std::vector<BodyMass>> masses = find_masses(authored_);
    if (!masses) return;  // the builder says why

    // Mass and moments: those of MuJoCo's meshes, then at least the bounds, then such as a solid can have.
    double total = 0;
    std::vector<std::size_t> changed;
    for (std::size_t body = 1; body < masses->size(); ++body)
    {
        const std::optional<Inertia> own = find_part_inertia(static_cast<int>(body));
        Inertia inertia = own ? *own : to_inertia((*masses)[body]);
        bound(context, inertia);
        total += inertia.mass;
        if (!(bounded || own) || !(inertia.mass > 0)) continue;
        authored_.bodies[body].inertia = inertia;
        changed.push_back(body);
    }
    // All together weigh what the file says.
    for (const std::size_t body : changed)
    {
        if (!(context.total_mass > 0) || !(total > 0)) break;
        Inertia& inertia = *authored_.bodies[body].inertia;
        inertia.mass *= context.total_mass / total;
        inertia.diagonal = (context.total_mass / total) * inertia.diagonal;
    }
    for (std::size_t body = 1; body < masses->size(); ++body)
    {
        if (!aligned(body_elements_[body])) continue;
        // Of several geoms the axes point where MuJoCo's solver for them leaves them.
        const std::optional<Inertia> own = find_part_inertia(static_cast<int>(body));
        const Inertia inertia = own ? *own : to_inertia((*masses)[body]);
        Pose frame{inertia.position, inertia.rotation};
        const auto parts = parts_.find(static_cast<int>(body));
        if (parts != parts_.end() && parts->second.size() > 1 && !find_inertial(*body_elements_[body]))
            frame.rotation = choose_signs(frame.rotation, inertia.diagonal);
        align(static_cast<int>(body), frame);
    }
}

void Assembly::align(int index, const Pose& frame)
{
    BodyOptions& body = authored_.bodies[at(index)];
    const Pose back = inverse(frame);
    const Pose pose = Pose{body.position, body.rotation} * frame;
    body.position = pose.position;
    body.rotation = pose.rotation;
    world_[at(index)] = world_[at(index)] * frame;
    // What is written in the frame of the body stays where it is in the world.
    if (body.inertia) move(back, body.inertia->position, body.inertia->rotation);
    for (std::size_t i = 0; i < authored_.joints.size(); ++i)
    {
        JointOptions& joint = authored_.joints[i].options;
        if (authored_.joints[i].body.index != index || !joint_elements_[i]->is("joint")) continue;
        joint.axis = rotate(back.rotation, joint.axis);
        joint.position = back.position + rotate(back.rotation, joint.position);
    }
    for (AuthoredShape& shape : authored_.shapes)
    {
        if (shape.body.index == index) move(back, shape.options.position, shape.options.rotation);
    }
    for (AuthoredSite& site : authored_.sites)
    {
        if (site.body.index == index) move(back, site.options.position, site.options.rotation);
    }
    for (CameraOptions& camera : authored_.cameras)
    {
        if (camera.body.index == index) move(back, camera.position, camera.rotation);
    }
    for (LightOptions& light : authored_.lights)
    {
        if (light.body.index != index) continue;
        light.position = back.position + rotate(back.rotation, light.position);
        light.direction = rotate(back.rotation, light.direction);
    }
}

}  // namespace rattleback::mjcf
