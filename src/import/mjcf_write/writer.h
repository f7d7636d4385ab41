// MjcfWriter: what makes a Model as plain MJCF that MuJoCo runs; what MJCF has no words for gets the nearest meaning.
#pragma once

#include "build/authored.h"
#include "import/mjcf/attributes.h"
#include "import/mjcf_write/xml.h"

#include <algorithm>
#include <map>
#include <set>

namespace rattleback
{

class MjcfWriter
{
public:
    /// `authored` makes `model`, which knows what follows from it.
    MjcfWriter(const Model& model, const Authored& authored);

    /// The whole file. `custom`: texts for <custom>, by name.
    std::string write(const std::vector<std::pair<std::string, std::string>>& custom);

private:
    // write_tree.cpp
    void write_options();
    /// The surface of all contacts, where its friction along the second tangent is another; false: nothing is written.
    bool write_override();
    void write_parameters();
    void write_body(int body);
    void write_inside(int body);
    void write_inertial(std::size_t body);
    void write_joint(std::size_t joint);
    void write_site(std::size_t site);
    // write_shapes.cpp
    void write_assets();
    void write_mesh(std::size_t mesh);
    void write_texcoords(const MeshOptions& mesh);
    void write_height_field(std::size_t field);
    void write_geom(std::size_t shape);
    void write_geom_size(std::size_t shape);
    void write_contacts();
    // write_appearance.cpp
    void write_texture(const TextureOptions& texture);
    void write_visual_material(const VisualMaterialOptions& material);
    void write_camera(const CameraOptions& camera);
    void write_light(const LightOptions& light);
    void write_eyes_and_lights(int body);
    void write_follow(FollowMode mode, BodyId target);
    void write_headlight();
    template <std::size_t N>
    void write_unless(const char* name, const std::array<double, N>& value, const std::array<double, N>& usual);
    void write_unless(const char* name, double value, double usual);
    // write_constraints.cpp
    void write_equalities();
    void write_body_equality(std::size_t equality);
    void write_tendons();
    // write_control.cpp
    void write_actuators();
    void write_target(std::size_t actuator);
    void write_law(std::size_t actuator);
    void write_further_inputs(std::size_t actuator);
    // write_sensors.cpp
    void add_sensor_sites();
    std::string find_sensor_site(int body, const Pose& pose);
    void write_cameras(int body);
    int find_own_camera(std::size_t sensor, bool reference) const;
    std::string find_sensor_camera(std::size_t sensor, bool reference) const;
    void write_sensors();
    void write_sensor(std::size_t sensor);
    void write_frame(std::size_t sensor, bool reference);
    void write_side(std::size_t sensor, bool reference);
    void write_sensor_options(std::size_t sensor);
    void write_keyframes();
    void write_key(const Keyframe& key);

    void write_pose(const Pose& pose);

    // fields.cpp: the mirror of mjcf::AttributeReader
    /// The fields that have attributes in `element`, where they are not what MJCF takes when nothing is said
    /// (or, where it takes nothing, what the builder does). `mass` [kg
    /// or kg m^2] is what a spring pushes.
    template <class Rows, class Options>
    void write_fields(const mjcf::ElementRule& element, const Options& options, double mass = 1)
    {
        visit_options<Rows>(
            [&](const auto& row)
            {
                if constexpr (requires { write_value(element, mjcf::AttributeNames(""), options.*row.option, mass); })
                {
                    const mjcf::AttributeNames names(row.mjcf);
                    const mjcf::AttributeRule* rule = element.find(names.first);
                    const bool silent = rule && rule->fallback.empty() && options.*row.option == Options().*row.option;
                    if (rule && !silent) write_value(element, names, options.*row.option, mass);
                }
            });
    }
    /// Springs and dampers of joints and tendons that are polynomials: all numbers, and none is left for write_fields.
    template <class Options>
    void write_polynomials(Options& options)
    {
        const auto write = [&](const char* name, double& first, const std::array<double, 2>& others)
        {
            if (others == std::array<double, 2>{}) return;
            xml_.attribute(name, std::array{first, others[0], others[1]});
            first = 0;
        };
        write("stiffness", options.stiffness, options.stiffness_polynomial);
        write("damping", options.damping, options.damping_polynomial);
    }
    using Rule = mjcf::ElementRule;
    using Attributes = mjcf::AttributeNames;
    void write_value(const Rule& element, const Attributes& names, double value, double mass);
    void write_value(const Rule& element, const Attributes& names, const bool& value, double mass);
    void write_value(const Rule& element, const Attributes& names, const int& value, double mass);
    void write_value(const Rule& element, const Attributes& names, const std::uint32_t& value, double mass);
    void write_value(const Rule& element, const Attributes& names, const Vec3& value, double mass);
    template <class T, std::size_t N>
    void write_value(const Rule& element, const Attributes& names, const std::array<T, N>& value, double)
    {
        std::array<double, N> numbers{};
        std::copy(value.begin(), value.end(), numbers.begin());
        write_numbers(element, names, numbers);
    }
    void write_value(const Rule& element, const Attributes& names, const Range& value, double mass);
    void write_value(const Rule& element, const Attributes& names, const Softness& value, double mass);
    void write_numbers(const Rule& element, const Attributes& names, std::span<const double> numbers);
    void write_softness(const Softness& softness, double mass, std::string_view solref, std::string_view solimp);

    // helpers.cpp
    void find_order();
    void add_helper_sites();
    std::string add_helper_site(int body, const Pose& pose);
    /// A site of the Model at a place of a body, with its axes too if `turned`; empty: none.
    std::string find_site(int body, const Pose& pose, bool turned) const;
    void choose_equality_sites(std::size_t equality);
    bool is_written(std::size_t shape) const;
    double mass_of_body(int body) const;

    /// A site that MuJoCo needs and the Model does not have.
    struct HelperSite
    {
        std::string name;
        Pose pose;
        bool wide = false;  ///< covers the body, for touch sensors
    };

    const Model& model_;
    const Authored& authored_;
    XmlWriter xml_;
    std::vector<int> body_order_;             ///< depth first, as the file has them
    std::vector<std::vector<int>> children_;  ///< of bodies
    std::vector<std::vector<int>> sites_;     ///< of bodies
    std::vector<char> carries_mass_;          ///< bodies: own mass, or that of bodies welded to it
    std::vector<char> mesh_used_;             ///< by a shape that is written
    std::set<std::string, std::less<>> site_names_;
    std::multimap<int, HelperSite> helpers_;                            ///< by body
    std::map<std::size_t, std::string> sensor_site_;                    ///< helper of a sensor
    std::map<std::size_t, std::array<std::string, 2>> equality_sites_;  ///< of a connect or weld that sites tell best
    std::vector<Pose> world_;                                           ///< of bodies at q0
};

}  // namespace rattleback
