// Lists of pairs of simplices that outlive a step: what is near now was near a step ago.
#pragma once

#include "solvers/ipc/pair_way.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace rattleback::ipc
{

enum class PairKind : std::uint8_t
{
    vertex_face,  ///< vertex of the first piece
    face_vertex,  ///< vertex of the second piece
    edge_edge,
    vertex_edge,  ///< where the second piece is a wire
    edge_vertex,
    vertex_vertex,  ///< of two clouds of points
    vertex_plane,
};

/// Numbers of corners of the two; 0: a half-space.
inline std::pair<int, int> find_sizes(PairKind kind)
{
    switch (kind)
    {
        case PairKind::vertex_face:
            return {1, 3};
        case PairKind::face_vertex:
            return {3, 1};
        case PairKind::edge_edge:
            return {2, 2};
        case PairKind::vertex_edge:
            return {1, 2};
        case PairKind::edge_vertex:
            return {2, 1};
        case PairKind::vertex_vertex:
            return {1, 1};
        case PairKind::vertex_plane:
            break;
    }
    return {1, 0};
}

/// Two simplices of a kept list.
struct KeptItem
{
    PairKind kind = PairKind::vertex_face;
    bool is_exact = false;  ///< the distance is that at the list's places; otherwise it may be larger
    int first = -1, second = -1;
    double distance = 0;  ///< [m]
};

/// All pairs of simplices of two pieces that were within `cover` of the reach where the list was made, less what the
/// two have moved against each other since. So what is not in the list is further apart than reach + cover.
struct KeptPair
{
    Placement first, second;                   ///< of the groups, to which the distances belong
    double first_inset = 0, second_inset = 0;  ///< of the pieces (Piece::inset)
    double cover = -1;                         ///< [m]; negative: there is no list
    std::vector<KeptItem> items;
    int idle = 0;  ///< searches since the two last met
};

/// A candidate's distance and where it stands in a list.
struct SortKey
{
    double distance = 0;
    int place = 0;
};

/// Kept lists by the names of two pieces.
class KeptPairs
{
public:
    static std::int64_t find_name(int first, int second) { return (static_cast<std::int64_t>(first) << 31) | second; }

    /// Room for so many lists, of so many pairs each.
    void reserve(std::size_t count, std::size_t room);
    /// So many lists, not taken yet.
    void fill(std::size_t count);
    /// A new search: forgets lists of which nobody has asked for long.
    void begin();
    /// Number of the list of this name, which is empty if it is new. Valid until the next begin().
    int find(std::int64_t name);
    KeptPair& operator[](int number) { return pairs_[static_cast<std::size_t>(number)]; }

private:
    std::size_t room_ = 0;  ///< of a list that is new
    std::vector<KeptPair> pairs_;
    std::vector<int> free_;                            ///< places in pairs_ without a name
    std::vector<std::pair<std::int64_t, int>> names_;  ///< sorted: places in pairs_
    std::vector<std::pair<std::int64_t, int>> added_;  ///< since begin()
};

/// Orders keys by distance and then by `is_before`(place, place): by insertion while little is out of order, as in a
/// list that was in order a step ago.
template <typename Before>
void sort_keys(std::vector<SortKey>& keys, Before&& is_before)
{
    const auto is_less = [&](const SortKey& a, const SortKey& b)
    { return a.distance != b.distance ? a.distance < b.distance : is_before(a.place, b.place); };
    std::size_t moves = 0;
    for (std::size_t i = 1; i < keys.size() && moves <= 4 * keys.size(); ++i)
    {
        const SortKey key = keys[i];
        std::size_t k = i;
        for (; k > 0 && is_less(key, keys[k - 1]); --k) keys[k] = keys[k - 1];
        keys[k] = key;
        moves += i - k;
    }
    if (moves > 4 * keys.size()) std::sort(keys.begin(), keys.end(), is_less);
}

}  // namespace rattleback::ipc
