// Edit distance (optimal string alignment) and what follows from it.
#include "base/nearest_match.h"

#include <algorithm>
#include <vector>

namespace rattleback
{

namespace
{

constexpr std::size_t kLongestName = 200;  // names come from files: the distance costs the product of the lengths
constexpr double kMostPairs = 1e6;         // of letters that one search compares: a few milliseconds
constexpr std::size_t kLongestHint = 120;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

int compute_edit_distance(std::string_view a, std::string_view b)
{
    const std::size_t width = b.size() + 1;
    std::vector<int> before(width), previous(width), row(width);
    for (std::size_t j = 0; j < width; ++j) previous[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j < width; ++j)
        {
            const int differs = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + differs});
            const bool swapped =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, previous);
        std::swap(previous, row);
    }
    return previous[b.size()];
}

std::string_view find_nearest_match(std::string_view name, std::span<const std::string_view> candidates)
{
    std::string_view nearest;
    if (name.empty() || name.size() > kLongestName) return nearest;
    int bound = std::max(1, static_cast<int>(name.size()) / 3) + 1;
    double pairs_left = kMostPairs;
    for (const std::string_view candidate : candidates.first(std::min(candidates.size(), kMostCandidates)))
    {
        const int longer = std::abs(static_cast<int>(candidate.size()) - static_cast<int>(name.size()));
        if (candidate.size() > kLongestName || longer >= bound) continue;
        pairs_left -= static_cast<double>(name.size()) * static_cast<double>(candidate.size());
        if (pairs_left < 0) break;
        const int distance = compute_edit_distance(name, candidate);
        if (distance >= bound || distance >= static_cast<int>(name.size())) continue;
        bound = distance;
        nearest = candidate;
    }
    return nearest;
}

std::string make_name_hint(std::string_view name, std::span<const std::string_view> candidates)
{
    const std::string_view nearest = find_nearest_match(name, candidates);
    if (!nearest.empty()) return "did you mean '" + std::string(nearest) + "'?";
    std::string all;
    for (const std::string_view candidate : candidates)
    {
        all += (all.empty() ? "one of: " : ", ") + std::string(candidate);
        if (all.size() > kLongestHint) return {};
    }
    return all;
}

}  // namespace rattleback
