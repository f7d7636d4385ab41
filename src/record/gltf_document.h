// A glTF 2.0 document under construction: arrays in one buffer, and the JSON that describes them.
#pragma once

#include "geometry/drawing.h"

#include <rattleback/record.h>

namespace rattleback
{

/// Lists of JSON objects, and the bytes they point into. Numbers given in double are rounded to float.
class GltfDocument
{
public:
    /// Indices of what was added.
    using Index = std::size_t;

    Index add_material(const std::array<float, 4>& colour, bool two_sided);
    /// A mesh of one primitive. Nothing when there is nothing to draw.
    std::optional<Index> add_mesh(const Drawing& drawing, Index material);
    /// `more`: further members, for example ",\"mesh\":3"; `children` may be empty.
    Index add_node(std::string_view name, const Pose& pose, const std::vector<Index>& children,
                   const std::string& more = {});
    /// Numbers of an animation: `width` 1 (times), 3 (positions) or 4 (quaternions x, y, z, w).
    Index add_track(const std::vector<float>& values, std::size_t width);
    void add_channel(Index node, const char* path, Index times, Index values);

    /// The whole document, with the buffer inside: text, or binary (.glb).
    std::string text(std::string_view scene_name, Index root) const;
    std::vector<std::byte> binary(std::string_view scene_name, Index root) const;

    /// False when a number was too large for float: the document is then not valid.
    bool finite() const { return finite_; }
    std::uint64_t buffer_size() const { return buffer_.size(); }

private:
    struct View
    {
        int target = 0;  ///< 0: none
        const char* type = "";
        std::size_t width = 1;
        bool with_bounds = false;
    };
    Index add_floats(const std::vector<float>& values, const View& view);
    Index add_indices(const std::vector<std::uint32_t>& indices);
    Index add_view(std::span<const std::byte> bytes, int target);
    std::vector<float> to_floats(const std::vector<Vec3>& vectors);
    std::string json(std::string_view scene_name, Index root, const std::string& uri) const;

    std::vector<std::byte> buffer_;
    std::vector<std::string> views_, accessors_, materials_, meshes_, nodes_, samplers_, channels_;
    bool finite_ = true;
};

}  // namespace rattleback
