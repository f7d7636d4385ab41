// Maps from surfaces to textures, and Blinn and Phong's light as fixed-function OpenGL has it.
#include "lab/render/looks.h"

#include "base/index.h"
#include "math/elementary.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// Half sizes of the box around a mesh's vertices, as MuJoCo measures meshes.
Vec3 find_mesh_size(const MeshOptions& mesh)
{
    Vec3 low, high;
    if (!mesh.vertices.empty()) low = high = mesh.vertices.front();
    for (const Vec3& vertex : mesh.vertices)
    {
        for (int k = 0; k < 3; ++k)
        {
            low[k] = std::min(low[k], vertex[k]);
            high[k] = std::max(high[k], vertex[k]);
        }
    }
    return 0.5 * (high - low);
}

Vec3 find_size(const RecordedModel& model, const RecordedShape& shape)
{
    const auto& [a, b, c] = shape.size;
    switch (shape.type)
    {
        case ShapeType::sphere:
            return {a, a, a};
        case ShapeType::capsule:
            return {a, a, a + b};
        case ShapeType::cylinder:
            return {a, a, b};
        case ShapeType::box:
        case ShapeType::ellipsoid:
            return shape.size;
        case ShapeType::height_field:
        {
            const HeightFieldOptions& field = model.height_fields[at(shape.asset)];
            return {field.half_x, field.half_y, 1};
        }
        case ShapeType::plane:
            return {1, 1, 1};
        default:
            return shape.asset >= 0 ? find_mesh_size(model.meshes[at(shape.asset)]) : Vec3{1, 1, 1};
    }
}

/// Once around, from 0 to 1.
double find_turn(const Vec3& point)
{
    const double turn = angle_of(point.y, point.x) / (2 * kPi);
    return turn < 0 ? turn + 1 : turn;
}

/// Each side of a box shows the texture upright.
TexturePlace find_box_place(const Vec3& p, const Vec3& normal)
{
    const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
    double right = p.x, up = p.z;
    if (x >= y && x >= z)
        right = normal.x > 0 ? p.y : -p.y;
    else if (y >= z)
        right = normal.y > 0 ? -p.x : p.x;
    else
        up = normal.z > 0 ? p.y : -p.y;
    return {0.5 + 0.5 * right, 0.5 - 0.5 * up};
}

/// On unit solids, in the scale of one texture over the whole.
TexturePlace find_solid_place(ShapeType type, const Vec3& p, const Vec3& normal)
{
    const double turn = find_turn(p);
    switch (type)
    {
        case ShapeType::sphere:
        case ShapeType::ellipsoid:
            return {turn, 0.5 - angle_of(p.z, std::sqrt(p.x * p.x + p.y * p.y)) / kPi};
        case ShapeType::cylinder:
            if (std::abs(normal.z) > 0.7) return {0.5 + 0.5 * p.x, 0.5 + 0.5 * p.y};
            return {turn, 0.5 - 0.5 * p.z};
        case ShapeType::capsule:
            return {turn, 0.5 - 0.5 * p.z};
        default:
            return find_box_place(p, normal);
    }
}

bool is_solid(ShapeType type)
{
    return type == ShapeType::sphere || type == ShapeType::ellipsoid || type == ShapeType::cylinder ||
           type == ShapeType::capsule || type == ShapeType::box;
}

}  // namespace

TexturePlace scale_place(const SurfaceLook& look, const TexturePlace& place)
{
    const auto scale = [&](std::size_t k, double size)
    { return look.repeat[k] * (look.uniform && size > 0 ? size : 1); };
    const bool plane = look.type == ShapeType::plane;
    return {place[0] * scale(0, plane ? look.plane_size[0] : look.size.x),
            place[1] * scale(1, plane ? look.plane_size[1] : look.size.y)};
}

TexturePlace find_place(const SurfaceLook& look, const Vec3& p, const Vec3& normal)
{
    const Vec3& size = look.size;
    const Vec3 unit{size.x > 0 ? p.x / size.x : p.x, size.y > 0 ? p.y / size.y : p.y, size.z > 0 ? p.z / size.z : p.z};
    if (is_solid(look.type)) return scale_place(look, find_solid_place(look.type, unit, normal));
    if (look.type == ShapeType::plane && look.plane_size[0] > 0 && look.plane_size[1] > 0)
    {
        const auto& [half_x, half_y] = look.plane_size;
        return scale_place(look, {0.5 + 0.5 * p.x / half_x, 0.5 - 0.5 * p.y / half_y});
    }
    // Endless planes: a texture over two metres. What has no places of its own: from above, over its size or likewise.
    const bool metres = look.type == ShapeType::plane || look.uniform;
    return {0.5 * look.repeat[0] * (metres ? p.x : unit.x) - 0.5,
            -0.5 * look.repeat[1] * (metres ? p.y : unit.y) - 0.5};
}

Vec3 find_direction(const SurfaceLook& look, const Vec3& p)
{
    const Vec3& size = look.size;
    if (is_solid(look.type)) return look.uniform ? p : Vec3{p.x / size.x, p.y / size.y, p.z / size.z};
    return look.uniform ? Vec3{p.x * size.x, p.y * size.y, p.z * size.z} : p;
}

Looks::Looks(const RecordedModel& model)
{
    const Appearance& appearance = model.appearance;
    for (std::size_t i = 0; i < model.shapes.size(); ++i)
    {
        const RecordedShape& shape = model.shapes[i];
        SurfaceLook look{.type = shape.type, .size = find_size(model, shape)};
        const std::array<float, 4> colour = find_drawn_colour(shape);
        look.colour = {static_cast<double>(colour[0]), static_cast<double>(colour[1]), static_cast<double>(colour[2])};
        const int material = appearance.shapes.empty() ? -1 : appearance.shapes[i].material.index;
        if (material >= 0)
        {
            const VisualMaterialOptions& options = appearance.materials[at(material)];
            look.given = true;
            // The palette is for shapes that say nothing; these do.
            look.colour = {static_cast<double>(shape.colour[0]), static_cast<double>(shape.colour[1]),
                           static_cast<double>(shape.colour[2])};
            look.texture = find_texture(appearance, options.texture.index);
            look.repeat = options.repeat;
            look.uniform = options.uniform;
            look.plane_size = appearance.shapes[i].plane_size;
            look.emission = options.emission;
            look.specular = options.specular;
            look.shininess = options.shininess;
        }
        shapes_.push_back(look);
    }
    for (std::size_t i = 0; i < appearance.textures.size() && skybox_ == nullptr; ++i)
    {
        if (appearance.textures[i].type == TextureType::skybox) skybox_ = find_texture(appearance, static_cast<int>(i));
    }
}

const TextureImage* Looks::find_texture(const Appearance& appearance, int index)
{
    if (index < 0) return nullptr;
    if (const auto known = textures_.find(index); known != textures_.end())
        return known->second ? &*known->second : nullptr;
    std::optional<TextureImage>& kept = textures_[index];
    const TextureOptions& options = appearance.textures[at(index)];
    // A few bytes may stand for a picture of any size.
    const std::uint64_t pixels = TextureImage::count_pixels(options);
    if (pixels > pixels_left_)
    {
        notes_.push_back({.code = ErrorCode::limit,
                          .where = "texture '" + options.name + "'",
                          .message = "is left out: the textures are too large together",
                          .hint = "at most 268435456 pixels"});
        return nullptr;
    }
    Result<TextureImage> made = TextureImage::make(options);
    if (!made)
    {
        for (const Error& error : made.errors()) notes_.push_back(error);
        return nullptr;
    }
    pixels_left_ -= pixels;
    kept = std::move(made).value();
    return &*kept;
}

Srgb shade_with_lamps(const SurfaceLook& look, const Srgb& colour, const Vec3& point, const Vec3& normal,
                      const Vec3& to_eye, std::span<const PlacedLight> lamps, std::span<const double> lit)
{
    constexpr double kShininess = 128;  // MuJoCo's 1 as OpenGL's exponent
    Vec3 diffuse{look.emission, look.emission, look.emission}, shine;
    for (std::size_t i = 0; i < lamps.size(); ++i)
    {
        const PlacedLight& lamp = lamps[i];
        Vec3 to_lamp = -lamp.direction;
        double strength = 1;
        if (lamp.type != LightType::directional)
        {
            const Vec3 way = lamp.position - point;
            const double distance = std::max(norm(way), 1e-9);
            const auto& [constant, linear, square] = lamp.attenuation;
            to_lamp = 1 / distance * way;
            strength = 1 / std::max(constant + linear * distance + square * distance * distance, 1e-9);
        }
        if (lamp.type == LightType::spot)
        {
            const double cosine = -dot(to_lamp, lamp.direction);
            strength *= cosine >= lamp.cutoff_cosine && cosine > 0 ? power(std::min(cosine, 1.0), lamp.exponent) : 0;
        }
        const double facing = std::max(0.0, dot(normal, to_lamp)), share = strength * lit[i];
        diffuse += strength * lamp.ambient + share * facing * lamp.diffuse;
        if (!(facing > 0) || !(look.specular > 0)) continue;
        const Vec3 middle = to_lamp + to_eye;
        const double along = std::min(1.0, dot(normal, middle) / std::max(norm(middle), 1e-9));
        if (along > 0) shine += share * look.specular * power(along, kShininess * look.shininess) * lamp.specular;
    }
    return times(colour, diffuse) + shine;
}

namespace
{

/// A function of sRGB values by table, straight between its entries.
class ValueTable
{
public:
    template <class Function>
    explicit ValueTable(const Function& function)
    {
        for (int i = 0; i <= kLast; ++i) table_.push_back(function(static_cast<double>(i) / kLast));
    }
    double operator()(double x) const
    {
        const double place = kLast * keep_within(x, 0, 1);
        const std::size_t below = std::min<std::size_t>(static_cast<std::size_t>(place), kLast - 1);
        return table_[below] + (place - static_cast<double>(below)) * (table_[below + 1] - table_[below]);
    }
    Light operator()(const Srgb& colour) const
    {
        const ValueTable& table = *this;
        return {table(colour.x), table(colour.y), table(colour.z)};
    }

private:
    static constexpr int kLast = 1024;
    std::vector<double> table_;
};

}  // namespace

Light to_light(const Srgb& colour)
{
    static const ValueTable kTable(to_linear);
    return kTable(colour);
}

Light to_shown_light(const Srgb& colour)
{
    // The inverse of to_byte: its bright end, pressed together there, is stretched again.
    static const ValueTable kTable(
        [](double value)
        {
            const double light = to_linear(value), over = (light - 0.7) / 0.3;
            return over <= 0 ? light : std::min(4.0, 0.7 + 0.3 * over / std::max(1 - over, 1e-3));
        });
    return kTable(colour);
}

}  // namespace rattleback::lab
