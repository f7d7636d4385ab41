// Result: reading and changing the value by every road, and what happens when there is none.
#include <rattleback/error.h>

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

namespace rattleback
{

TEST(Result, a_named_result_can_be_changed_by_value_arrow_and_star)
{
    Result<std::string> result(std::string("a"));
    result.value() += "b";
    result->push_back('c');
    *result += "d";
    const Result<std::string>& same = result;
    EXPECT_EQ(same.value(), "abcd");
    EXPECT_EQ(*same, "abcd");
    EXPECT_EQ(same->size(), 4U);
    static_assert(std::is_same_v<decltype(*same), const std::string&>);
    static_assert(std::is_same_v<decltype(same.operator->()), const std::string*>);
}

TEST(Result, what_cannot_be_copied_is_moved_out)
{
    Result<std::unique_ptr<int>> result(std::make_unique<int>(3));
    const std::unique_ptr<int> taken = *std::move(result);
    EXPECT_EQ(*taken, 3);
    const std::unique_ptr<int> other = Result<std::unique_ptr<int>>(std::make_unique<int>(4)).value();
    EXPECT_EQ(*other, 4);
}

TEST(Result, asking_a_failed_one_for_its_value_says_why_it_failed)
{
    Result<std::string> failed(Error{.where = "arm.xml:3:7", .message = "no such joint"});
    EXPECT_DEATH(failed.value().clear(), "arm.xml:3:7: no such joint");
    EXPECT_DEATH(failed->clear(), "arm.xml:3:7: no such joint");
    EXPECT_DEATH((*failed).clear(), "arm.xml:3:7: no such joint");
}

}  // namespace rattleback
