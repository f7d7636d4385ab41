// Reads tables of numbers.
#include "number_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace rattleback::cli
{

namespace
{

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30;

std::string_view trim(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

/// The cells of a line; quotes keep commas together, a doubled quote is one.
std::vector<std::string> split(std::string_view line)
{
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[i++];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    for (std::string& cell : cells) cell = std::string(trim(cell));
    return cells;
}

/// The number in a cell; NaN where there is no finite one.
double parse_cell(const std::string& cell)
{
    double value = 0;
    const char* const last = cell.data() + cell.size();
    const auto [stop, failure] = std::from_chars(cell.data(), last, value);
    const bool good = failure == std::errc() && stop == last && std::isfinite(value);
    return good ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool is_csv(const std::string& path) { return std::filesystem::path(path).extension() == ".csv"; }

Result<std::string> read_table_file(const std::string& path, std::string_view what)
{
    const auto fail = [&](ErrorCode code, std::string message, std::string hint = {})
    { return Error{.code = code, .where = path, .message = std::move(message), .hint = std::move(hint)}; };
    const std::string ending = std::filesystem::path(path).extension().generic_string();
    if (ending != ".csv" && ending != ".npz")
        return fail(ErrorCode::unsupported, fmt::format("no reader of {} for files that end in '{}'", what, ending),
                    "one of: .csv, .npz");
    std::error_code code;
    const auto kind = std::filesystem::status(path, code);
    if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind))
        return fail(ErrorCode::io, "is not a file");
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return fail(ErrorCode::io, fmt::format("cannot be opened: {}", std::strerror(errno)));
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (code || size > kMostBytes) return fail(ErrorCode::limit, "a file of more than 1 GiB");
    std::string text(static_cast<std::size_t>(size), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.gcount() != static_cast<std::streamsize>(text.size())) return fail(ErrorCode::io, "cannot be read");
    return text;
}

Result<NumberTable> parse_number_table(
    const std::string& path, std::string_view text,
    const std::function<std::vector<bool>(const std::vector<std::string>& titles, Problems& problems)>& choose)
{
    Problems problems;
    NumberTable table;
    std::vector<bool> wanted;
    for (std::int64_t line_number = 1; !text.empty() && !problems.full(); ++line_number)
    {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) continue;
        std::vector<std::string> cells = split(line);
        if (table.titles.empty())
        {
            table.titles = std::move(cells);
            wanted = choose(table.titles, problems);
            if (!problems.empty()) return problems.take();
            continue;
        }
        const std::string where = fmt::format("{}:{}", path, line_number);
        if (cells.size() != table.titles.size())
        {
            problems.add(where, fmt::format("{} numbers for {} columns", cells.size(), table.titles.size()));
            continue;
        }
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            const double value = wanted[i] ? parse_cell(cells[i]) : 0;
            if (std::isnan(value))
                problems.add(fmt::format("{}:{}", where, i + 1), fmt::format("'{}' is not a finite number", cells[i]));
            table.values.push_back(value);
        }
        table.lines.push_back(line_number);
    }
    if (problems.empty() && table.lines.empty())
        problems.add(path, table.titles.empty() ? "is empty" : "has no rows of numbers");
    if (!problems.empty()) return problems.take();
    return table;
}

void check_times(const std::string& path, const std::vector<double>& times, Problems& problems)
{
    for (std::size_t i = 1; i < times.size(); ++i)
    {
        if (times[i] > times[i - 1]) continue;
        return problems.add(
            path, fmt::format("the time of row {}, {:g} s, does not come after {:g} s", i, times[i], times[i - 1]));
    }
}

void check_finite(const std::string& path, const char* name, const NumpyArray& array, Problems& problems)
{
    const auto bad = std::ranges::find_if(array.values, [](double value) { return !std::isfinite(value); });
    if (bad == array.values.end()) return;
    std::uint64_t width = 1;
    for (std::size_t i = 1; i < array.shape.size(); ++i) width *= array.shape[i];
    const auto index = static_cast<std::uint64_t>(bad - array.values.begin());
    problems.add(path, fmt::format("array '{}' has a number that is not finite in row {}, column {}", name,
                                   index / width, index % width));
}

std::string shape_text(const NumpyArray& array) { return fmt::format("{}", fmt::join(array.shape, ", ")); }

}  // namespace rattleback::cli
