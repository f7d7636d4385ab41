// A cursor over the text of a mesh file: words and numbers with the line and column of each, and the list of errors.
#pragma once

#include <rattleback/error.h>

#include "import/meshes/mesh_file.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback
{

/// A piece of the text, and where it stands.
struct Word
{
    std::string_view text;     ///< empty: the line ended here
    std::uint64_t line = 1;    ///< from 1
    std::uint64_t column = 1;  ///< in bytes, from 1
};

/// Splits text into lines and words. A line ends with LF, CR or both; a backslash at its very end joins the next one; a
/// word that begins with # hides the rest of the line; a byte-order mark in front is passed over.
class TextCursor
{
public:
    explicit TextCursor(std::string_view text);

    /// Passes over the rest of the line and goes to the next one that has a word; false at the end of the text.
    bool next_line();
    /// The next word of this line.
    Word next_word();
    /// The next word, on this line or a later one; empty at the end of the text.
    Word next_word_anywhere();

private:
    bool at_end() const { return position_ >= text_.size(); }
    bool at_newline() const { return !at_end() && (text_[position_] == '\n' || text_[position_] == '\r'); }
    void pass_newline();
    void pass_blanks();
    void pass_line();
    bool pass_continuation();

    std::string_view text_;
    std::size_t position_ = 0;
    std::size_t line_start_ = 0;
    std::uint64_t line_ = 1;
    bool fresh_ = true;  ///< nothing of this line was read
};

/// How text failed to be a number.
enum class NumberFault
{
    none,
    syntax,
    not_finite,
    too_large,
};

/// Reads all of `text` as a decimal number and rounds it to 32 bits, by way of 64 as MuJoCo does, or to 64 alone. Too
/// small a number is zero. The locale plays no part.
NumberFault parse_coordinate(std::string_view text, double& value, Digits digits = Digits::single);

/// The word in quotes, shortened, without bytes that would upset a terminal.
std::string quoted(std::string_view text);

/// Errors of one file, up to a limit.
class MeshErrors
{
public:
    /// At least one error is kept, whatever the limit: otherwise a bad file would pass for a good one.
    MeshErrors(std::string_view file, std::size_t limit) : file_(file), limit_(std::max<std::size_t>(limit, 1)) {}

    void add(ErrorCode code, const Word& word, std::string message, std::string hint = {});
    /// About the file as a whole.
    void add(ErrorCode code, std::string message, std::string hint = {});
    /// `word` stands where a coordinate should, and has this fault.
    void add_fault(NumberFault fault, const Word& word);

    bool any() const { return !errors_.empty(); }
    bool full() const { return errors_.size() >= limit_; }
    std::vector<Error> take() { return std::move(errors_); }

private:
    std::string file_;
    std::size_t limit_;
    std::vector<Error> errors_;
};

}  // namespace rattleback
