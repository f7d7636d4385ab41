// Packs: arrays of numbers as the viewer's page reads them, without parsing text.
#pragma once

#include <rattleback/record.h>

#include <nlohmann/json.hpp>

#include <cstring>

namespace rattleback::cli
{

/// Arrays one after the other, each at a multiple of 8 bytes, little-endian.
struct Pack
{
    nlohmann::json about = {{"sections", nlohmann::json::object()}};  ///< sections: name -> [type, offset, count]
    std::vector<std::byte> bytes;

    /// T: std::uint8_t, std::uint32_t, std::int32_t, float or double.
    template <class T>
    void add(const std::string& name, const std::vector<T>& values)
    {
        bytes.resize((bytes.size() + 7) / 8 * 8);
        about["sections"][name] = {type_name(T{}), bytes.size(), values.size()};
        const std::size_t offset = bytes.size();
        bytes.resize(offset + values.size() * sizeof(T));
        if (!values.empty()) std::memcpy(bytes.data() + offset, values.data(), values.size() * sizeof(T));
    }

private:
    static const char* type_name(std::uint8_t) { return "u8"; }
    static const char* type_name(std::uint32_t) { return "u32"; }
    static const char* type_name(std::int32_t) { return "i32"; }
    static const char* type_name(float) { return "f32"; }
    static const char* type_name(double) { return "f64"; }
};

/// Shapes and their meshes. `shape_*` arrays, `mesh<i>_vertices`, `_triangles`, `_edges` and `field<i>_heights`.
Pack pack_shapes(const RecordedModel& model);

/// Which frames of a recording to take.
struct FrameSelection
{
    std::int64_t begin = 0;
    std::int64_t stride = 0;                         ///< 0: the smallest with which the pack stays below `budget`
    std::uint64_t budget = std::uint64_t{64} << 20;  ///< [bytes]
    bool in_pieces = false;  ///< ends at the budget whatever the stride; the rest is for further packs
};
/// Frames as numbers, and what there is to say about them.
struct FramePack
{
    Pack pack;
    std::int64_t next_frame = 0;  ///< of the recording: where the next pack begins
    std::int64_t stride = 1;
    bool usable = true;  ///< false: a frame cannot be drawn, and the pack ends before it
    std::vector<std::string> notices;
};
/// Frames from `begin` to the end, or to the first that cannot be drawn. A pack without frames is possible.
/// Poses: positions as 32-bit integers on a grid over their range (`low`, `extent`), quaternions x y z w as float.
/// `contact_size`: half the thickness of the smaller of the two shapes [m]. `tendon`: x y z, and 1 where a line begins.
/// `values`: PlotColumns.
Result<FramePack> pack_frames(Recording& recording, const FrameSelection& selection);

}  // namespace rattleback::cli
