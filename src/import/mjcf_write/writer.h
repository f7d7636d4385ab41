// MjcfWriter: a Model as plain MJCF that MuJoCo runs; what MJCF has no words for gets the nearest meaning.
#pragma once

#include <rattleback/model.h>

#include "import/mjcf_write/xml.h"

#include <map>
#include <set>

namespace rattleback
{

class MjcfWriter
{
public:
    explicit MjcfWriter(const Model& model);

    /// The whole file. `custom`: texts for <custom>, by name.
    std::string write(const std::vector<std::pair<std::string, std::string>>& custom);

private:
    // write_tree.cpp
    void write_options();
    void write_parameters();
    void write_body(int body);
    void write_inside(int body);
    void write_inertial(std::size_t body);
    void write_joint(std::size_t joint);
    void write_site(std::size_t site);
    // write_shapes.cpp
    void write_assets();
    void write_mesh(std::size_t mesh);
    void write_height_field(std::size_t field);
    void write_geom(std::size_t shape);
    void write_geom_size(std::size_t shape);
    void write_contacts();
    // write_constraints.cpp
    void write_equalities();
    void write_body_equality(std::size_t equality);
    void write_tendons();
    // write_control.cpp
    void write_actuators();
    void write_sensors();
    void write_sensor(std::size_t sensor);
    void write_keyframes();
    void write_key(const Keyframe& key);

    void write_pose(const Pose& pose);
    /// limited flag and bounds, under the names "<prefix>limited" and "<prefix>range".
    void write_range(const std::string& prefix, const Range& range);
    /// solref and solimp; nothing for MuJoCo's defaults. `mass` [kg or kg m^2] is what a spring pushes.
    void write_softness(const Softness& softness, double mass, const char* solref, const char* solimp);

    // helpers.cpp
    void find_order();
    void add_helper_sites();
    std::string add_helper_site(int body, const Pose& pose);
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
    XmlWriter xml_;
    std::vector<int> body_order_;             ///< depth first, as the file has them
    std::vector<std::vector<int>> children_;  ///< of bodies
    std::vector<std::vector<int>> sites_;     ///< of bodies
    std::vector<char> carries_mass_;          ///< bodies: own mass, or that of bodies welded to it
    std::vector<char> mesh_used_;             ///< by a shape that is written
    std::set<std::string, std::less<>> site_names_;
    std::multimap<int, HelperSite> helpers_;                           ///< by body
    std::map<std::size_t, std::string> sensor_site_;                   ///< helper of a sensor
    std::map<std::size_t, std::array<std::string, 2>> connect_sites_;  ///< helpers of a connect equality
    std::vector<Pose> world_;                                          ///< of bodies at q0
};

}  // namespace rattleback
