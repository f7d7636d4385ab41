// Trees of boxes against brute force.
#include "geometry/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace rattleback
{

namespace
{

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

class Boxes
{
public:
    explicit Boxes(unsigned seed) : random_(seed) {}

    double real(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(random_); }
    Aabb next(double spread)
    {
        const Vec3 center{real(-spread, spread), real(-spread, spread), real(-spread, spread)};
        const double size = real(0, 1) < 0.1 ? 0.3 * spread : 0.05 * spread;
        const Vec3 half{real(0, size), real(0, size), real(0, size)};
        return {center - half, center + half};
    }
    std::vector<Aabb> make(int count, double spread)
    {
        std::vector<Aabb> boxes;
        for (int i = 0; i < count; ++i) boxes.push_back(next(spread));
        return boxes;
    }

private:
    std::mt19937 random_;
};

std::vector<int> find(const BoxTree& tree, const Aabb& box)
{
    std::vector<int> found;
    tree.query(box, [&](int item) { found.push_back(item); });
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<int> find_by_brute_force(const std::vector<Aabb>& boxes, const Aabb& box)
{
    std::vector<int> found;
    for (std::size_t i = 0; i < boxes.size(); ++i)
    {
        if (overlaps(boxes[i], box)) found.push_back(static_cast<int>(i));
    }
    return found;
}

Aabb merge_all(const std::vector<Aabb>& boxes)
{
    return std::accumulate(boxes.begin(), boxes.end(), kEmptyBox,
                           [](const Aabb& a, const Aabb& b) { return merge(a, b); });
}

}  // namespace

TEST(BoxTree, finds_what_brute_force_finds_while_items_move)
{
    Boxes random(1);
    BoxTree tree;
    for (const int count : {0, 1, 2, 3, 4, 5, 6, 17, 100, 1000})
    {
        std::vector<Aabb> boxes = random.make(count, 10);
        tree.build(boxes);
        ASSERT_EQ(tree.item_count(), count);
        for (int round = 0; round < 30; ++round)
        {
            EXPECT_EQ(tree.bounds(), merge_all(boxes));
            for (int i = 0; i < 10; ++i)
            {
                const Aabb box = random.next(10);
                ASSERT_EQ(find(tree, box), find_by_brute_force(boxes, box)) << count << " items";
            }
            for (std::size_t i = round % 3 == 0 ? 0 : 1; i < boxes.size(); i += 1 + static_cast<std::size_t>(round))
            {
                boxes[i] = random.next(round % 4 == 0 ? 30 : 10);
                if (round % 2 == 0) tree.move(static_cast<int>(i), boxes[i]);
                if (round % 2 == 1) tree.set_box(static_cast<int>(i), boxes[i]);
            }
            if (round % 2 == 1) tree.refit();
        }
        const Aabb all{{-kUnbounded, -kUnbounded, -kUnbounded}, {kUnbounded, kUnbounded, kUnbounded}};
        EXPECT_EQ(find(tree, all).size(), boxes.size());
        std::vector<int> order(tree.order().begin(), tree.order().end());
        std::sort(order.begin(), order.end());
        for (int i = 0; i < count; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
    }
}

TEST(BoxTree, finds_what_brute_force_finds_in_degenerate_scenes)
{
    Boxes random(2);
    const auto point = [](double x, double y, double z) { return Aabb{{x, y, z}, {x, y, z}}; };
    std::vector<std::vector<Aabb>> scenes(6);
    for (int i = 0; i < 600; ++i)
    {
        scenes[0].push_back(point(1, 2, 3));                                    // all the same
        scenes[1].push_back(point(std::ldexp(1.0, i - 300), 0, 0));             // each twice as far as the last
        scenes[2].push_back(i % 3 == 0 ? kEmptyBox : random.next(10));          // many empty
        scenes[3].push_back(point(i % 2 == 0 ? 1e300 : -1e300, i, 0));          // areas overflow
        scenes[4].push_back({{-1.0 * i, -1.0 * i, 0}, {1.0 * i, 1.0 * i, 0}});  // nested
        scenes[5].push_back(i == 0 ? Aabb{{-kUnbounded, 0, 0}, {kUnbounded, 0, 0}} : random.next(3));  // one endless
    }
    for (const std::vector<Aabb>& boxes : scenes)
    {
        BoxTree tree;
        tree.build(boxes);
        for (std::size_t i = 0; i < boxes.size(); i += 7)
        {
            for (const double more : {0.0, 1.0})
            {
                const Aabb box = inflate(boxes[i], more);
                EXPECT_EQ(find(tree, box), find_by_brute_force(boxes, box));
            }
        }
    }
}

TEST(BoxTree, looks_at_few_nodes)
{
    Boxes random(3);
    std::vector<Aabb> boxes;
    for (int i = 0; i < 20000; ++i)
    {
        const Vec3 center{random.real(0, 30), random.real(0, 30), random.real(0, 30)};
        boxes.push_back(inflate({center, center}, 0.5));
    }
    BoxTree tree;
    tree.build(boxes);
    long looked_at = 0, found = 0;
    for (const Aabb& box : boxes) looked_at += tree.query(box, [&](int) { ++found; });
    EXPECT_GT(found, 5L * 20000) << "about six each";
    EXPECT_LT(looked_at, 40L * 20000);
}

}  // namespace rattleback
