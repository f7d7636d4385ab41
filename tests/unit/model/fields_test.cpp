// The rows of model/fields leave out no member of the options and no array of the Model.
#include "model/fields/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace rattleback
{
namespace
{

/// Where a member lies in its struct.
struct Extent
{
    std::size_t begin = 0, end = 0, alignment = 1;
};

template <class Options, class V>
Extent find_extent(const Options& options, const V& member)
{
    const auto begin = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&member) -
                                                reinterpret_cast<const std::byte*>(&options));
    return {begin, begin + sizeof member, alignof(V)};
}

/// Rows and `others` (members that are no fields: names, references) fill the struct but for padding.
template <class Rows, class Options, class... V>
void expect_all_named(const char* what, const V Options::*... others)
{
    const Options options;
    std::vector<Extent> extents{find_extent(options, options.*others)...};
    std::set<std::string> names;
    visit_options<Rows>(
        [&](const auto& row)
        {
            extents.push_back(find_extent(options, options.*row.option));
            EXPECT_TRUE(names.insert(row.name).second) << what << "." << row.name << " has two rows";
        });
    std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
    std::size_t end = 0;
    for (const Extent& extent : extents)
    {
        EXPECT_GE(extent.begin, end) << what << ": one member twice, at byte " << extent.begin;
        EXPECT_LT(extent.begin - end, extent.alignment) << what << ": a member without a row at byte " << end;
        end = extent.end;
    }
    EXPECT_LT(sizeof(Options) - end, alignof(Options)) << what << ": a member without a row at byte " << end;
}

TEST(Fields, every_option_of_every_element_has_a_row)
{
    expect_all_named<BodyRows>("BodyOptions", &BodyOptions::name, &BodyOptions::parent);
    expect_all_named<JointRows>("JointOptions", &JointOptions::name);
    // How a shape looks is kept in the Appearance.
    expect_all_named<ShapeRows>("ShapeOptions", &ShapeOptions::name, &ShapeOptions::material, &ShapeOptions::visual,
                                &ShapeOptions::plane_size);
    expect_all_named<MaterialRows>("MaterialOptions", &MaterialOptions::name);
    expect_all_named<PairRows>("PairOptions", &PairOptions::material);
    expect_all_named<SiteRows>("SiteOptions", &SiteOptions::name);
    expect_all_named<EqualityRows>("EqualityOptions", &EqualityOptions::name);
    expect_all_named<TendonRows>("TendonOptions", &TendonOptions::name);
    expect_all_named<ActuatorRows>("ActuatorOptions", &ActuatorOptions::name, &ActuatorOptions::reference);
}

TEST(Fields, every_array_of_a_table_has_one_row_in_the_order_of_the_struct)
{
    const Model model;
    each_table(model,
               [](const char* table_name, const auto& table, std::size_t, const char*)
               {
                   // Rows that meet every byte of the struct, one vector after the other, leave out none.
                   const auto* next = reinterpret_cast<const std::byte*>(&table);
                   each_array(table,
                              [&](const auto& row, const auto& array)
                              {
                                  EXPECT_EQ(reinterpret_cast<const std::byte*>(&array), next)
                                      << table_name << "." << row.name;
                                  next += sizeof array;
                              });
                   EXPECT_EQ(next, reinterpret_cast<const std::byte*>(&table + 1)) << table_name;
               });
}

TEST(Fields, a_message_calls_a_field_by_its_name_in_plain_words)
{
    std::set<std::string> labels;
    visit_options<JointRows>([&](const auto& row) { labels.insert(label_of(row)); });
    visit_options<ActuatorRows>([&](const auto& row) { labels.insert(label_of(row)); });
    EXPECT_TRUE(labels.contains("dry friction softness"));
    EXPECT_TRUE(labels.contains("activation range"));
}

}  // namespace
}  // namespace rattleback
