// Reads tables of inputs and checks that they fit the model.
#include "control_file.h"

#include "lab/base.h"
#include "number_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace rattleback::cli
{

namespace
{

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
        if (problems.full()) break;
        const auto id = model.find_actuator(title);
        const bool is_time = title == "time" && !id;
        actuator_of.push_back(id ? id->index : kTimeColumn);
        if (!id && !is_time)
        {
            problems.add(path + ":1", fmt::format("there is no actuator '{}'", title), make_name_hint(title, names),
                         ErrorCode::unknown_name);
            continue;
        }
        char& before = seen[id ? at(id->index) : names.size()];
        if (before) problems.add(path + ":1", fmt::format("column '{}' is there twice", title));
        before = 1;
    }
    std::string missing;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (!seen[i]) missing += fmt::format("{}'{}'", missing.empty() ? "" : ", ", names[i]);
    }
    if (!missing.empty())
        problems.add(path + ":1", "no column for " + missing,
                     "the first line names every actuator, and `time` if there is such a column");
    return actuator_of;
}

Result<ControlTable> parse_csv(const std::string& path, std::string_view text, const Model& model)
{
    std::vector<int> actuator_of;
    const Result<NumberTable> read = parse_number_table(path, text,
                                                        [&](const auto& titles, Problems& problems)
                                                        {
                                                            actuator_of = match_columns(path, titles, model, problems);
                                                            return std::vector<bool>(titles.size(), true);
                                                        });
    if (!read.ok()) return read.errors();
    ControlTable table{.row_count = static_cast<std::int64_t>(read->row_count())};
    const std::size_t width = at(model.actuator_count());
    table.input.resize(read->row_count() * width);
    for (std::size_t row = 0; row < read->row_count(); ++row)
    {
        for (std::size_t i = 0; i < actuator_of.size(); ++i)
        {
            if (actuator_of[i] == kTimeColumn)
                table.time.push_back(read->value(row, i));
            else
                table.input[row * width + at(actuator_of[i])] = read->value(row, i);
        }
    }
    Problems problems;
    check_times(path, table.time, problems);
    if (!problems.empty()) return problems.take();
    return table;
}

Result<ControlTable> parse_npz(const std::string& path, std::string_view bytes, const Model& model)
{
    Result<std::map<std::string, NumpyArray>> read = read_numpy_archive(bytes, path, {"time", "input"});
    if (!read.ok()) return read.errors();
    std::map<std::string, NumpyArray> arrays = std::move(read).value();
    const auto fail = [&](std::string message)
    { return Error{.code = ErrorCode::invalid_value, .where = path, .message = std::move(message), .hint = ""}; };
    if (arrays.find("input") == arrays.end())
        return Error{ErrorCode::unknown_name, path, "there is no array 'input'",
                     "numpy.savez(file, time=..., input=...)"};
    Problems problems;
    NumpyArray& input = arrays["input"];
    const auto width = static_cast<std::uint64_t>(model.actuator_count());
    if (input.shape.size() != 2 || input.shape[1] != width)
        return fail(
            fmt::format("array 'input' is [{}], wanted is [n, {}]: a column per actuator", shape_text(input), width));
    if (input.shape[0] == 0) return fail("array 'input' has no rows");
    check_finite(path, "input", input, problems);
    ControlTable table{.row_count = static_cast<std::int64_t>(input.shape[0])};
    if (const auto time = arrays.find("time"); time != arrays.end())
    {
        if (time->second.shape != std::vector{input.shape[0]})
            return fail(fmt::format("array 'time' must have the {} rows of 'input' and no columns", input.shape[0]));
        check_finite(path, "time", time->second, problems);
        table.time = std::move(time->second.values);
        if (problems.empty()) check_times(path, table.time, problems);
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
    const Result<std::string> text = read_table_file(path, "inputs");
    if (!text.ok()) return text.errors();
    return is_csv(path) ? parse_csv(path, text.value(), model) : parse_npz(path, text.value(), model);
}

}  // namespace rattleback::cli
