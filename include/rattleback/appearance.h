// How a model looks: cameras, lights, visual materials and textures. Nothing here has an effect on motion.
#pragma once

#include <rattleback/api.h>
#include <rattleback/ids.h>
#include <rattleback/math.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rattleback RATTLEBACK_API
{

/// How a camera or a light goes along with its body.
enum class FollowMode
{
    fixed,            ///< rigidly
    track,            ///< keeps its rotation in the world, and its distance to the body's origin
    track_com,        ///< the same with the centre of mass of the body and all that hangs on it
    target_body,      ///< its place is fixed to the body, and it looks at the target's origin
    target_body_com,  ///< at the centre of mass of the target and all that hangs on it
};
enum class LightType
{
    spot,
    directional,
    point,
};
enum class TextureType
{
    flat,    ///< one picture (MJCF's 2d)
    cube,    ///< six, one for each direction from the middle of a shape
    skybox,  ///< six, far away around the scene
};
enum class TexturePattern
{
    none,      ///< a picture of a file
    gradient,  ///< from the first colour to the second
    checker,   ///< two squares of each colour
    flat,      ///< the first colour; cubes have the second below
};
enum class TextureMark
{
    none,
    edge,
    cross,
    random,  ///< dots
};

const char* to_string(FollowMode mode);
const char* to_string(LightType type);
const char* to_string(TextureType type);
const char* to_string(TexturePattern pattern);
const char* to_string(TextureMark mark);

/// A camera looks along -z of its frame, with x to the right and y up in the picture.
struct CameraOptions
{
    std::string name;  ///< empty: "camera N"
    BodyId body = kWorld;
    Vec3 position;  ///< in the body frame [m]
    Quat rotation;
    FollowMode mode = FollowMode::fixed;
    BodyId target;                        ///< of the target modes
    bool orthographic = false;            ///< parallel rays
    double field_of_view = 45;            ///< from bottom to top [degrees]; orthographic: [m]
    double eye_distance = 0.068;          ///< of a stereo pair [m]
    std::array<int, 2> resolution{1, 1};  ///< width, height of its own pictures [pixels]
    // A lens, where sensor_size is positive; the field of view follows from it.
    std::array<double, 2> sensor_size{0, 0};  ///< width, height [m]
    std::array<double, 2> focal{0, 0};        ///< along x and y [m]
    std::array<double, 2> principal{0, 0};    ///< where the axis meets the sensor, from its middle, right and up [m]
};

/// Colours of lights are in display space, as MuJoCo's: they multiply sRGB values.
struct LightOptions
{
    std::string name;  ///< empty: "light N"
    BodyId body = kWorld;
    Vec3 position;             ///< in the body frame [m]
    Vec3 direction{0, 0, -1};  ///< in the body frame, any length but zero
    FollowMode mode = FollowMode::fixed;
    BodyId target;
    LightType type = LightType::spot;
    bool active = true;
    bool cast_shadow = true;
    std::array<double, 3> ambient{0, 0, 0}, diffuse{0.7, 0.7, 0.7}, specular{0.3, 0.3, 0.3};
    std::array<double, 3> attenuation{1, 0, 0};  ///< constant, per [m], per [m^2]; not for directional lights
    double cutoff = 45;                          ///< spot: half angle [degrees]
    double exponent = 10;                        ///< spot: how the light falls towards the rim
    double softness = 0.2;                       ///< spot: of the rim, 0..1; kept, not drawn
    double bulb_radius = 0.02;                   ///< [m]; kept, not drawn
    double intensity = 0;                        ///< [candela]; kept, not drawn
    double range = 10;                           ///< [m]; kept, not drawn
};

/// The light at the camera.
struct HeadlightOptions
{
    bool active = true;
    std::array<double, 3> ambient{0.1, 0.1, 0.1}, diffuse{0.4, 0.4, 0.4}, specular{0.5, 0.5, 0.5};
};

/// A picture, by a rule or from PNG files. The first row is the top one.
struct TextureOptions
{
    std::string name;  ///< empty: "texture N"
    TextureType type = TextureType::cube;
    TexturePattern pattern = TexturePattern::none;
    std::array<double, 3> first{0.8, 0.8, 0.8}, second{0.5, 0.5, 0.5};  ///< sRGB
    TextureMark mark = TextureMark::none;
    std::array<double, 3> mark_colour{0, 0, 0};  ///< sRGB
    double random = 0.01;                        ///< share of random dots, 0..1
    int width = 0, height = 0;                   ///< of a pattern [pixels]; cubes: of a side, by the width alone
    /// PNG files as they are: one, or for cubes six (right, left, up, down, front, back; empty: of the first colour).
    std::vector<std::vector<std::byte>> png;
    std::array<int, 2> grid_size{1, 1};  ///< rows, columns of the squares in the one file of a cube
    std::string grid_layout;             ///< what they are, row by row: letters of RLUDFB, or '.' for none
    bool horizontal_flip = false, vertical_flip = false;  ///< of the files' pictures
};

/// What covers shapes to the eye. (MaterialOptions is what contacts feel.)
struct VisualMaterialOptions
{
    std::string name;  ///< empty: "visual material N"
    TextureId texture;
    /// Flat textures: repetitions over the shape or, if uniform, over two metres. Infinite planes are always uniform.
    std::array<double, 2> repeat{1, 1};
    bool uniform = false;  ///< cubes: wrapped around the shape in its true proportions
    double emission = 0;
    double specular = 0.5;                    ///< 0..1
    double shininess = 0.5;                   ///< 0..1
    double reflectance = 0;                   ///< 0..1; kept, not drawn
    double metallic = -1;                     ///< negative: not said; kept, not drawn
    double roughness = -1;                    ///< likewise
    std::array<float, 4> colour{1, 1, 1, 1};  ///< sRGB and opacity, times the texture
};

/// Of one shape.
struct ShapeLook
{
    VisualMaterialId material;
    std::array<double, 2> plane_size{
        0,
        0};  ///< half sizes of what rangefinders see of a plane, and that a texture is stretched over [m]; 0: endless
};

/// Everything in a Model or a recording that is for the eye, beside the colours and groups of shapes.
struct Appearance
{
    std::vector<CameraOptions> cameras;
    std::vector<LightOptions> lights;
    std::optional<HeadlightOptions> headlight;  ///< none: MuJoCo's where there are lights
    std::vector<TextureOptions> textures;
    std::vector<VisualMaterialOptions> materials;
    std::vector<ShapeLook> shapes;  ///< [shape_count], or empty: none has a visual material
    /// At q0, made by build(), [camera] and [light]: from the body's origin (with track_com: from the centre of mass)
    /// to the place, in world axes, and the rotation in the world (of lights: of the body).
    std::vector<Pose> camera_reference, light_reference;

    bool empty() const
    {
        return cameras.empty() && lights.empty() && !headlight && textures.empty() && materials.empty() &&
               shapes.empty();
    }
};

}  // namespace rattleback
