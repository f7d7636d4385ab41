// Assembly: turns a Spec into calls of the ModelBuilder, remembering which element became what.
#pragma once

#include <rattleback/builder.h>

#include "geometry/mass.h"
#include "import/mjcf/pose.h"
#include "import/mjcf/spec.h"

namespace rattleback::mjcf
{

/// A mesh as MuJoCo keeps it: moved to its centre of mass and principal axes.
struct MeshAsset
{
    MeshId id;
    bool good = false;
    Pose pose;  ///< of the kept mesh in the file's coordinates
    MeshMass rule = MeshMass::legacy;
    double volume = 0;                ///< mass at density 1
    Vec3 moments;                     ///< of inertia at density 1, in the frame of the kept mesh
    Vec3 inertia_box;                 ///< half sizes of the box of equal inertia
    Vec3 bounds_center, bounds_half;  ///< of the kept mesh
};

/// What only a finished model tells; the model is then assembled once more with it.
struct Refinement
{
    std::map<int, Inertia> inertia;                   ///< of bodies, by index
    std::map<int, Pose> shift;                        ///< of body frames, by index
    std::map<int, std::pair<double, double>> spring;  ///< stiffness and damping of joints, by index
    std::vector<double> q0;                           ///< for the keyframes of attached models
};

struct JointInfo
{
    JointId id;
    JointType type = JointType::hinge;
    Range range;
};
struct TendonInfo
{
    TendonId id;
    Range range;
};
struct BodyInfo
{
    BodyId id;
    Pose world;  ///< at q0
};
struct SiteInfo
{
    SiteId id;
    int body = 0;
    Pose pose;  ///< in the body
};

/// What a geom adds to its body, in its own frame; meshes come as MuJoCo sees them.
struct BodyPart
{
    MassProperties mass;
    Pose pose;
};

class Assembly
{
public:
    Assembly(const Spec& spec, Source& source, Log& log, const Refinement& refinement);

    /// Meshes and height fields, the same in every pass. `known`: those of the pass before, or empty.
    void add_assets(std::map<std::string, MeshAsset>& meshes, std::vector<MeshOptions>& mesh_data);
    void add_tree();
    void add_contacts();
    void add_equalities();
    void add_tendons();
    void add_actuators();
    void add_sensors();
    void add_keys();
    void add_options();

    /// The model; nothing when there are mistakes. Those that the builder finds, beside the ones already known, go to
    /// the log with the place of the attribute or element.
    std::optional<Model> build();

    bool wants_refinement() const { return wants_refinement_; }
    /// What the finished model says about the second pass.
    Refinement refine(const Model& model) const;

private:
    // tree.cpp
    void add_body(const Element& element, BodyId parent, const Pose& parent_world, const Pose& frame, bool under_world);
    void add_body_parts(const Element& element, const Pose& frame, BodyId body);
    void add_child_bodies(const Element& element, const Pose& frame, BodyId body, const Pose& world);
    std::optional<Inertia> read_inertial(const Element& body) const;
    void add_joint(const Element& element, const Pose& frame, BodyId body);
    void add_site(const Element& element, const Pose& frame, BodyId body);
    // geoms.cpp
    void add_geom(const Element& element, const Pose& frame, BodyId body);
    std::optional<Shape> find_shape(const Element& element, Pose& pose);
    std::optional<Shape> find_mesh_shape(const Element& element, Pose& pose);
    void note_mass(const Element& element, const Shape& shape, const ShapeOptions& options, BodyId body);
    std::optional<Inertia> find_mesh_inertia(int body) const;
    MaterialId find_material(const MaterialOptions& material, const Element& user);
    std::array<float, 4> find_colour(const Element& element) const;
    void add_height_field(const Element& element);

    void add_fluid(const Element& element, ShapeOptions& options) const;
    // constraints.cpp
    EqualityId add_body_equality(const Element& element, EqualityOptions options);
    TendonId add_fixed(const Element& element, const TendonOptions& options);
    TendonId add_spatial(const Element& element, const TendonOptions& options);
    // drives.cpp
    void add_actuator(const Element& element);
    std::optional<ActuatorTarget> find_target(const Element& element, Range& range) const;
    void add_own_key(const Key& key);
    void add_attached_key(const Key& key);
    std::optional<SensorTarget> find_object(const Element& element) const;
    std::optional<SensorTarget> find_watched(const Element& element) const;

    std::array<double, 3> read_spring(const Element& element, const char* name) const;
    Range read_range(const Element& element, const char* limited, const char* range, double unit) const;
    bool is_angle(const JointType type) const { return type == JointType::hinge || type == JointType::ball; }

    /// The index of a named element of a kind, or nothing and an error with the nearest name.
    std::optional<int> find(const Element& element, const char* attribute, const std::string& kind) const;
    std::optional<int> find(const Attribute& attribute, const std::string& name, const std::string& kind) const;
    /// Notes an element of a kind ("body", "geom", ...); `word` is what the builder calls it.
    void note(const Element& element, const char* word, int index);
    // builder_errors.cpp
    void add_builder_errors(const std::vector<Error>& errors);
    /// The element that a builder's error is about; null: none.
    const Element* find_blamed(const Error& error) const;

    const Spec& spec_;
    Source& source_;
    Log& log_;
    const Refinement& refinement_;
    ModelBuilder builder_;
    bool wants_refinement_ = false;

    std::map<std::string, std::map<std::string, int, std::less<>>, std::less<>> names_;  ///< index by kind and name
    std::map<std::string, const Element*> blamed_;  ///< who stands behind the builder's "where"
    std::map<std::string, MeshAsset>* meshes_ = nullptr;
    std::map<std::string, HeightFieldId> height_fields_;
    std::map<std::string, std::array<float, 4>> colours_;  ///< of display materials
    std::vector<std::pair<MaterialOptions, MaterialId>> materials_;
    std::vector<BodyInfo> bodies_;
    std::vector<const Element*> body_elements_, joint_elements_;
    std::map<int, std::vector<BodyPart>> parts_;  ///< by body without an inertial
    std::map<int, bool> has_mesh_;                ///< bodies whose mass comes from meshes
    std::vector<JointInfo> joints_;
    std::vector<TendonInfo> tendons_;
    std::vector<SiteInfo> sites_;
    std::vector<MaterialId> geom_materials_;
    /// What actuators add to their targets, by the target's name: armature and damping.
    std::map<std::string, std::pair<double, double>, std::less<>> joint_extra_, tendon_extra_;
    bool gravity_off_ = false, springs_off_ = false, dampers_off_ = false;
};

/// Shall the frame of this body be moved to its centre of mass and principal axes?
bool wants_alignment(const Element& body);

/// solref and solimp of an element, under the names it uses.
Impedance read_impedance(const Element& element, const char* solref, const char* solimp);

/// Force law of an actuator element, its defaults included.
struct Drive
{
    std::string dyntype = "none", gaintype = "fixed", biastype = "none";
    std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
    double time_constant = 1, inherit_range = 0;
    bool act_early = false, always_limited = false;
};
Drive read_drive(const Element& actuator);

}  // namespace rattleback::mjcf
