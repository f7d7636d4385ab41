// Reads tables of inputs and checks that they fit the model.
#include "control_file.h"

#include "lab/base.h"
#include "numpy_archive.h"

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
constexpr std::size_t kMostErrors = 20;

Error table_error(std::string where, std::string message, std::string hint = {},
                  ErrorCode code = ErrorCode::invalid_value)
{
    return {.code = code, .where = std::move(where), .message = std::move(message), .hint = std::move(hint)};
}

Result<std::string> read_file(const std::string& path)
{
    std::error_code code;
    const auto kind = std::filesystem::status(path, code);
    if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind))
        return table_error(path, "is not a file", {}, ErrorCode::io);
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return table_error(path, fmt::format("cannot be opened: {}", std::strerror(errno)), {}, ErrorCode::io);
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (code || size > kMostBytes) return table_error(path, "a file of more than 1 GiB", {}, ErrorCode::limit);
    std::string text(static_cast<std::size_t>(size), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.gcount() != static_cast<std::streamsize>(text.size()))
        return table_error(path, "cannot be read", {}, ErrorCode::io);
    return text;
}

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

/// Collects what is wrong, up to a bound.
class Problems
{
public:
    void add(Error error)
    {
        if (errors_.size() < kMostErrors) errors_.push_back(std::move(error));
    }
    bool empty() const { return errors_.empty(); }
    bool full() const { return errors_.size() >= kMostErrors; }
    std::vector<Error> take() { return std::move(errors_); }

private:
    std::vector<Error> errors_;
};

void check_times(const std::string& path, const ControlTable& table, Problems& problems)
{
    for (std::size_t i = 1; i < table.time.size(); ++i)
    {
        if (table.time[i] > table.time[i - 1]) continue;
        problems.add(table_error(path, fmt::format("the time of row {}, {:g} s, does not come after {:g} s", i,
                                                   table.time[i], table.time[i - 1])));
        return;
    }
}

constexpr int kTimeColumn = -1;

/// Which actuator each column drives; columns for all, none twice.
std::vector<int> match_columns(const std::string& path, const std::vector<std::string>& titles, const Model& model,
                               Problems& problems)
{
    std::vector<std::string_view> names(model.actuators.name.begin(), model.actuators.name.end());
    std::vector<int> actuator_of;
    std::vector<char> seen(names.size() + 1);  // the last: time
    for (const std::string& title : titles)
    {
        const auto id = model.find_actuator(title);
        const bool is_time = title == "time" && !id;
        actuator_of.push_back(id ? id->index : kTimeColumn);
        if (!id && !is_time)
        {
            problems.add(table_error(path + ":1", fmt::format("there is no actuator '{}'", title),
                                     make_name_hint(title, names), ErrorCode::unknown_name));
            continue;
        }
        char& before = seen[id ? at(id->index) : names.size()];
        if (before) problems.add(table_error(path + ":1", fmt::format("column '{}' is there twice", title)));
        before = 1;
    }
    std::string missing;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (!seen[i]) missing += fmt::format("{}'{}'", missing.empty() ? "" : ", ", names[i]);
    }
    if (!missing.empty())
        problems.add(table_error(path + ":1", "no column for " + missing,
                                 "the first line names every actuator, and `time` if there is such a column"));
    return actuator_of;
}

Result<ControlTable> parse_csv(const std::string& path, std::string_view text, const Model& model)
{
    Problems problems;
    ControlTable table;
    const std::size_t width = at(model.actuator_count());
    std::vector<int> actuator_of;
    std::int64_t line_number = 0;
    bool has_time = false;
    while (!text.empty() && !problems.full())
    {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line_number;
        if (line.empty()) continue;
        const std::vector<std::string> cells = split(line);
        if (actuator_of.empty())
        {
            actuator_of = match_columns(path, cells, model, problems);
            has_time = std::ranges::find(actuator_of, kTimeColumn) != actuator_of.end();
            if (!problems.empty()) return problems.take();
            continue;
        }
        const std::string where = fmt::format("{}:{}", path, line_number);
        if (cells.size() != actuator_of.size())
        {
            problems.add(
                table_error(where, fmt::format("{} numbers for {} columns", cells.size(), actuator_of.size())));
            continue;
        }
        table.input.resize(table.input.size() + width);
        double* row = table.input.data() + table.input.size() - width;
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            double value = std::numeric_limits<double>::quiet_NaN();
            const char* last = cells[i].data() + cells[i].size();
            const auto [stop, failure] = std::from_chars(cells[i].data(), last, value);
            if (failure != std::errc() || stop != last || !std::isfinite(value))
                problems.add(table_error(fmt::format("{}:{}", where, i + 1),
                                         fmt::format("'{}' is not a finite number", cells[i])));
            if (actuator_of[i] == kTimeColumn)
                table.time.push_back(value);
            else
                row[actuator_of[i]] = value;
        }
        ++table.row_count;
    }
    if (problems.empty() && table.row_count == 0)
        problems.add(table_error(path, actuator_of.empty() ? "is empty" : "has no rows of numbers"));
    if (problems.empty() && has_time) check_times(path, table, problems);
    if (!problems.empty()) return problems.take();
    return table;
}

void check_finite(const std::string& path, const char* name, const NumpyArray& array, Problems& problems)
{
    const auto bad = std::ranges::find_if(array.values, [](double value) { return !std::isfinite(value); });
    if (bad == array.values.end()) return;
    const std::uint64_t width = array.shape.size() > 1 ? array.shape[1] : 1;
    const auto index = static_cast<std::uint64_t>(bad - array.values.begin());
    problems.add(table_error(path, fmt::format("array '{}' has a number that is not finite in row {}, column {}", name,
                                               index / width, index % width)));
}

Result<ControlTable> parse_npz(const std::string& path, std::string_view bytes, const Model& model)
{
    Result<std::map<std::string, NumpyArray>> read = read_numpy_archive(bytes, path, {"time", "input"});
    if (!read.ok()) return read.errors();
    std::map<std::string, NumpyArray> arrays = std::move(read).value();
    if (arrays.find("input") == arrays.end())
        return table_error(path, "there is no array 'input'", "numpy.savez(file, time=..., input=...)",
                           ErrorCode::unknown_name);
    Problems problems;
    NumpyArray& input = arrays["input"];
    const auto width = static_cast<std::uint64_t>(model.actuator_count());
    if (input.shape.size() != 2 || input.shape[1] != width)
    {
        std::string shape;
        for (const std::uint64_t length : input.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ", ", length);
        return table_error(
            path, fmt::format("array 'input' is [{}], wanted is [n, {}]: a column per actuator", shape, width));
    }
    if (input.shape[0] == 0) return table_error(path, "array 'input' has no rows");
    check_finite(path, "input", input, problems);
    ControlTable table{.row_count = static_cast<std::int64_t>(input.shape[0])};
    if (const auto time = arrays.find("time"); time != arrays.end())
    {
        if (time->second.shape != std::vector{input.shape[0]})
            return table_error(
                path, fmt::format("array 'time' must have the {} rows of 'input' and no columns", input.shape[0]));
        check_finite(path, "time", time->second, problems);
        table.time = std::move(time->second.values);
        if (problems.empty()) check_times(path, table, problems);
    }
    if (!problems.empty()) return problems.take();
    table.input = std::move(input.values);
    return table;
}

}  // namespace

std::int64_t ControlTable::find_row(double at_time, std::int64_t step, double slack) const
{
    if (time.empty()) return std::min(step, row_count - 1);
    return std::upper_bound(time.begin(), time.end(), at_time + slack) - time.begin() - 1;
}

Result<ControlTable> load_control(const std::string& path, const Model& model)
{
    const std::string ending = std::filesystem::path(path).extension().generic_string();
    if (ending != ".csv" && ending != ".npz")
        return table_error(path, "no reader of inputs for files that end in '" + ending + "'", "one of: .csv, .npz",
                           ErrorCode::unsupported);
    const Result<std::string> text = read_file(path);
    if (!text.ok()) return text.errors();
    return ending == ".csv" ? parse_csv(path, text.value(), model) : parse_npz(path, text.value(), model);
}

}  // namespace rattleback::cli
