// The table of MJCF in docs/mjcf.md is the one that the reader uses.
#include <cstdlib>
#include <iterator>
#include <set>

#include "import/mjcf/schema.h"
#include "support/source_folder.h"
#include "unit/import/mjcf_test_support.h"

namespace rattleback
{
namespace
{

constexpr const char* kBegin = "<!-- table: begin -->\n";
constexpr const char* kEnd = "<!-- table: end -->";

/// With RATTLEBACK_UPDATE_DOCS set the page is rewritten instead.
TEST(MjcfTable, the_documented_table_is_the_readers_own)
{
    const std::string path = source_folder() / "docs/mjcf.md";
    std::ifstream file(path);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
    ASSERT_TRUE(begin != page.npos && end != page.npos);
    const std::size_t first = begin + std::string(kBegin).size();
    const std::string table = mjcf::make_support_table();
    if (std::getenv("RATTLEBACK_UPDATE_DOCS"))
        std::ofstream(path) << page.substr(0, first) << table << page.substr(end);
    else
        EXPECT_EQ(page.substr(first, end - first), table)
            << "run this test with RATTLEBACK_UPDATE_DOCS=1 to write the table";
}

TEST(MjcfTable, attributes_and_elements_are_named_once_and_references_have_a_kind)
{
    for (const std::string& context : mjcf::list_contexts())
    {
        std::set<std::string> elements;
        for (const mjcf::ElementRule* rule : mjcf::list_elements(context))
        {
            EXPECT_TRUE(elements.insert(rule->name).second) << context << "/" << rule->name;
            std::set<std::string> attributes;
            for (const mjcf::AttributeRule& attribute : rule->attributes)
            {
                EXPECT_TRUE(attributes.insert(attribute.name).second) << rule->name << "." << attribute.name;
                EXPECT_EQ(attribute.type == mjcf::Type::reference, !attribute.kind.empty());
                EXPECT_EQ(attribute.type == mjcf::Type::word, !attribute.words.empty()) << attribute.name;
                EXPECT_LE(attribute.least, attribute.most < 0 ? attribute.least : attribute.most);
            }
        }
    }
}

TEST(MjcfTable, a_rule_says_type_count_default_and_use)
{
    const mjcf::ElementRule* geom = mjcf::find_element("body", "geom");
    ASSERT_TRUE(geom);
    const mjcf::AttributeRule* size = geom->find("size");
    EXPECT_EQ(std::pair(size->least, size->most), std::pair(1, 3));
    EXPECT_EQ(geom->find("friction")->fallback, "1 0.005 0.0001");
    EXPECT_EQ(geom->find("type")->words.size(), 9U);
    EXPECT_EQ(geom->find("adhesion")->use, geom->find("friction")->use);
    EXPECT_EQ(geom->find("user")->use, mjcf::Use::ignored);
    EXPECT_EQ(mjcf::find_element("contact", "pair")->find("geom1")->kind, "geom");
    EXPECT_TRUE(mjcf::find_element("contact", "pair")->find("geom1")->required);
    EXPECT_EQ(mjcf::find_element("body", "nothing"), nullptr);
}

}  // namespace
}  // namespace rattleback
