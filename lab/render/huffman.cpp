// Huffman's algorithm on sorted counts; counts are flattened until the longest code fits.
#include "lab/render/huffman.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace rattleback::lab
{

namespace
{

/// Depth of every symbol with a count in Huffman's tree.
std::vector<int> find_depths(std::span<const std::uint64_t> counts)
{
    using Node = std::tuple<std::uint64_t, std::size_t>;  // count, number: the number breaks ties
    std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
    std::vector<std::size_t> parent(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        if (counts[i] > 0) open.emplace(counts[i], i);
    }
    while (open.size() > 1)
    {
        const auto [first_count, first] = open.top();
        open.pop();
        const auto [second_count, second] = open.top();
        open.pop();
        parent[first] = parent[second] = parent.size();
        open.emplace(first_count + second_count, parent.size());
        parent.push_back(0);
    }
    std::vector<int> depth(parent.size());
    for (std::size_t i = parent.size() - 1; i-- > 0;)  // the root is last
    {
        if (parent[i] != 0) depth[i] = depth[parent[i]] + 1;
    }
    depth.resize(counts.size());
    return depth;
}

/// Codes of one length are consecutive, in the order of the symbols; written from their highest bit on.
std::vector<std::uint32_t> number_codes(const std::vector<int>& lengths)
{
    std::vector<std::uint32_t> codes(lengths.size());
    std::uint32_t code = 0;
    for (int length = 1; length <= 15; ++length)
    {
        code <<= 1;
        for (std::size_t i = 0; i < lengths.size(); ++i)
        {
            if (lengths[i] != length) continue;
            for (int bit = 0; bit < length; ++bit) codes[i] |= (code >> bit & 1) << (length - 1 - bit);
            ++code;
        }
    }
    return codes;
}

}  // namespace

HuffmanCode build_huffman(std::span<const std::uint64_t> counts, int limit)
{
    std::vector<std::uint64_t> used(counts.begin(), counts.end());
    for (std::size_t i = 0; std::count(used.begin(), used.end(), 0U) > static_cast<std::ptrdiff_t>(used.size()) - 2;
         ++i)
        used[i] = std::max<std::uint64_t>(used[i], 1);
    HuffmanCode code;
    while (true)
    {
        code.lengths = find_depths(used);
        if (*std::max_element(code.lengths.begin(), code.lengths.end()) <= limit) break;
        for (std::uint64_t& count : used) count = (count + 1) / 2;  // zero stays zero; in the end all are equal
    }
    code.codes = number_codes(code.lengths);
    return code;
}

}  // namespace rattleback::lab
