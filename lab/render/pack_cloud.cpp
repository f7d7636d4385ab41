// Reads points.
#include "lab/render/pack_cloud.h"

#include <charconv>
#include <fstream>

namespace rattleback::lab
{

namespace
{

/// Three numbers at the front of a line; false where there are fewer.
bool read_point(std::string_view line, Vec3& point)
{
    const char* place = line.data();
    const char* end = place + line.size();
    const auto is_gap = [](char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; };
    for (int k = 0; k < 3; ++k)
    {
        while (place != end && is_gap(*place)) ++place;
        const auto [next, failed] = std::from_chars(place, end, point[k]);
        if (failed != std::errc{}) return false;
        place = next;
    }
    return true;
}

}  // namespace

Result<std::vector<Vec3>> load_points(const std::filesystem::path& path)
{
    std::ifstream file(path);
    if (!file) return Error{ErrorCode::io, path.string(), "cannot be read", "check the name"};
    std::vector<Vec3> points;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number)
    {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#') continue;
        Vec3 point;
        if (!read_point(line, point))
            return Error{ErrorCode::syntax, path.string() + ":" + std::to_string(number), "is no point",
                         "three numbers [m] per line"};
        points.push_back(point);
    }
    return points;
}

}  // namespace rattleback::lab
