// Element: one element of an MJCF file after reading, with typed attributes and the place it came from.
#pragma once

#include <rattleback/error.h>
#include <rattleback/import.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "import/mjcf/schema.h"

namespace rattleback::mjcf
{

/// Where something stands in a file; lines and columns start at 1.
struct Place
{
    std::shared_ptr<const std::string> file;
    int line = 0, column = 0;

    std::string text() const;
};

struct Attribute
{
    const AttributeRule* rule = nullptr;
    std::string text;
    std::vector<double> numbers;  ///< Type::real and Type::integer
    Place place;
    bool inherited = false;  ///< from a default class
};

struct Context;

struct Element
{
    const ElementRule* rule = nullptr;
    std::vector<Attribute> attributes;
    std::vector<Element> children;
    Place place;
    std::shared_ptr<const Context> context;  ///< compiler settings of the file it came from
    /// Actuators: the defaults that apply to it, the nearest class first; each with its tag.
    std::vector<std::shared_ptr<const Element>> defaults = {};
    bool broken = false;  ///< an attribute or child was refused: what follows from that is not reported again
    int id = 0;           ///< survives renaming, new in every copy but the first

    bool is(std::string_view name) const { return rule->name == name; }
    const Attribute* find(std::string_view name) const;
    bool has(std::string_view name) const { return find(name) != nullptr; }

    /// The text of an attribute, or its default.
    std::string text(std::string_view name) const;
    bool flag(std::string_view name) const { return text(name) == "true"; }
    /// The numbers of an attribute; those not written are the default's.
    std::vector<double> numbers(std::string_view name) const;
    double number(std::string_view name) const;
    int integer(std::string_view name) const;
    /// The name that it defines; empty if none.
    std::string name() const;
};

/// Compiler settings of a file, and where its assets are.
struct Context
{
    bool autolimits = true, degrees = true, balance_inertia = false, fit_bounds = false, strip_path = false;
    bool align_free = false, discard_visual = false;
    double bound_mass = 0, bound_inertia = 0, total_mass = -1;
    std::string euler_sequence = "xyz", inertia_from_geom = "auto";
    int inertia_group_first = 0, inertia_group_last = 5;
    std::string mesh_folder, texture_folder;
    std::filesystem::path folder;  ///< of the main file
};

/// Collects what is wrong, so that one reading finds it all. Too many errors are cut off with a note.
class Log
{
public:
    void fail(const Place& place, std::string message, std::string hint = {}, ErrorCode code = ErrorCode::syntax);
    void warn(const Place& place, std::string message, std::string hint = {}, ErrorCode code = ErrorCode::unsupported);
    void append(const Place& place, const std::vector<Error>& errors);

    /// What had this name could not be read: that it is not there is no mistake of those who refer to it.
    void lose(std::string name) { lost_names_.insert(std::move(name)); }
    /// A part of the model with unknown names could not be read.
    void lose_part() { lost_part_ = true; }
    /// May this name stand for something lost? Then nothing is said, yet who refers to it there is known to be bad.
    bool excuse(const std::string& name, const Place& place);

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
        Place place;
        Error error;
    };
    std::vector<Entry> errors_;
    std::vector<Error> warnings_;
    std::set<std::string> lost_names_, excused_;
    bool lost_part_ = false, cut_off_ = false, overflows_ = false;
};

/// All numbers of a text, separated by white space; nothing if one is not a finite number. Knows no locale.
std::optional<std::vector<double>> parse_numbers(std::string_view text);

}  // namespace rattleback::mjcf
