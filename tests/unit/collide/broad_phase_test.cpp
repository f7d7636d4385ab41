// The broad phase against brute force: nothing missed, nothing extra, whatever is remembered.
#include "collide/broad_phase.h"
#include "base/index.h"

#include "support/counting_allocator.h"
#include "unit/collide/crowd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace rattleback
{

namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<PairCandidate> to_vector(std::span<const PairCandidate> pairs) { return {pairs.begin(), pairs.end()}; }

/// Pairs in the order of indices, from those in the order of types.
std::vector<PairCandidate> by_index(std::span<const PairCandidate> pairs)
{
    std::vector<PairCandidate> turned = to_vector(pairs);
    for (PairCandidate& pair : turned)
    {
        if (pair.first > pair.second) std::swap(pair.first, pair.second);
    }
    std::sort(turned.begin(), turned.end());
    return turned;
}

const std::vector<PairQuestion> kQuestions{{},
                                           {.own_margins = true},
                                           {.margin = 0.05},
                                           {.margin = 0.03, .own_margins = true},
                                           {.motion = 0.1},
                                           {.margin = 0.02, .motion = 0.03},
                                           {.margin = 0.01, .motion = 0.05, .own_margins = true}};

/// Stirs a crowd and compares all questions, one per call in turn, with brute force. Returns how many pairs it saw.
long compare_with_brute_force(const CrowdOptions& options, int calls, int thread_count = 1)
{
    const Model model = make_crowd(options);
    State state(model);
    Collider collider(model, {.thread_count = thread_count});
    BroadPhase broad(model);
    const auto pool = thread_count == 1 ? nullptr : std::make_unique<ThreadPool>(thread_count);
    ColliderMemory memory;
    BroadMemory broad_memory;
    std::mt19937_64 random(options.seed + 1);
    long pairs = 0;
    for (int call = 0; call < calls; ++call)
    {
        stir(model, options, call, random, state);
        // Each question for some calls in a row, so that what is kept is used and then has to change.
        const PairQuestion& question = kQuestions[at(call / 4) % kQuestions.size()];
        const std::vector<PairCandidate> expected = find_pairs_by_brute_force(model, state.world(), question);
        std::vector<PairCandidate> found;
        if (question.own_margins)
        {
            const auto turned =
                broad.find_pairs(state.world(), {.margin = question.margin, .motion = question.motion, .own = true},
                                 PairOrder::by_type, broad_memory, pool.get());
            EXPECT_EQ(to_vector(turned), to_vector(broad.pairs()));
            EXPECT_TRUE(std::is_sorted(turned.begin(), turned.end()));
            for (const PairCandidate& pair : turned)
                EXPECT_LE(model.shapes.type[at(pair.first)], model.shapes.type[at(pair.second)]);
            found = by_index(turned);
        }
        else
        {
            found = to_vector(collider.find_pairs(state.world(), question.margin, question.motion, &memory));
        }
        EXPECT_EQ(found, expected) << "call " << call << " seed " << options.seed;
        if (found != expected) break;
        pairs += static_cast<long>(found.size());
    }
    return pairs;
}

}  // namespace

TEST(BroadPhase, finds_what_brute_force_finds_in_crowds_of_every_kind)
{
    for (unsigned seed = 1; seed < 6; ++seed)
    {
        EXPECT_GT(compare_with_brute_force({.shape_count = 120, .seed = seed}, 60), 20 * 60);
    }
}

TEST(BroadPhase, slow_finds_what_brute_force_finds_among_1000_shapes_over_1000_moves)
{
    EXPECT_GT(compare_with_brute_force({.shape_count = 1000, .seed = 7, .half_width = 4}, 1000), 1000L * 1000);
}

TEST(BroadPhase, finds_what_brute_force_finds_with_any_number_of_threads)
{
    for (const int threads : {2, 3, 7})
    {
        EXPECT_GT(compare_with_brute_force({.shape_count = 600, .seed = 3, .half_width = 4}, 12, threads), 12 * 100);
    }
}

TEST(BroadPhase, finds_what_brute_force_finds_far_from_the_origin)
{
    const Vec3 far{1e8, -1e8, 1e8};
    EXPECT_GT(compare_with_brute_force({.shape_count = 150, .seed = 4, .center = far}, 40), 20 * 40);
}

TEST(BroadPhase, finds_all_pairs_of_shapes_at_one_place)
{
    ModelBuilder builder;
    const int count = 200;
    for (int i = 0; i < count; ++i) builder.add_shape(builder.add_body({.position = {1, 2, 3}}), Sphere{.radius = 0.5});
    const Model model = builder.build().value();
    State state(model);
    Collider collider(model);
    EXPECT_EQ(collider.find_pairs(state.world(), 0).size(), std::size_t{count * (count - 1) / 2});
    state.body_pose[5].position = {100, 0, 0};
    EXPECT_EQ(collider.find_pairs(state.world(), 0).size(), std::size_t{(count - 1) * (count - 2) / 2});
}

TEST(BroadPhase, finds_nothing_among_no_shapes_or_one)
{
    ModelBuilder builder;
    ColliderMemory memory;
    for (int shapes = 0; shapes < 2; ++shapes)
    {
        if (shapes > 0)
            builder.add_shape(builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}}), Sphere{});
        const Model model = builder.build().value();
        State state(model);
        Collider collider(model);
        EXPECT_TRUE(collider.find_pairs(state.world(), 1, 1).empty());
        EXPECT_EQ(collider.find_contacts(state.world(), 1, memory).count(), 0);
    }
}

TEST(BroadPhase, answers_alike_with_any_memory)
{
    const CrowdOptions options{.shape_count = 200, .seed = 9, .every_kind = false, .half_width = 1.2};
    const Model model = make_crowd(options);
    const Model other = make_crowd({.shape_count = 200, .seed = 10, .every_kind = false, .half_width = 1.2});
    State state(model), elsewhere(other);
    std::mt19937_64 random(5);
    Collider collider(model), foreign(other);
    ColliderMemory used, early, stranger;
    std::size_t most = 0;
    for (int call = 0; call < 40; ++call)
    {
        stir(model, options, call, random, state);
        stir(other, options, call, random, elsewhere);
        foreign.find_contacts(elsewhere.world(), 0.01, stranger);
        if (call == 3) early = used;
        ColliderMemory empty, stale = early, moved = std::move(stranger), cleared = used;
        cleared.reset();
        stranger = ColliderMemory();
        const Contacts expected = Collider(model).find_contacts(state.world(), 0.01, empty);
        most = std::max(most, expected.items.size());
        for (ColliderMemory* memory : {&used, &stale, &moved, &cleared})
        {
            // A pose that differs and comes back makes the collider look again instead of repeating itself.
            const Pose kept = state.body_pose[3];
            state.body_pose[3].position.x += 0.3;
            collider.find_pairs(state.world(), 0);
            state.body_pose[3] = kept;
            EXPECT_TRUE(are_identical(collider.find_contacts(state.world(), 0.01, *memory), expected)) << call;
        }
    }
    EXPECT_GT(most, 100U);
}

TEST(BroadPhase, one_collider_serves_many_worlds)
{
    const CrowdOptions options{.shape_count = 150, .seed = 12};
    const Model model = make_crowd(options);
    const int worlds = 5;
    State state(model, worlds);
    std::mt19937_64 random(6);
    Collider collider(model);
    std::vector<ColliderMemory> memories(worlds);
    for (int call = 0; call < 12; ++call)
    {
        for (int w = 0; w < worlds; ++w)
        {
            const WorldView world = state.world(w);
            for (Pose& pose : world.body_pose.subspan(1))
            {
                pose.position.x += 0.01 * w;
            }
            const auto found = collider.find_pairs(world, 0.01, 0, &memories[at(w)]);
            EXPECT_EQ(to_vector(found), find_pairs_by_brute_force(model, world, {.margin = 0.01}));
        }
    }
}

TEST(BroadPhase, a_body_whose_pose_is_not_finite_touches_nothing_and_may_come_back)
{
    const CrowdOptions options{.shape_count = 150, .seed = 21};
    const Model model = make_crowd(options);
    State state(model);
    Collider collider(model);
    ColliderMemory memory;
    const std::vector<PairCandidate> before = to_vector(collider.find_pairs(state.world(), 0.02, 0, &memory));
    for (const double odd : {kNan, HUGE_VAL, -HUGE_VAL})
    {
        for (int body = 1; body < model.body_count(); body += 3)
        {
            const Pose kept = state.body_pose[at(body)];
            std::vector<PairCandidate> expected = before;
            std::erase_if(
                expected, [&](const PairCandidate& pair)
                { return model.shapes.body[at(pair.first)] == body || model.shapes.body[at(pair.second)] == body; });
            for (const bool turned : {false, true})
            {
                if (turned) state.body_pose[at(body)].rotation.y = odd;
                if (!turned) state.body_pose[at(body)].position.z = odd;
                EXPECT_EQ(to_vector(collider.find_pairs(state.world(), 0.02, 0, &memory)), expected);
                EXPECT_EQ(to_vector(collider.find_pairs(state.world(), 0.02, 0, &memory)), expected) << "a second time";
                state.body_pose[at(body)] = kept;
                EXPECT_EQ(to_vector(collider.find_pairs(state.world(), 0.02, 0, &memory)), before);
            }
        }
    }
    for (Pose& pose : state.body_pose) pose.position.x = kNan;
    EXPECT_TRUE(collider.find_pairs(state.world(), 1, 0, &memory).empty());
    for (Velocity& velocity : state.body_velocity) velocity.angular.x = kNan;
    EXPECT_TRUE(collider.find_pairs(state.world(), 1, 1, &memory).empty());
}

TEST(BroadPhase, bodies_at_the_end_of_the_number_range_do_not_disturb_others)
{
    const CrowdOptions options{.shape_count = 150, .seed = 22};
    const Model model = make_crowd(options);
    State state(model);
    Collider collider(model);
    ColliderMemory memory;
    std::mt19937_64 random(2);
    for (int call = 0; call < 30; ++call)
    {
        stir(model, options, call, random, state);
        for (int body = 2; body < 12; ++body)
        {
            if (model.bodies.weld[at(body)] == 0) continue;
            state.body_pose[at(body)].position =
                std::pow(10.0, 30 * body - 50) * Vec3{1, -1, call % 2 == 0 ? 1.0 : -1.0};
        }
        EXPECT_EQ(to_vector(collider.find_pairs(state.world(), 0.02, 0, &memory)),
                  find_pairs_by_brute_force(model, state.world(), {.margin = 0.02}));
    }
}

TEST(BroadPhase, fixed_bodies_are_where_the_state_says)
{
    ModelBuilder builder;
    const BodyId shelf = builder.add_body({.position = {5, 0, 0}, .kind = BodyKind::fixed});
    builder.add_shape(shelf, Box{});
    builder.add_shape(builder.add_body(), Sphere{.radius = 0.5});
    const Model model = builder.build().value();
    State state(model);
    Collider collider(model);
    EXPECT_TRUE(collider.find_pairs(state.world(), 0).empty());
    state.body_pose[at(shelf.index)].position = {0.5, 0, 0};
    EXPECT_EQ(collider.find_pairs(state.world(), 0).size(), 1U);
}

TEST(BroadPhase, finds_the_contacts_of_20000_bodies_before_and_after_half_of_them_jump)
{
    ModelBuilder builder;
    const int count = 20000;
    builder.add_ground();
    for (int i = 0; i < count; ++i)
    {
        const int row = i / 150, column = i % 150;
        builder.add_shape(builder.add_body({.position = {1.0 * column, 1.0 * row, 0.4}}), Sphere{.radius = 0.45});
    }
    const Model model = builder.build().value();
    State state(model);
    Collider collider(model);
    ColliderMemory memory;
    EXPECT_EQ(collider.find_contacts(state.world(), 0, memory).count(), count);
    // Half of them gather in one column, far from everything the tree was built for.
    for (int body = 1; body <= count; body += 2) state.body_pose[at(body)].position = {-500, 0, 1.0 * body};
    EXPECT_EQ(collider.find_contacts(state.world(), 0, memory).count(), count / 2);
}

TEST(BroadPhase, does_not_allocate_once_warm)
{
    for (const int threads : {1, 3})
    {
        const CrowdOptions options{
            .shape_count = 500, .seed = 30, .every_kind = false, .half_width = 1.6, .material_count = 80};
        const Model model = make_crowd(options);
        Collider collider(model, {.thread_count = threads});
        ColliderMemory memory;
        const State start(model);
        State state = start;
        const auto run = [&]
        {
            // The same path each time: out and back, with a jump in the middle.
            for (int call = 0; call < 30; ++call)
            {
                for (std::size_t body = 1; body < state.body_pose.size(); ++body)
                {
                    const double way = call < 15 ? 0.02 * call : 0.02 * (30 - call);
                    const Vec3 by{body % 3 == 0 ? way : 0, body % 5 == 0 ? -way : 0,
                                  call == 15 && body % 4 == 0 ? 1.0 : 0};
                    state.body_pose[body].position = start.body_pose[body].position + by;
                }
                collider.find_contacts(state.world(), 0.01, memory);
                collider.find_pairs(state.world(), 0.05, 0.01, &memory);
            }
        };
        for (int i = 0; i < 4; ++i) run();
        const long before = allocation_count();
        run();
        EXPECT_EQ(allocation_count() - before, 0) << threads << " threads";
    }
}

}  // namespace rattleback
