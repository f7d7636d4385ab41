// Loads meshes and height fields, and brings meshes into the frame in which MuJoCo keeps them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/single.h"
#include "geometry/hull.h"
#include "geometry/mesh_mass.h"
#include "import/images/png.h"
#include "import/meshes/mesh_file.h"
#include "import/mjcf/assembly.h"
#include "import/mjcf/builtin_mesh.h"
#include "import/mjcf/mesh_axes.h"

namespace rattleback::mjcf
{

namespace
{

MeshMass find_rule(const std::string& word)
{
    if (word == "exact") return MeshMass::exact;
    if (word == "convex") return MeshMass::convex;
    return word == "shell" ? MeshMass::shell : MeshMass::legacy;
}

/// The file of a mesh or height field.
std::optional<std::filesystem::path> find_mesh_path(const Element& asset, const Source& source, Log& log)
{
    return find_asset_path(asset, *asset.find("file"), asset.context->mesh_folder, source, log);
}

/// Places in the texture, written as two numbers for each vertex; kept for each corner.
void add_texcoords(const Element& asset, MeshOptions& mesh)
{
    const std::vector<double> places = asset.numbers("texcoord");
    if (places.size() != 2 * mesh.vertices.size()) return;
    for (const auto& triangle : mesh.triangles)
    {
        for (const int corner : triangle)
        {
            const std::size_t i = 2 * static_cast<std::size_t>(corner);
            if (corner < 0 || i + 1 >= places.size()) return mesh.texcoords.clear();
            mesh.texcoords.push_back({static_cast<float>(places[i]), static_cast<float>(places[i + 1])});
        }
    }
}

/// Counts what a few words of a model ask for; false, and an error, where it is too much together.
bool take_generated(std::size_t count, const SourceLocation& location, Source& source, Log& log)
{
    if (take(count, source.generated_left)) return true;
    log.fail(location, "the height fields and built-in meshes of the model are too large together",
             "at most " + std::to_string(source.options->limits.generated) + " heights and points", ErrorCode::limit);
    return false;
}

/// Vertices and triangles written in the file itself; vertices are 32-bit numbers to MuJoCo.
std::optional<MeshOptions> read_inline(const Element& asset, Log& log)
{
    MeshOptions mesh;
    const std::vector<double> vertices = asset.numbers("vertex"), faces = asset.numbers("face");
    if (vertices.empty() || vertices.size() % 3 != 0 || faces.size() % 3 != 0)
    {
        log.fail(asset.location, "a mesh needs 'file', or 'vertex' (and 'face') with three numbers for each", "",
                 ErrorCode::invalid_value);
        return std::nullopt;
    }
    for (std::size_t i = 0; i < vertices.size(); i += 3)
        mesh.vertices.push_back(
            {round_to_single(vertices[i]), round_to_single(vertices[i + 1]), round_to_single(vertices[i + 2])});
    for (std::size_t i = 0; i < faces.size(); i += 3)
        mesh.triangles.push_back(
            {static_cast<int>(faces[i]), static_cast<int>(faces[i + 1]), static_cast<int>(faces[i + 2])});
    add_texcoords(asset, mesh);
    return mesh;
}

std::optional<MeshOptions> read_mesh(const Element& asset, Source& source, Log& log)
{
    if (asset.has("builtin") && !asset.text("builtin").empty())
    {
        // A few words may stand for a million points: all of a model are counted together.
        std::optional<MeshOptions> made = make_builtin_mesh(asset, log);
        if (made && !take_generated(made->vertices.size(), asset.location, source, log)) return std::nullopt;
        return made;
    }
    if (!asset.has("file")) return read_inline(asset, log);
    const auto path = find_mesh_path(asset, source, log);
    if (!path) return std::nullopt;
    const MeshLimits limits = make_mesh_limits(source.bytes_left, *source.options, source.root);
    Result<MeshOptions> mesh = load_mesh_file(*path, limits, {.polygons_as_mujoco = true});
    if (!mesh)
    {
        log.append(asset.find("file")->location, mesh.errors());
        return std::nullopt;
    }
    std::error_code code;
    const auto size = std::filesystem::file_size(*path, code);
    source.bytes_left -= std::min(source.bytes_left, std::max<std::size_t>(code ? 0 : size, count_bytes(*mesh)));
    return std::move(mesh).value();
}

/// refpos and refquat are taken away, then the scale is applied; a mirrored mesh is turned right side out.
void apply_reference(const Element& asset, MeshOptions& mesh)
{
    const Vec3 origin = to_vector(asset.numbers("refpos")), scale = to_vector(asset.numbers("scale"));
    const std::vector<double> q = asset.numbers("refquat");
    const Quat written{q[0], q[1], q[2], q[3]};
    const Quat back = norm(written) > 0 ? conjugate(normalized(written)) : Quat{};
    const bool turned = !(back == Quat{});
    for (Vec3& v : mesh.vertices)
    {
        Vec3 p = v - origin;
        if (turned) p = rotate(back, p);
        v = {scale.x * p.x, scale.y * p.y, scale.z * p.z};
    }
    if (scale.x * scale.y * scale.z < 0)
    {
        for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
        for (std::size_t i = 0; i + 2 < mesh.texcoords.size(); i += 3)
            std::swap(mesh.texcoords[i + 1], mesh.texcoords[i + 2]);
    }
}

/// The directions along the skin of a built-in plate or wedge at a vertex; other meshes have none.
std::array<Vec3, 2> find_tangents(const std::string& builtin, const Vec3& p)
{
    if (builtin == "plate") return {Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    const double across = std::sqrt(std::max(0.0, 1 - p.y * p.y));  // cosine of the latitude
    if (builtin != "wedge" || !(across > 0)) return {};
    return {Vec3{-p.z / across, 0, p.x / across}, Vec3{-p.x * p.y / across, across, -p.z * p.y / across}};
}

/// The vertices of a mesh as points that feel, in the file's coordinates.
std::vector<Taxel> make_taxels(const Element& asset, const MeshOptions& mesh)
{
    std::vector<Taxel> taxels;
    for (const Vec3& v : mesh.vertices)
    {
        const auto [first, second] = find_tangents(asset.text("builtin"), v);
        taxels.push_back({v, first, second});
    }
    return taxels;
}

/// Brings taxels along with their mesh. Directions change as normals do; all numbers are 32 bits to MuJoCo.
void settle_taxels(const Element& asset, const MeshOptions& placed, const Pose& kept, std::vector<Taxel>& taxels)
{
    const Vec3 scale = to_vector(asset.numbers("scale"));
    const std::vector<double> q = asset.numbers("refquat");
    const Quat written{q[0], q[1], q[2], q[3]}, back = conjugate(kept.rotation);
    const Quat reference = norm(written) > 0 ? conjugate(normalized(written)) : Quat{};
    const auto round = [](const Vec3& v)
    { return Vec3{round_to_single(v.x), round_to_single(v.y), round_to_single(v.z)}; };
    for (std::size_t i = 0; i < taxels.size(); ++i)
    {
        taxels[i][0] = round(rotate(back, placed.vertices[i] - kept.position));
        for (std::size_t k = 1; k < 3; ++k)
        {
            const Vec3 turned = rotate(reference, taxels[i][k]);
            const Vec3 along{turned.x / scale.x, turned.y / scale.y, turned.z / scale.z};
            if (norm(along) > 0) taxels[i][k] = round(rotate(back, (1 / norm(along)) * along));
        }
    }
}

/// Moves the mesh to its centre and principal axes and measures it.
std::optional<Error> settle(MeshOptions& mesh, MeshAsset& asset)
{
    if (mesh.triangles.empty())
    {
        Result<MeshOptions> hull = compute_hull(mesh.vertices);
        if (!hull) return hull.errors().front();
        mesh.vertices = hull.value().vertices;
        mesh.triangles = hull.value().triangles;
    }
    // An open mesh has no inside, yet MuJoCo adds up the signed pyramids of its triangles.
    const bool open = asset.rule == MeshMass::exact && !find_mesh_error(mesh) && is_open(mesh);
    const Result<MassProperties> mass =
        open ? compute_pyramid_mass(mesh) : compute_mesh_mass(ShapeType::mesh, mesh, asset.rule);
    if (!mass) return mass.errors().front();
    if (open) asset.rule = MeshMass::legacy;  // the nearest that the Model knows; the body's inertia is given
    const MeshAxes axes = find_mesh_axes(mass.value().inertia);
    asset.volume = mass.value().mass;
    asset.moments = axes.moments;
    asset.pose = {mass.value().center, axes.rotation};
    const Quat back = conjugate(axes.rotation);
    Vec3 lower, upper;
    for (Vec3& v : mesh.vertices)
    {
        v = rotate(back, v - asset.pose.position);
        const bool first = &v == mesh.vertices.data();
        for (int k = 0; k < 3; ++k)
        {
            lower[k] = first ? v[k] : std::min(lower[k], v[k]);
            upper[k] = first ? v[k] : std::max(upper[k], v[k]);
        }
    }
    asset.bounds_center = 0.5 * (lower + upper);
    asset.bounds_half = 0.5 * (upper - lower);
    const Vec3& m = axes.moments;
    const double trace = m.x + m.y + m.z;
    for (int k = 0; k < 3; ++k) asset.inertia_box[k] = 0.5 * std::sqrt(6 * (trace - 2 * m[k]) / mass.value().mass);
    asset.good = true;
    return std::nullopt;
}

/// The heights of a file in MuJoCo's format: two 32-bit integers, then 32-bit numbers row by row.
bool read_heights(const Element& asset, const std::string& bytes, HeightFieldOptions& field, Source& source, Log& log)
{
    const auto fail = [&](const char* why)
    {
        log.fail(asset.find("file")->location, std::string("the height field's file ") + why, "",
                 ErrorCode::invalid_value);
        return false;
    };
    std::int32_t size[2] = {0, 0};
    static_assert(std::endian::native == std::endian::little);
    if (bytes.size() < sizeof size) return fail("is too short");
    std::memcpy(size, bytes.data(), sizeof size);
    const std::uint64_t count = (bytes.size() - sizeof size) / 4;
    if (size[0] < 1 || size[1] < 1 || bytes.size() % 4 != 0 ||
        static_cast<std::uint64_t>(size[0]) * static_cast<std::uint64_t>(size[1]) != count)
        return fail("does not hold as many numbers as its first two say");
    if (!take_generated(count, asset.find("file")->location, source, log)) return false;
    field.rows = size[0];
    field.columns = size[1];
    for (std::size_t i = 0; i < count; ++i)
    {
        float value = 0;
        std::memcpy(&value, bytes.data() + sizeof size + 4 * i, 4);
        if (!std::isfinite(value)) return fail("holds a number that is not finite");
        field.heights.push_back(static_cast<double>(value));
    }
    return true;
}

/// The grey values of a PNG file. Its top row is the one with the largest y.
bool read_picture(const Attribute& file, const std::string& bytes, HeightFieldOptions& field, Source& source, Log& log)
{
    // Its few bytes may stand for many pixels: they are counted before they are unpacked.
    const Result<PngSize> size = read_png_size(std::as_bytes(std::span(bytes)), file.text);
    if (size && !take_generated(static_cast<std::size_t>(size->width) * static_cast<std::size_t>(size->height),
                                file.location, source, log))
        return false;
    const Result<GreyImage> image = parse_png(std::as_bytes(std::span(bytes)), file.text,
                                              static_cast<std::uint64_t>(source.options->limits.generated));
    if (!image)
    {
        log.append(file.location, image.errors());
        return false;
    }
    field.rows = image->height;
    field.columns = image->width;
    for (int row = field.rows - 1; row >= 0; --row)
    {
        const auto first = image->pixels.begin() + std::ptrdiff_t{row} * field.columns;
        field.heights.insert(field.heights.end(), first, first + field.columns);
    }
    return true;
}

/// Heights between 0 and 1, then times the elevation; 32-bit numbers as in MuJoCo.
void normalize_heights(double elevation, HeightFieldOptions& field)
{
    const auto [low, high] = std::minmax_element(field.heights.begin(), field.heights.end());
    const double base = *low, span = *high - *low;
    for (double& height : field.heights)
    {
        height -= base;
        if (span > 0) height = round_to_single(height / span);
        height *= elevation;
    }
}

}  // namespace

std::optional<std::filesystem::path> find_asset_path(const Element& asset, const Attribute& written,
                                                     const std::string& asset_folder, const Source& source, Log& log)
{
    const SourceLocation& here = written.location;
    const Context& context = *asset.context;
    std::filesystem::path plain(written.text);
    if (context.strip_path) plain = plain.filename();
    const std::filesystem::path file = std::filesystem::path(asset_folder) / plain;
    std::error_code code;
    if (!std::filesystem::exists(context.folder / file, code))
    {
        const std::filesystem::path beside = find_folder(context.folder, plain, here);
        if (beside != context.folder) return find_path(beside, plain, here, source, log);
    }
    return find_path(context.folder, file, here, source, log);
}

void Assembly::add_mesh(const Element& asset)
{
    const MeshMass written = find_rule(asset.text("inertia"));
    MeshAsset entry{.rule = asset.text("builtin").empty() ? written : find_builtin_rule(asset, written)};
    MeshOptions mesh;
    if (auto read = read_mesh(asset, source_, log_))
    {
        mesh = std::move(*read);
        const bool feels = std::any_of(spec_.sensors.begin(), spec_.sensors.end(), [&](const Element& sensor)
                                       { return sensor.is("tactile") && sensor.text("mesh") == asset.name(); });
        if (feels) entry.taxels = make_taxels(asset, mesh);
        apply_reference(asset, mesh);
        const MeshOptions placed = feels ? mesh : MeshOptions{};
        if (const auto error = settle(mesh, entry)) log_.append(asset.location, {*error});
        settle_taxels(asset, placed, entry.pose, entry.taxels);
        if (asset.integer("maxhullvert") > 0)
            log_.warn(asset.location, "'maxhullvert' is ignored: the whole hull collides");
    }
    mesh.name = asset.name();
    entry.id = builder_.add_mesh(std::move(mesh));
    meshes_[asset.name()] = entry;
    note(asset, "mesh", entry.id.index);
}

void Assembly::add_assets()
{
    for (const Element& asset : spec_.assets)
    {
        if (asset.is("hfield")) add_height_field(asset);
        if (asset.is("texture")) add_texture(asset);
        if (asset.is("mesh")) add_mesh(asset);
    }
    // Materials may stand before their textures.
    for (const Element& asset : spec_.assets)
    {
        if (asset.is("material")) add_visual_material(asset);
    }
    add_headlight();
}

void Assembly::add_height_field(const Element& asset)
{
    const std::vector<double> size = asset.numbers("size");
    HeightFieldOptions field{.name = asset.name(), .half_x = size[0], .half_y = size[1], .base = size[3]};
    const std::vector<double> elevation = asset.numbers("elevation");
    if (const Attribute* file = asset.find("file"))
    {
        // What is wrong with the file is said once, not again where a geom asks for the field.
        log_.lose(asset.name());
        const auto path = find_mesh_path(asset, source_, log_);
        if (!path) return;
        const Result<std::string> bytes = read_bytes(*path, source_.options->limits.bytes);
        if (!bytes) return log_.append(file->location, bytes.errors());
        const bool picture =
            path->extension() == ".png" || path->extension() == ".PNG" || asset.text("content_type") == "image/png";
        if (picture ? !read_picture(*file, bytes.value(), field, source_, log_)
                    : !read_heights(asset, bytes.value(), field, source_, log_))
            return;
    }
    else
    {
        field.rows = asset.integer("nrow");
        field.columns = asset.integer("ncol");
        if (field.rows < 1 || field.columns < 1)
            return log_.fail(asset.location, "a height field needs 'nrow' and 'ncol', or a file", "",
                             ErrorCode::invalid_value);
        const std::size_t count = static_cast<std::size_t>(field.rows) * static_cast<std::size_t>(field.columns);
        if (!take_generated(count, asset.location, source_, log_)) return;
        field.heights.assign(count, 0);
        if (!elevation.empty() && elevation.size() != field.heights.size())
            return log_.fail(
                asset.find("elevation")->location, "'elevation' has " + std::to_string(elevation.size()) + " numbers",
                "it needs nrow * ncol = " + std::to_string(field.heights.size()), ErrorCode::invalid_value);
        // The first row of the text is the one with the largest y.
        for (std::size_t i = 0; i < elevation.size(); ++i)
        {
            const std::size_t columns = static_cast<std::size_t>(field.columns), row = i / columns;
            field.heights[(static_cast<std::size_t>(field.rows) - 1 - row) * columns + i % columns] =
                round_to_single(elevation[i]);
        }
    }
    normalize_heights(size[2], field);
    const HeightFieldId id = builder_.add_height_field(std::move(field));
    height_fields_[asset.name()] = {id, size[2]};
    note(asset, "height field", id.index);
}

}  // namespace rattleback::mjcf
