// Charts: axes hold their numbers, ticks are few and round, and drawings are well-formed SVG.
#include "lab/accuracy/chart.h"
#include "lab/accuracy/chart_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rattleback::lab
{
namespace
{

std::size_t count_of(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
    return count;
}

TEST(ChartAxis, goes_from_tick_to_tick_around_all_numbers)
{
    const ChartAxis plain = fit_axis({0.3, 9.7, std::nan("")}, false, true);
    EXPECT_EQ(plain.low, 0);
    EXPECT_EQ(plain.high, 10);
    const ChartAxis decades = fit_axis({0, -3, 2e-5, 700}, true, true);
    EXPECT_EQ(decades.low, -5) << "what has no logarithm does not count";
    EXPECT_EQ(decades.high, 3);
    const ChartAxis single = fit_axis({4}, false, false);
    EXPECT_LT(single.low, 4);
    EXPECT_GT(single.high, 4);
    EXPECT_LT(fit_axis({}, true, true).low, fit_axis({}, true, true).high);
}

TEST(ChartAxis, has_no_more_labels_than_asked_for)
{
    for (const int most : {1, 3, 7})
        for (const double length : {0.03, 1.0, 7.0, 4200.0})
        {
            const std::vector<AxisTick> ticks = find_axis_ticks({.low = -0.4 * length, .high = 0.6 * length}, most);
            EXPECT_LE(ticks.size(), static_cast<std::size_t>(most) + 1) << length;
            for (const AxisTick& tick : ticks) EXPECT_NE(tick.label, "-0");
        }
    const std::vector<AxisTick> decades = find_axis_ticks({.log = true, .low = -12, .high = 6}, 9);
    EXPECT_EQ(decades.size(), 19U) << "a line per decade";
    EXPECT_EQ(decades[0].label, "10⁻¹²");
    EXPECT_EQ(decades[1].label, "");
}

TEST(Chart, draws_a_dot_per_number_and_a_ring_for_what_is_too_small)
{
    const Chart chart{.title = "a < b & \"c\"",
                      .x_label = "x",
                      .y_label = "y",
                      .series = {{.name = "one",
                                  .x = {0, 1, 2, 3},
                                  .y = {1, 0, std::nan(""), 1e-9},
                                  .spread = {0.5, 0, 0, 0},
                                  .line = false,
                                  .marks = true}},
                      .log_y = true,
                      .legend = false,
                      .low_y = 1e-3,
                      .high_y = 10};
    const std::string text = make_sheet(300, 200, "about", draw_chart(chart, {0, 0, 300, 200}));
    EXPECT_EQ(count_of(text, "<circle"), 3U);
    EXPECT_EQ(count_of(text, "fill=\"#fff\" stroke"), 2U) << "0 and 1e-9 stand at the edge";
    EXPECT_EQ(count_of(text, "h6M"), 1U) << "one error bar";
    EXPECT_NE(text.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
    for (const char* element : {"svg", "g", "text", "clipPath"})
        EXPECT_EQ(count_of(text, std::string("<") + element + " "), count_of(text, std::string("</") + element + ">"))
            << element;
}

TEST(Chart, a_metre_is_as_long_up_as_across_where_that_is_asked_for)
{
    const Chart chart{
        .series = {{.name = "", .x = {0, 1, 1, 0, 0}, .y = {0, 0, 1, 1, 0}}}, .equal = true, .legend = false};
    const std::string text = draw_chart(chart, {0, 0, 500, 200});
    const std::size_t begin = text.find("d=\"M", text.find("fill=\"none\" stroke="));
    double x[3], y[3];
    ASSERT_EQ(
        std::sscanf(text.c_str() + begin, "d=\"M%lf %lfL%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]), 6);
    EXPECT_NEAR(x[1] - x[0], y[1] - y[2], 0.2) << "pixels are written with one digit";
}

TEST(HeatMap, crosses_out_what_is_marked_and_leaves_grey_what_is_missing)
{
    const HeatMap map{.title = "",
                      .x_label = "",
                      .y_label = "",
                      .columns = {"a", "b"},
                      .rows = {"c", "d"},
                      .values = {1e-6, 1, std::nan(""), 1e-3},
                      .marked = {false, true, false, false}};
    const std::string text = draw_heat_map(map, {0, 0, 200, 200});
    EXPECT_EQ(count_of(text, "<path fill"), 4U);
    EXPECT_EQ(count_of(text, "l8 8m0 -8l-8 8"), 1U);
    EXPECT_EQ(count_of(text, "#e4e7ea"), 1U);
    EXPECT_NE(text.find("#301256"), std::string::npos) << "the least value has the darkest colour";
    EXPECT_NE(text.find("#fde725"), std::string::npos);
}

TEST(Chart, numbers_of_tables_are_short)
{
    EXPECT_EQ(to_cell(0), "0");
    EXPECT_EQ(to_cell(2403.4), "2403");
    EXPECT_EQ(to_cell(1e6), "1.0e+06");
    EXPECT_EQ(to_cell(-0.31), "-0.31");
    EXPECT_EQ(to_cell(2.04e-4), "2.0e-04");
    EXPECT_EQ(to_cell(std::nan("")), "–");
}

}  // namespace
}  // namespace rattleback::lab
