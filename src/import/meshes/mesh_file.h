// Meshes from OBJ, STL, OFF, MSH, COLLADA and glTF files: untrusted input, read within limits; OBJ, STL and MSH with
// the numbers MuJoCo would read.
#pragma once

#include <rattleback/error.h>
#include <rattleback/import.h>
#include <rattleback/shapes.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace rattleback
{

/// What a mesh file may hold at most; beyond it reading ends with ErrorCode::limit.
struct MeshLimits
{
    std::uint64_t bytes = std::uint64_t{256} << 20;
    std::uint64_t vertices = 20'000'000;  ///< of STL three for each triangle
    std::uint64_t triangles = 20'000'000;
    std::uint64_t polygon_corners = 4'096;     ///< of one face
    std::uint64_t polygon_work = 500'000'000;  ///< corners looked at while cutting polygons into triangles
    std::size_t errors = 20;                   ///< reading stops after so many
    /// Files that a file names must lie in it, links followed; nothing: wherever they are.
    std::optional<std::filesystem::path> root = std::nullopt;
};

/// Limits of one mesh where all that are still to be read may take so many bytes, in files and in memory.
MeshLimits make_mesh_limits(std::size_t bytes_left, const ImportOptions& options, const std::filesystem::path& root);
/// What vertices and triangles take in memory [bytes].
std::size_t count_bytes(const MeshOptions& mesh);

/// Which faces of an OBJ file make the mesh.
enum class ObjGroups
{
    first,  ///< those of the first `o` or `g` that has faces or lines, as MuJoCo does; yet the vertices of all
    all,
};

/// How much of the coordinates in a text counts.
enum class Digits
{
    single,  ///< rounded to 32 bits, as MuJoCo does
    all,     ///< 64 bits, for scenes whose clearances are smaller than that rounding
};

/// How a mesh in text is read: as MuJoCo reads it, or as a modeller means it.
struct ObjRules
{
    ObjGroups groups = ObjGroups::first;
    Digits digits = Digits::single;
    bool polygons_as_mujoco = false;  ///< see polygon.h
};

/// Reads a mesh; the format follows from the extension (.obj, .stl, .off, .msh, .dae, .gltf or .glb in any case). The
/// mesh is named after the file, without folder and extension. Only regular files are opened. Errors say
/// "file:line:column", or the byte in a binary file.
///
/// Facts about MuJoCo 4.0, found by comparing with it, which the readers of OBJ and STL follow:
/// - coordinates are rounded to 32 bits, then used in 64;
/// - repeated vertices are merged in STL and kept in OBJ, as are vertices that no face uses;
/// - triangles without area are kept: they weigh nothing;
/// - a file with vertices and no faces is good: what the faces are (MuJoCo takes the hull's) is for the caller to say.
///
/// What it does not read and we do: STL in ASCII or with more than 200,000 triangles, `\` at the end of an OBJ line,
/// comments behind an OBJ face, a byte-order mark. What it lets pass and we refuse: an OBJ vertex with two coordinates
/// or with text for a number (it reads 0), a face with two corners (it drops it), a number like 1e400.
Result<MeshOptions> load_mesh_file(const std::filesystem::path& path, const MeshLimits& limits = {},
                                   const ObjRules& rules = {});

/// Wavefront OBJ: `v`, `f` and `l` count (lines become edges), all other keywords are passed over. Faces may name
/// vertices that come later. `name` is the file as the errors shall call it.
Result<MeshOptions> parse_obj(std::string_view text, std::string_view name, const MeshLimits& limits = {},
                              const ObjRules& rules = {});

/// STL, binary or ASCII, with repeated vertices merged. Normals are passed over: the order of the corners says what is
/// outside. `name` as in parse_obj.
Result<MeshOptions> parse_stl(std::span<const std::byte> bytes, std::string_view name, const MeshLimits& limits = {},
                              Digits digits = Digits::single);

/// OFF as text: a count of vertices and of faces, then the vertices, then polygons by the vertices' numbers. `name` as
/// in parse_obj.
Result<MeshOptions> parse_off(std::string_view text, std::string_view name, const MeshLimits& limits = {},
                              Digits digits = Digits::single);

/// MSH, MuJoCo's own binary format: vertices and triangles as they are; normals and texture coordinates are passed
/// over. `name` as in parse_obj.
Result<MeshOptions> parse_msh(std::span<const std::byte> bytes, std::string_view name, const MeshLimits& limits = {});

/// COLLADA 1.4: triangles and polygons of the geometries that the scene places, in metres whatever the file's
/// unit, rounded to 32 bits there, equal vertices merged. `up_axis`, materials, lines and animation are passed over;
/// skins, `skew`, `lookat` and polygons with holes are refused.
Result<MeshOptions> parse_collada(std::string_view text, std::string_view name, const MeshLimits& limits = {});

/// glTF 2.0, as text or binary (GLB): the triangles of the scene's nodes, turned from y up to z up, as parse_collada.
/// Buffers are in the file, in data URIs, or in files in `folder` or below it. Compressed, quantised and sparse data
/// are refused by name; materials, skins, morph targets and animation are passed over.
Result<MeshOptions> parse_gltf(std::span<const std::byte> bytes, std::string_view name,
                               const std::filesystem::path& folder, const MeshLimits& limits = {});

/// Merges vertices with equal coordinates into the first of them, in the order of first appearance; triangles and edges
/// follow. Zero equals minus zero here. MuJoCo compares bits, so that such a pair stays apart and leaves a seam.
/// Coordinates must be finite and indices good.
void weld_vertices(MeshOptions& mesh);

}  // namespace rattleback
