// Looks: visual materials and textures of a model's shapes, and the light of its lamps, in MuJoCo's way.
#pragma once

#include "lab/render/model_camera.h"
#include "lab/render/texture.h"

#include <map>
#include <optional>

namespace rattleback::lab
{

/// How the surface of a shape looks.
struct SurfaceLook
{
    bool given = false;  ///< the shape has a visual material
    const TextureImage* texture = nullptr;
    ShapeType type = ShapeType::sphere;
    Vec3 size{1, 1, 1};  ///< half sizes along the axes [m]
    std::array<double, 2> repeat{1, 1};
    bool uniform = false;
    std::array<double, 2> plane_size{0, 0};  ///< [m]; 0: endless
    Srgb colour;
    double emission = 0, specular = 0.5, shininess = 0.5;
};

/// Where a point of a shape, in its own frame, is in a flat texture. `normal`: outward, for the sides of boxes and
/// cylinders. Meshes without places of their own and height fields are covered from above.
TexturePlace find_place(const SurfaceLook& look, const Vec3& point, const Vec3& normal);
/// The same for places that a mesh file gives.
TexturePlace scale_place(const SurfaceLook& look, const TexturePlace& place);
/// Towards where it is in a cube.
Vec3 find_direction(const SurfaceLook& look, const Vec3& point);

/// Of one model; null where a model has no appearance.
class Looks
{
public:
    explicit Looks(const RecordedModel& model);
    Looks(const Looks&) = delete;
    Looks& operator=(const Looks&) = delete;

    const SurfaceLook& of_shape(int shape) const { return shapes_[static_cast<std::size_t>(shape)]; }
    /// Null: none.
    const TextureImage* skybox() const { return skybox_; }
    /// Textures that could not be shown.
    const std::vector<Error>& notes() const { return notes_; }

private:
    const TextureImage* find_texture(const Appearance& appearance, int index);

    std::vector<SurfaceLook> shapes_;
    std::map<int, std::optional<TextureImage>> textures_;  ///< nothing: it cannot be shown, and a note says why
    std::uint64_t pixels_left_ = std::uint64_t{1} << 28;   ///< of all textures together: a gigabyte with their copies
    const TextureImage* skybox_ = nullptr;
    std::vector<Error> notes_;
};

/// What a surface sends to the eye, in display space. `lit`: of each lamp, the share that reaches the point.
Srgb shade_with_lamps(const SurfaceLook& look, const Srgb& colour, const Vec3& point, const Vec3& normal,
                      const Vec3& to_eye, std::span<const PlacedLight> lamps, std::span<const double> lit);

/// to_linear of the three parts, from a table.
Light to_light(const Srgb& colour);
/// Light that the encoder of pictures turns into this sRGB value.
Light to_shown_light(const Srgb& colour);

}  // namespace rattleback::lab
