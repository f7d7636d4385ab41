// Log: what is wrong with a file, each with its location.
#pragma once

#include <rattleback/error.h>

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback
{

/// Where something stands in a file; lines and columns start at 1.
struct SourceLocation
{
    std::shared_ptr<const std::string> file;
    int line = 0, column = 0;

    std::string text() const;
};

/// Collects what is wrong, so that one reading finds it all. Too many errors are cut off with a note.
class Log
{
public:
    void fail(const SourceLocation& location, std::string message, std::string hint = {},
              ErrorCode code = ErrorCode::syntax);
    void warn(const SourceLocation& location, std::string message, std::string hint = {},
              ErrorCode code = ErrorCode::unsupported);
    void append(const SourceLocation& location, const std::vector<Error>& errors);

    /// What had this name could not be read: that it is not there is no mistake of those who refer to it.
    void lose(std::string name) { lost_names_.insert(std::move(name)); }
    /// A part of the model with unknown names could not be read.
    void lose_part() { lost_part_ = true; }
    /// May this name stand for something lost? Then nothing is said, yet who refers to it there is known to be bad.
    bool excuse(const std::string& name, const SourceLocation& location);

    /// Are hints at names still given? To the first mistakes alone: each search walks over many names.
    bool takes_hint() const { return errors_.size() + warnings_.size() < 200; }
    /// The name that was meant, as make_name_hint; nothing where there are too many mistakes.
    std::string name_hint(std::string_view name, std::span<const std::string_view> candidates) const;

    bool good() const { return errors_.empty(); }
    /// A limit was met: what was read is a piece of the model, and not worth further checks.
    bool is_cut_off() const { return cut_off_; }
    /// The places of all errors so far, and of what was excused, as text.
    std::set<std::string> places() const;
    /// By file (in the order of their first error), line and column.
    std::vector<Error> take_errors();
    std::vector<Error> take_warnings() { return std::move(warnings_); }

private:
    struct Entry
    {
        SourceLocation location;
        Error error;
    };
    std::vector<Entry> errors_;
    std::vector<Error> warnings_;
    std::set<std::string> lost_names_, excused_;
    bool lost_part_ = false, cut_off_ = false, overflows_ = false;
};

}  // namespace rattleback
