// The name that was probably meant, for the hints of errors.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rattleback
{

/// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other; case does not count.
int compute_edit_distance(std::string_view a, std::string_view b);

/// Names that a search for the nearest looks at: those of a file may be millions.
inline constexpr std::size_t kMostCandidates = 10'000;

/// The nearest of `candidates` to `name` (the first of equals), or "" when none is near: more than a third of the
/// letters differ. Looks at the first kMostCandidates, and compares some 10^6 pairs of letters at most.
std::string_view find_nearest_match(std::string_view name, std::span<const std::string_view> candidates);

/// "did you mean 'x'?" for the nearest match; without one "one of: a, b, c" while that is short, otherwise "".
std::string make_name_hint(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace rattleback
