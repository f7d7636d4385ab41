// The directory at the end of the archive leads to the entries; each is an array with a header in Python's words.
#include "numpy_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

namespace rattleback::cli
{

namespace
{

constexpr std::uint32_t kDirectoryEnd = 0x06054b50, kDirectoryEntry = 0x02014b50, kLocalHeader = 0x04034b50;
constexpr std::size_t kEndSize = 22, kEntrySize = 46, kLocalSize = 30;

/// A little-endian number at `place`, which must be inside.
template <class T>
T number_at(std::string_view bytes, std::size_t place)
{
    T value{};
    std::memcpy(&value, bytes.data() + place, sizeof(T));
    return value;
}

bool is_inside(std::string_view bytes, std::size_t place, std::size_t size)
{
    return place <= bytes.size() && size <= bytes.size() - place;
}

struct Entry
{
    std::string name;
    std::uint16_t method = 0;  ///< 0: stored
    std::string_view content;
};

/// Where the directory begins and how many entries it has.
std::optional<std::pair<std::size_t, int>> find_directory(std::string_view bytes)
{
    if (bytes.size() < kEndSize) return std::nullopt;
    const std::size_t lowest = bytes.size() - std::min<std::size_t>(bytes.size(), kEndSize + 65535);  // with a comment
    for (std::size_t at = bytes.size() - kEndSize + 1; at-- > lowest;)
    {
        if (number_at<std::uint32_t>(bytes, at) != kDirectoryEnd) continue;
        return std::pair(std::size_t{number_at<std::uint32_t>(bytes, at + 16)},
                         int{number_at<std::uint16_t>(bytes, at + 10)});
    }
    return std::nullopt;
}

/// The entries of a zip archive; nothing when it is none, or damaged.
std::optional<std::vector<Entry>> find_entries(std::string_view bytes)
{
    const auto directory = find_directory(bytes);
    if (!directory) return std::nullopt;
    std::vector<Entry> entries;
    std::size_t at = directory->first;
    for (int i = 0; i < directory->second; ++i)
    {
        if (!is_inside(bytes, at, kEntrySize) || number_at<std::uint32_t>(bytes, at) != kDirectoryEntry)
            return std::nullopt;
        const std::size_t size = number_at<std::uint32_t>(bytes, at + 20);
        const std::size_t name_size = number_at<std::uint16_t>(bytes, at + 28);
        const std::size_t extra = number_at<std::uint16_t>(bytes, at + 30),
                          comment = number_at<std::uint16_t>(bytes, at + 32);
        const std::size_t local = number_at<std::uint32_t>(bytes, at + 42);
        if (!is_inside(bytes, at + kEntrySize, name_size)) return std::nullopt;
        if (!is_inside(bytes, local, kLocalSize) || number_at<std::uint32_t>(bytes, local) != kLocalHeader)
            return std::nullopt;
        const std::size_t content = local + kLocalSize + number_at<std::uint16_t>(bytes, local + 26) +
                                    number_at<std::uint16_t>(bytes, local + 28);
        if (!is_inside(bytes, content, size)) return std::nullopt;
        entries.push_back({std::string(bytes.substr(at + kEntrySize, name_size)),
                           number_at<std::uint16_t>(bytes, at + 10), bytes.substr(content, size)});
        at += kEntrySize + name_size + extra + comment;
    }
    return entries;
}

/// What follows "'key':" in the header of an array, blanks skipped.
std::string_view find_value(std::string_view header, std::string_view key)
{
    const std::size_t place = header.find(fmt::format("'{}':", key));
    if (place == std::string_view::npos) return {};
    header.remove_prefix(place + key.size() + 3);
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    return header;
}

std::optional<std::vector<std::uint64_t>> parse_shape(std::string_view text)
{
    if (!text.starts_with('(')) return std::nullopt;
    text.remove_prefix(1);
    std::vector<std::uint64_t> shape;
    while (true)
    {
        text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
        if (text.starts_with(')')) return shape;
        std::uint64_t size = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), size);
        if (failure != std::errc() || size > (std::uint64_t{1} << 32) || shape.size() == 32) return std::nullopt;
        shape.push_back(size);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
}

/// The array in an entry, or what is wrong with it.
std::string read_array(std::string_view bytes, NumpyArray& array)
{
    constexpr std::string_view kMagic = "\x93NUMPY";
    if (bytes.size() < 12 || !bytes.starts_with(kMagic)) return "is not an array of numpy";
    const bool wide = bytes[6] >= 2;  // versions 2 and 3 have a longer count
    const std::size_t begin = wide ? 12 : 10;
    const std::size_t size = wide ? number_at<std::uint32_t>(bytes, 8) : number_at<std::uint16_t>(bytes, 8);
    if (!is_inside(bytes, begin, size)) return "is cut off";
    const std::string_view header = bytes.substr(begin, size), content = bytes.substr(begin + size);
    const std::string_view type = find_value(header, "descr");
    const bool is_double = type.starts_with("'<f8'"), is_float = type.starts_with("'<f4'");
    const bool is_whole = type.starts_with("'<i8'");
    if (!is_double && !is_float && !is_whole)
        return fmt::format("holds {}: float64 ('<f8'), float32 or int64 is wanted", type.substr(0, type.find(',')));
    if (!find_value(header, "fortran_order").starts_with("False"))
        return "lies in Fortran order: save numpy.ascontiguousarray of it";
    const auto shape = parse_shape(find_value(header, "shape"));
    if (!shape) return "has a shape that cannot be read";
    array.shape = *shape;
    const std::size_t width = is_float ? 4 : 8;
    std::uint64_t count = 1;
    for (const std::uint64_t length : array.shape)
    {
        count *= length;
        if (count > content.size() / width) break;  // files are below 2^31 bytes: no overflow
    }
    if (count != content.size() / width || content.size() % width != 0) return "has another size than its shape says";
    array.values.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < array.values.size(); ++i)
        array.values[i] = is_double  ? number_at<double>(content, 8 * i)
                          : is_float ? static_cast<double>(number_at<float>(content, 4 * i))
                                     : static_cast<double>(number_at<std::int64_t>(content, 8 * i));
    return {};
}

}  // namespace

Result<std::map<std::string, NumpyArray>> read_numpy_archive(std::string_view bytes, const std::string& name,
                                                             const std::vector<std::string>& wanted)
{
    const auto fail = [&](std::string message, std::string hint = {})
    { return Error{.code = ErrorCode::syntax, .where = name, .message = std::move(message), .hint = std::move(hint)}; };
    const auto entries = find_entries(bytes);
    if (!entries) return fail("is not an archive of numpy, or damaged", "numpy.savez writes them");
    std::map<std::string, NumpyArray> arrays;
    std::vector<Error> errors;
    for (const Entry& entry : *entries)
    {
        const std::string key = entry.name.ends_with(".npy") ? entry.name.substr(0, entry.name.size() - 4) : entry.name;
        if (std::find(wanted.begin(), wanted.end(), key) == wanted.end()) continue;
        if (entry.method != 0)
        {
            errors.push_back(fail(fmt::format("array '{}' is compressed", key), "save with numpy.savez"));
            continue;
        }
        const std::string fault = read_array(entry.content, arrays[key]);
        if (!fault.empty()) errors.push_back(fail(fmt::format("array '{}' {}", key, fault)));
    }
    if (!errors.empty()) return errors;
    return arrays;
}

}  // namespace rattleback::cli
