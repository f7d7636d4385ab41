// The fingerprint of a Model: a hash over every field of every struct in it.
#include <rattleback/model.h>

#include "base/hash.h"
#include "model/fields/tables.h"

namespace rattleback
{

namespace
{

/// One `add` per type. The tables have rows, checked to be complete; other structs are taken apart with structured
/// bindings, so that a field added to one and forgotten here does not compile.
class ModelHasher
{
public:
    std::uint64_t value() const { return hasher_.value(); }

    void add(const Model& x)
    {
        const auto& [name, settings, bodies, joints, dofs, shapes, materials, meshes, hulls, height_fields, surfaces,
                     sites, equalities, tendons, actuators, sensors, keyframes, pairs, excluded_bodies, tracks, q0,
                     initial_q, initial_v, spring_q, mean_inertia, level_begin, level_bodies, appearance, act_count,
                     kinematic_count, sensor_value_count, name_index] = x;
        // What is derived from other fields (hulls, surfaces) is left out: it follows from them.
        add_all(name, settings, bodies, joints, dofs, shapes, materials, meshes, height_fields, sites, equalities,
                tendons, actuators, sensors, keyframes, pairs, excluded_bodies, tracks, q0, initial_q, initial_v,
                spring_q, mean_inertia, level_begin, level_bodies, act_count, kinematic_count, sensor_value_count,
                name_index);
        if (!appearance.empty()) add(appearance);  // so that models without one keep the bits they had
    }

private:
    template <class... T>
    void add_all(const T&... parts)
    {
        (add(parts), ...);
    }

    void add(double x) { hasher_.add(x); }
    void add(float x) { hasher_.add(static_cast<double>(x)); }
    template <class T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void add(T x)
    {
        hasher_.add(x);
    }
    void add(const std::string& x) { hasher_.add(std::string_view(x)); }

    template <class T>
    void add(const std::vector<T>& x)
    {
        // Lengths too: two lists must not flow into each other.
        hasher_.add(x.size());
        for (const T& item : x) add(item);
    }
    template <class T, std::size_t N>
    void add(const std::array<T, N>& x)
    {
        for (const T& item : x) add(item);
    }
    template <class A, class B>
    void add(const std::pair<A, B>& x)
    {
        add_all(x.first, x.second);
    }
    template <class K, class V>
    void add(const std::map<K, V, std::less<>>& x)
    {
        hasher_.add(x.size());
        for (const auto& [key, item] : x) add_all(key, item);
    }
    template <TableOfModel T>
    void add(const T& x)
    {
        each_array(x, [this](const auto&, const auto& array) { this->add(array); });
    }
    template <class... T>
    void add(const std::variant<T...>& x)
    {
        hasher_.add(x.index());
        std::visit([this](const auto& item) { this->add(item); }, x);
    }

    void add(const Vec3& x) { add_all(x.x, x.y, x.z); }
    void add(const Quat& x) { add_all(x.w, x.x, x.y, x.z); }
    void add(const Pose& x) { add_all(x.position, x.rotation); }
    void add(const Range& x)
    {
        const auto& [limited, lower, upper] = x;
        add_all(limited, lower, upper);
    }
    void add(const Rigid&) {}
    void add(const Spring& x)
    {
        const auto& [stiffness, damping] = x;
        add_all(stiffness, damping);
    }
    void add(const Impedance& x)
    {
        const auto& [solref, solimp] = x;
        add_all(solref, solimp);
    }
    void add(const Medium& x)
    {
        const auto& [density, viscosity, wind] = x;
        add_all(density, viscosity, wind);
    }
    void add(const Settings& x)
    {
        const auto& [dt, gravity, integrator, solver, solver_parameters, medium, magnetic_field, filter_parents,
                     second_friction] = x;
        add_all(dt, gravity, integrator, solver_parameters, medium);
        if (magnetic_field != Settings().magnetic_field) add(magnetic_field);
        if (!filter_parents) add(filter_parents);
        if (second_friction != Settings().second_friction) add(second_friction);
        if (!solver.empty()) add(solver);  // so that recordings made before models could name one still fit
    }
    void add(const MaterialOptions& x)
    {
        const auto& [name, friction, spinning_friction, rolling_friction, dimension, restitution, softness, solmix,
                     priority, adhesion] = x;
        add_all(name, friction, spinning_friction, rolling_friction, dimension, restitution, softness, solmix,
                priority);
        if (adhesion != 0) add(adhesion);
    }
    void add(const MeshOptions& x)
    {
        const auto& [name, vertices, triangles, edges, texcoords] = x;
        add_all(name, vertices, triangles, edges);
        if (!texcoords.empty()) add(texcoords);
    }
    void add(const HeightFieldOptions& x)
    {
        const auto& [name, rows, columns, half_x, half_y, base, heights] = x;
        add_all(name, rows, columns, half_x, half_y, base, heights);
    }
    void add(const Cable& x)
    {
        const auto& [stretch, shear, bend, twist] = x;
        add_all(stretch, shear, bend, twist);
    }
    void add(const TendonItem& x)
    {
        const auto& [joint, site, value, shape, side_site] = x;
        add_all(joint, site, value, shape, side_site);
    }
    void add(const Keyframe& x)
    {
        const auto& [name, time, q, v, act, ctrl, targets] = x;
        add_all(name, time, q, v, act, ctrl, targets);
    }
    void add(const ShapePair& x)
    {
        const auto& [first, second, material, margin, gap, second_friction, friction_solref] = x;
        add_all(first, second, material, margin, gap, second_friction, friction_solref);
    }
    void add(const Track& x)
    {
        const auto& [times, poses] = x;
        add_all(times, poses);
    }
    template <class Tag>
    void add(const Id<Tag>& x)
    {
        add(x.index);
    }
    void add(const CameraOptions& x)
    {
        const auto& [name, body, position, rotation, mode, target, orthographic, field_of_view, eye_distance,
                     resolution, sensor_size, focal, principal] = x;
        add_all(name, body, position, rotation, mode, target, orthographic, field_of_view, eye_distance, resolution,
                sensor_size, focal, principal);
    }
    void add(const LightOptions& x)
    {
        const auto& [name, body, position, direction, mode, target, type, active, cast_shadow, ambient, diffuse,
                     specular, attenuation, cutoff, exponent, softness, bulb_radius, intensity, range] = x;
        add_all(name, body, position, direction, mode, target, type, active, cast_shadow, ambient, diffuse, specular,
                attenuation, cutoff, exponent, softness, bulb_radius, intensity, range);
    }
    void add(const HeadlightOptions& x)
    {
        const auto& [active, ambient, diffuse, specular] = x;
        add_all(active, ambient, diffuse, specular);
    }
    void add(const TextureOptions& x)
    {
        const auto& [name, type, pattern, first, second, mark, mark_colour, random, width, height, png, grid_size,
                     grid_layout, horizontal_flip, vertical_flip] = x;
        add_all(name, type, pattern, first, second, mark, mark_colour, random, width, height, png, grid_size,
                grid_layout, horizontal_flip, vertical_flip);
    }
    void add(const VisualMaterialOptions& x)
    {
        const auto& [name, texture, repeat, uniform, emission, specular, shininess, reflectance, metallic, roughness,
                     colour] = x;
        add_all(name, texture, repeat, uniform, emission, specular, shininess, reflectance, metallic, roughness,
                colour);
    }
    void add(const ShapeLook& x)
    {
        const auto& [material, plane_size] = x;
        add_all(material, plane_size);
    }
    void add(const Appearance& x)
    {
        const auto& [cameras, lights, headlight, textures, materials, shapes, camera_reference, light_reference] = x;
        add_all(cameras, lights, headlight.has_value(), textures, materials, shapes, camera_reference, light_reference);
        if (headlight) add(*headlight);
    }
    void add(const Model::NameIndex& x)
    {
        const auto& [bodies, joints, shapes, sites, tendons, actuators, sensors, keyframes] = x;
        add_all(bodies, joints, shapes, sites, tendons, actuators, sensors, keyframes);
    }

    Hasher hasher_;
};

}  // namespace

std::uint64_t fingerprint(const Model& model)
{
    ModelHasher hasher;
    hasher.add(model);
    return hasher.value();
}

}  // namespace rattleback
