// From pairs to contacts: order, materials, frames and threads.
#include "base/index.h"
#include "collide/material_table.h"
#include "collide/pair_sorter.h"

#include "unit/collide/crowd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace rattleback
{

namespace
{

auto key(const Contact& contact) { return std::tuple(contact.first_shape, contact.second_shape, contact.feature); }

}  // namespace

TEST(Assembly, contacts_are_the_same_bits_for_any_number_of_threads)
{
    const CrowdOptions options{
        .shape_count = 800, .seed = 2, .every_kind = false, .half_width = 1.5, .material_count = 60};
    const Model model = make_crowd(options);
    State state(model);
    std::mt19937_64 random(3);
    std::vector<Collider> colliders;
    std::vector<ColliderMemory> memories(4);
    for (const int threads : {1, 2, 3, 7}) colliders.emplace_back(model, ColliderOptions{.thread_count = threads});
    for (int call = 0; call < 12; ++call)
    {
        stir(model, options, call, random, state);
        const Contacts expected = colliders[0].find_contacts(state.world(), 0.01, memories[0]);
        ASSERT_GT(expected.count(), 500);
        for (std::size_t i = 1; i < colliders.size(); ++i)
        {
            EXPECT_TRUE(are_identical(colliders[i].find_contacts(state.world(), 0.01, memories[i]), expected));
        }
    }
}

TEST(Assembly, contacts_are_sorted_by_first_shape_second_shape_and_feature)
{
    // Shapes in an order in which the lower type often has the higher index. Spheres meet spheres and planes, the
    // others planes only.
    ModelBuilder builder;
    std::mt19937 random(4);
    std::uniform_real_distribution<double> real(-1, 1);
    for (int i = 0; i < 60; ++i)
    {
        const BodyId body = builder.add_body({.position = {real(random), real(random), 0.2 * real(random)}});
        if (i % 3 == 0) builder.add_shape(body, Sphere{.radius = 0.3}, {.category = 1, .mask = 5});
        if (i % 3 == 1) builder.add_shape(body, Box{.half_extents = {0.2, 0.3, 0.1}}, {.category = 2, .mask = 4});
        if (i % 3 == 2) builder.add_shape(body, Capsule{}, {.category = 2, .mask = 4});
        if (i % 20 != 7) continue;
        builder.add_shape(kWorld, Plane{},
                          {.rotation = from_axis_angle({1, 0, 0}, 0.01 * i), .category = 4, .mask = 3});
    }
    const Model model = builder.build().value();
    State state(model);
    Collider collider(model);
    ColliderMemory memory;
    const Contacts& contacts = collider.find_contacts(state.world(), 0, memory);
    ASSERT_GT(contacts.count(), 100);
    int swapped = 0;
    for (std::size_t i = 0; i < contacts.items.size(); ++i)
    {
        const Contact& contact = contacts.items[i];
        swapped += contact.first_shape > contact.second_shape ? 1 : 0;
        EXPECT_LE(model.shapes.type[at(contact.first_shape)], model.shapes.type[at(contact.second_shape)]);
        EXPECT_TRUE(i == 0 || key(contacts.items[i - 1]) < key(contact));
    }
    EXPECT_GT(swapped, 20);
}

TEST(Assembly, many_materials_combine_as_few_do)
{
    for (const int count : {5, 200})
    {
        std::mt19937 random(6);
        std::uniform_real_distribution<double> real(0, 1);
        Model model;
        for (int i = 0; i < count; ++i)
        {
            MaterialOptions material{.name = "a name that is too long to be kept inside of a string",
                                     .friction = real(random),
                                     .dimension = i % 2 == 0 ? 3 : 4,
                                     .restitution = real(random),
                                     .priority = i % 3};
            if (i % 4 == 0) material.softness = Spring{1e3 * real(random), real(random)};
            if (i % 4 == 1) material.softness = Impedance{.solref = {real(random), 1}};
            model.materials.push_back(material);
        }
        MaterialTable table(model, 2);
        for (int i = 0; i < 20000; ++i)
        {
            const int a = static_cast<int>(random() % static_cast<unsigned>(count));
            const int b = static_cast<int>(random() % static_cast<unsigned>(count));
            const ContactSurface& found = table.find(a, b, i % 2);
            const MaterialOptions expected = combine(model.materials[at(a)], model.materials[at(b)]);
            EXPECT_EQ(found.friction, (Vec3{expected.friction, expected.spinning_friction, expected.rolling_friction}));
            EXPECT_EQ(found.dimension, expected.dimension);
            EXPECT_EQ(found.restitution, expected.restitution);
            EXPECT_EQ(found.softness, expected.softness);
        }
        EXPECT_EQ(table.find(count - 1).restitution, model.materials.back().restitution);
    }
}

TEST(Assembly, pairs_are_sorted_whether_few_or_many)
{
    std::mt19937 random(8);
    PairSorter<ProxyPair> sorter;
    for (const int count : {0, 1, 2, 30, 3000, 20000})
    {
        for (const unsigned range : {1U, 7U, 1000U, 100000U})
        {
            std::vector<ProxyPair> pairs(at(count));
            for (ProxyPair& pair : pairs)
                pair = {static_cast<int>(random() % range), static_cast<int>(random() % 100000)};
            std::vector<ProxyPair> expected = pairs;
            std::sort(expected.begin(), expected.end());
            sorter.sort(pairs, static_cast<int>(range));
            EXPECT_EQ(pairs, expected) << count << " of " << range;
        }
    }
}

}  // namespace rattleback
