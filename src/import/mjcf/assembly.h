// Assembly: tells a ModelBuilder what the elements of a file say, remembering which element became what.
#pragma once

#include <rattleback/builder.h>

#include <set>
#include "build/authored.h"
#include "geometry/mass.h"

#include "import/mjcf/attributes.h"
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
    std::vector<Taxel> taxels;        ///< where a tactile sensor feels with it, in the frame of the kept mesh
};

/// What a geom adds to its body, in its own frame; meshes come as MuJoCo sees them.
struct BodyPart
{
    MassProperties mass;
    Pose pose;
    int source = 0;  ///< 0: the body itself; else a body that was fused with it and is bounded by itself
};

/// Force law of an actuator element, its defaults included.
struct Drive
{
    std::string dyntype = "none", gaintype = "fixed", biastype = "none";
    std::array<double, 10> gain{1}, bias{}, dynamics{1};
    double inherit_range = 0;
    bool act_early = false, always_limited = false;
    std::string input;                                              ///< signature, as written
    std::map<std::string, std::vector<double>, std::less<>> motor;  ///< what a DC motor is given by
};
Drive read_drive(const Element& actuator);
/// What actuators add to the joint or tendon that they drive.
struct DriveExtra
{
    double armature = 0;
    std::array<double, 3> damping{};  ///< of v, v |v|, v^3

    template <class Options>
    void add_to(Options& options) const
    {
        options.armature += armature;
        options.damping += damping[0];
        for (std::size_t i = 0; i < 2; ++i) options.damping_polynomial[i] += damping[i + 1];
    }
};

/// The shortcuts muscle, adhesion, pid, orientation and dcmotor.
void apply_shortcut(const Element& e, Drive& drive);
/// Parameters of a DC motor from what it is given by; `damping` is the actuator's. The force range of its saturation.
Range settle_motor(double damping, Drive& drive);
/// Bits of the inputs that a PID or a DC motor has; nothing where a word is none of them.
std::optional<int> find_inputs(const Drive& drive);

/// The file that an attribute of an asset names, if it may be read: in the model's folder of such assets, or beside the
/// file that names it.
std::optional<std::filesystem::path> find_asset_path(const Element& asset, const Attribute& written,
                                                     const std::string& asset_folder, const Source& source, Log& log);

class Assembly
{
public:
    Assembly(const Spec& spec, Source& source, Log& log);

    /// Everything that the file describes. What it gets wrong is in the log.
    Authored read();
    /// Notes the mistakes that the builder found beside those already known, at the attribute or element behind each.
    void add_builder_errors(const std::vector<Error>& errors);

private:
    void add_options();
    void override_contacts();  // override.cpp
    void add_assets();
    void add_tree();
    void add_contacts();
    void add_equalities();
    void add_tendons();
    void add_actuators();
    void add_sensors();
    void add_keys();
    // tree.cpp
    void add_body(const Element& element, BodyId parent, const Pose& parent_world, const Pose& frame, bool under_world);
    void add_body_parts(const Element& element, const Pose& frame, BodyId body);
    void add_child_bodies(const Element& element, const Pose& frame, BodyId body, const Pose& world);
    void add_joint(const Element& element, const Pose& frame, BodyId body);
    void warn_of_negative(const Element& element);
    void add_site(const Element& element, const Pose& frame, BodyId body);
    // appearance.cpp
    void add_texture(const Element& asset);
    void add_visual_material(const Element& asset);
    void add_camera(const Element& element, const Pose& frame, BodyId body);
    void add_light(const Element& element, const Pose& frame, BodyId body);
    SensorTarget find_camera_frame(int camera) const;
    void add_headlight();
    /// Looks up the bodies that cameras and lights look at, and drops what nothing uses.
    void settle_appearance();
    BodyId find_looked_at(const Element& element, FollowMode& mode) const;
    // assets.cpp
    void add_mesh(const Element& asset);
    void add_height_field(const Element& asset);
    // geoms.cpp
    void add_geom(const Element& element, const Pose& frame, BodyId body);
    std::optional<Shape> find_shape(const Element& element, Pose& pose);
    std::optional<Shape> find_mesh_shape(const Element& element, Pose& pose);
    MaterialId find_material(const MaterialOptions& material, const Element& user);
    /// Shall `discardvisual` leave the geom out? It cannot touch anything, and nothing names it.
    bool is_discarded(const Element& geom) const;
    /// Its visual material, whose colour goes before one from a default class.
    void add_look(const Element& element, ShapeOptions& options);
    void add_fluid(const Element& element, ShapeOptions& options) const;
    // inertia.cpp
    std::optional<Inertia> read_inertial(const Element& body) const;
    void note_mass(const Element& element, const Shape& shape, const ShapeOptions& options, BodyId body);
    /// An inertial as a part of a body, given in `frame` there.
    void note_inertial(const Inertia& inertia, const Pose& frame, BodyId body);
    /// What stands in a body that was fused with `body`.
    void add_fused_parts(const Element& element, const Pose& frame, BodyId body);
    /// The inertia of a body's parts, where the builder would find another one.
    std::optional<Inertia> find_part_inertia(int body) const;
    /// What follows from the masses of all bodies: their bounds and their sum, the inertia of meshes, aligned frames.
    void settle_bodies();
    /// Moves the frame of a body, and nothing else, to `frame` in it.
    void align(int body, const Pose& frame);
    // constraints.cpp
    EqualityId add_body_equality(const Element& element, const EqualityOptions& options);
    TendonId add_fixed(const Element& element, const TendonOptions& options);
    TendonId add_spatial(const Element& element, const TendonOptions& options);
    // drives.cpp
    void add_actuator(const Element& element);
    std::optional<ActuatorTarget> find_target(const Element& element, Range& range) const;
    /// The law of a drive, or what is refused about it.
    void read_law(const Element& element, const Drive& drive, ActuatorOptions& options) const;
    void inherit_range(const Element& element, const Drive& drive, const Range& of_target,
                       ActuatorOptions& options) const;
    /// The actuator, and those that stand for its further inputs or outputs.
    void add_with_inputs(const Element& element, const ActuatorTarget& target, const ActuatorOptions& options);
    // keyframes.cpp
    /// What keyframes of the model itself leave out: the reference pose, and as many zeros as there are numbers.
    struct UsualKey
    {
        std::vector<double> q, v, act, ctrl;
        std::vector<std::size_t> turns;  ///< where quaternions begin in q
    };
    UsualKey find_usual_key() const;
    void add_own_key(const Key& key, const UsualKey& usual);
    void add_attached_key(const Key& key, const UsualKey& usual);
    // sensors.cpp
    void add_sensor(const Element& element, SensorType type);
    std::optional<SensorTarget> find_object(const Element& element, const char* type, const char* name) const;
    std::optional<SensorTarget> find_enclosed(const Element& element) const;
    std::optional<SensorTarget> find_side(const Element& element, int side) const;
    std::optional<SensorTarget> find_watched(const Element& element) const;
    void read_camera(const Element& sensor, SensorType type, SensorOptions& options) const;

    /// The index of a named element of a kind, or nothing and an error with the nearest name.
    std::optional<int> find(const Element& element, const char* attribute, const std::string& kind) const;
    std::optional<int> find(const Attribute& attribute, const std::string& name, const std::string& kind) const;
    /// Notes an element of a kind ("body", "geom", ...); `word` is what the builder calls it.
    void note(const Element& element, const char* word, int index);
    // builder_errors.cpp
    /// The element that a builder's error is about; null: none.
    const Element* find_blamed(const Error& error) const;

    const Spec& spec_;
    Source& source_;
    Log& log_;
    ModelBuilder builder_;
    Authored& authored_;  ///< what the builder was told so far

    std::map<std::string, std::map<std::string, int, std::less<>>, std::less<>> names_;  ///< index by kind and name
    std::map<std::string, const Element*> blamed_;  ///< who stands behind the builder's "where"
    std::map<std::string, MeshAsset> meshes_;
    struct FieldAsset
    {
        HeightFieldId id;
        double elevation = 0;  ///< of the highest point that it could have [m]
    };
    std::map<std::string, FieldAsset> height_fields_;
    std::set<std::string> named_geoms_;  ///< by elements outside of the tree, where `discardvisual` asks for them
    std::vector<const Element*> camera_elements_, light_elements_;
    std::vector<std::pair<MaterialOptions, MaterialId>> materials_;
    std::vector<Pose> world_;  ///< of bodies at q0
    std::vector<const Element*> body_elements_, joint_elements_;
    std::map<int, std::vector<BodyPart>> parts_;  ///< by body
    std::set<int> made_of_parts_;                 ///< bodies with meshes, shells or inertials of fused bodies
    int fused_ = 0, last_fused_ = 0;              ///< of the parts being read
    bool geoms_weigh_ = true;                     ///< those being read: no inertial speaks for them
    /// What actuators add to their targets, by the target's name.
    std::map<std::string, DriveExtra, std::less<>> joint_extra_, tendon_extra_;
    /// Without the springs and dampers that flags switch off.
    template <class Options>
    void leave_out(Options& options) const
    {
        if (springs_off_)
        {
            options.stiffness = options.spring_yield = 0;
            options.stiffness_polynomial = {};
        }
        if (!dampers_off_) return;
        options.damping = 0;
        options.damping_polynomial = {};
    }
    bool gravity_off_ = false, springs_off_ = false, dampers_off_ = false, overridden_ = false;
    bool actuation_off_ = false, clamps_off_ = false;
    std::vector<double> disabled_groups_;  ///< of actuators
};

/// Shall the frame of this body be moved to its centre of mass and principal axes?
bool wants_alignment(const Element& body);

/// The child of that name, also inside frames; null: none.
const Element* find_child(const Element& parent, std::string_view name);

}  // namespace rattleback::mjcf
