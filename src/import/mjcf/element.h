// Element: one element of an MJCF file after reading, with typed attributes and the place it came from.
#pragma once

#include <rattleback/import.h>
#include <rattleback/options.h>

#include <optional>

#include "import/mjcf/schema.h"
#include "import/xml/log.h"

namespace rattleback::mjcf
{

struct Attribute
{
    const AttributeRule* rule = nullptr;
    std::string text;
    std::vector<double> numbers;  ///< Type::real and Type::integer
    SourceLocation location;
    bool inherited = false;  ///< from a default class
};

struct Context;

struct Element
{
    const ElementRule* rule = nullptr;
    std::vector<Attribute> attributes;
    std::vector<Element> children;
    SourceLocation location;
    std::shared_ptr<const Context> context;  ///< compiler settings of the file it came from
    /// Actuators: the defaults that apply to it, the nearest class first; each with its tag.
    std::vector<std::shared_ptr<const Element>> defaults = {};
    std::string default_class = {};  ///< of an element in a default: its class
    bool broken = false;  ///< an attribute or child was refused: what follows from that is not reported again
    bool fused = false;   ///< a frame that was a body: its inertial is its own
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
    bool align_free = false, discard_visual = false, fuse_static = false;
    LengthRangeOptions length_ranges;
    bool keep_length_ranges = true;  ///< those that are written
    double bound_mass = 0, bound_inertia = 0, total_mass = -1;
    std::string euler_sequence = "xyz", inertia_from_geom = "auto", conflict = "warning";
    int inertia_group_first = 0, inertia_group_last = 5;
    std::string mesh_folder, texture_folder;
    std::filesystem::path folder;  ///< of the main file
};

/// All numbers of a text, separated by white space; nothing if one is not a finite number. Knows no locale.
std::optional<std::vector<double>> parse_numbers(std::string_view text);

}  // namespace rattleback::mjcf
