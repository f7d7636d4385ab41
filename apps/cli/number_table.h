// Tables of numbers from files of users: CSV with a line of titles, or arrays of numpy; every mistake with its place.
#pragma once

#include "numpy_archive.h"

#include <functional>

namespace rattleback::cli
{

/// Collects what is wrong, up to a bound.
class Problems
{
public:
    void add(std::string where, std::string message, std::string hint = {}, ErrorCode code = ErrorCode::invalid_value)
    {
        if (full()) return;
        errors_.push_back(
            {.code = code, .where = std::move(where), .message = std::move(message), .hint = std::move(hint)});
    }
    bool empty() const { return errors_.empty(); }
    bool full() const { return errors_.size() >= kMost; }
    std::vector<Error> take() { return std::move(errors_); }

private:
    static constexpr std::size_t kMost = 20;
    std::vector<Error> errors_;
};

/// The bytes of a file of up to 1 GiB whose name ends in .csv or .npz; `what` it holds, for errors.
Result<std::string> read_table_file(const std::string& path, std::string_view what);
/// Does the name end in .csv?
bool is_csv(const std::string& path);

struct NumberTable
{
    std::vector<std::string> titles;  ///< of the columns
    std::vector<double> values;       ///< [row][column]; 0 where the column was not asked for
    std::vector<std::int64_t> lines;  ///< of the file, from 1, by row
    std::size_t row_count() const { return lines.size(); }
    double value(std::size_t row, std::size_t column) const { return values[row * titles.size() + column]; }
};

/// Reads CSV: titles, then rows of finite numbers. `choose` looks at the titles, says what is wrong with them, and
/// which columns are of interest, true for each; what others hold is not looked at.
Result<NumberTable> parse_number_table(
    const std::string& path, std::string_view text,
    const std::function<std::vector<bool>(const std::vector<std::string>& titles, Problems& problems)>& choose);

/// Times must increase from row to row.
void check_times(const std::string& path, const std::vector<double>& times, Problems& problems);
/// Of an array from an archive.
void check_finite(const std::string& path, const char* name, const NumpyArray& array, Problems& problems);
/// "3, 4".
std::string shape_text(const NumpyArray& array);

}  // namespace rattleback::cli
