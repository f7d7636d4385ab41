// Dynamics through views alone, as a device sees them: arrays that were moved elsewhere, and no Model.
#include "device/smooth_step.h"
#include "unit/dynamics/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace rattleback
{
namespace
{

/// Copies of all arrays of a TreeView, and the view of the copies.
struct MovedTree
{
    explicit MovedTree(const TreeView& source) : view(source)
    {
        view.model = nullptr;
        const auto move = [this]<class Item>(std::span<const Item>& array)
        {
            auto& copy = copies.emplace_back((array.size_bytes() + sizeof(double) - 1) / sizeof(double));
            if (!array.empty()) std::memcpy(copy.data(), array.data(), array.size_bytes());
            array = {reinterpret_cast<const Item*>(copy.data()), array.size()};
        };
        visit_arrays(view, move);
    }

    TreeView view;
    std::vector<std::vector<double>> copies;
};

TEST(View, a_step_on_moved_arrays_in_a_slab_has_the_bits_of_a_step_in_a_workspace)
{
    for (int seed = 0; seed < 100; ++seed)
    {
        RandomCase c(static_cast<std::uint64_t>(seed));
        const Tree tree(c.model);
        Workspace<double> here(tree);
        load_world(here, 0, c.state.world(), c.control.world());

        const MovedTree moved(tree);
        WorkspaceView<double> there;
        std::vector<double> slab(lay_out<double>(moved.view, nullptr, there) / sizeof(double));
        lay_out(moved.view, reinterpret_cast<std::byte*>(slab.data()), there);
        clear(there);
        load_world(there, 0, c.state.world(), c.control.world());

        for (int step = 0; step < 3; ++step)
        {
            take_smooth_step<double>(here, 0.002);
            take_smooth_step(there, 0.002);
        }
        EXPECT_TRUE(std::ranges::equal(here.q, there.q)) << seed;
        EXPECT_TRUE(std::ranges::equal(here.v, there.v)) << seed;
        EXPECT_TRUE(std::ranges::equal(here.act, there.act)) << seed;
    }
}

TEST(View, the_arrays_of_a_slab_do_not_overlap)
{
    RandomCase c(7);
    const Tree tree(c.model);
    Workspace<Pack4> w(tree);
    std::vector<std::pair<const std::byte*, const std::byte*>> ranges;
    const auto note = [&](auto& array, std::size_t length)
    {
        ASSERT_EQ(array.size(), length);
        const std::span<const std::byte> bytes = std::as_bytes(std::span(array.data(), array.size()));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 64, 0u);
        if (!bytes.empty()) ranges.emplace_back(bytes.data(), bytes.data() + bytes.size());
    };
    visit_arrays<Pack4>(tree, w, note);
    std::ranges::sort(ranges);
    for (std::size_t i = 1; i < ranges.size(); ++i) EXPECT_LE(ranges[i - 1].second, ranges[i].first);
}

}  // namespace
}  // namespace rattleback
