// The list of solvers and their parameters: precedence, conversions, and every mistake named.
#include <rattleback/builder.h>
#include <rattleback/solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace rattleback
{

namespace
{

SolverInfo make_info()
{
    return {.name = "toy",
            .parameters = {{.name = "iterations", .default_value = 10, .range = {{1, 100}}},
                           {.name = "tolerance", .unit = "m", .default_value = 1e-6, .range = {{0, 1}}},
                           {.name = "warm_start", .default_value = true},
                           {.name = "cone", .default_value = std::string("elliptic")}}};
}

Model make_model(const Parameters& settings)
{
    Model model;
    model.settings.solver_parameters["toy"] = settings;
    model.settings.solver_parameters["other"] = {{"nonsense", 1}};
    return model;
}

}  // namespace

TEST(SolverList, names_are_unique_and_found)
{
    std::set<std::string_view> names;
    for (const SolverInfo* info : all_solvers())
    {
        EXPECT_TRUE(names.insert(info->name).second) << info->name;
        EXPECT_FALSE(info->summary.empty()) << info->name;
        EXPECT_NE(info->make != nullptr, info->make_prepared != nullptr) << info->name << ": one of the two";
        EXPECT_EQ(find_solver(info->name).value(), info);
        EXPECT_TRUE(make_parameters(*info, Model{}, {}).ok()) << "its own defaults are within their ranges";
    }
    EXPECT_TRUE(names.contains("smooth"));
}

TEST(SolverList, an_unknown_name_is_answered_with_the_nearest)
{
    const Result<const SolverInfo*> found = find_solver("smoth");
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.errors().front().code, ErrorCode::unknown_name);
    EXPECT_EQ(found.errors().front().text(), "solver: there is no solver 'smoth' (did you mean 'smooth'?)");
}

TEST(Parameters, overrides_win_over_the_model_and_the_model_over_defaults)
{
    const SolverInfo info = make_info();
    const Model model = make_model({{"iterations", 20}, {"cone", std::string("pyramidal")}});
    const Result<Parameters> made = make_parameters(info, model, {{"iterations", 30}});
    ASSERT_TRUE(made.ok()) << to_text(made.errors());
    EXPECT_EQ(made.value(),
              (Parameters{
                  {"iterations", 30}, {"tolerance", 1e-6}, {"warm_start", true}, {"cone", std::string("pyramidal")}}));
}

TEST(Parameters, an_int_is_taken_for_a_double_and_nothing_else_is_converted)
{
    const SolverInfo info = make_info();
    const Result<Parameters> made = make_parameters(info, Model{}, {{"tolerance", 1}});
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(made.value().at("tolerance"), ParameterValue(1.0));

    const Result<Parameters> wrong = make_parameters(info, Model{}, {{"iterations", 2.5}});
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.errors().front().text(), "solver 'toy': parameter 'iterations': has type double (expected int)");
}

TEST(Parameters, every_mistake_is_named_at_once)
{
    const SolverInfo info = make_info();
    const Model model = make_model({{"iteration", 5}});
    const Result<Parameters> made = make_parameters(
        info, model, {{"iterations", 1000}, {"tolerance", std::nan("")}, {"warm_start", 1}, {"zzz", 1}});
    ASSERT_EQ(made.errors().size(), 5U) << to_text(made.errors());
    const std::string text = to_text(made.errors());
    EXPECT_NE(text.find("model settings for solver 'toy': solver 'toy' has no parameter 'iteration' (did you mean "
                        "'iterations'?)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("'iterations': is 1000 (allowed: 1 to 100)"), std::string::npos) << text;
    EXPECT_NE(text.find("allowed: 0 to 1 m"), std::string::npos) << text;
    EXPECT_NE(text.find("'warm_start': has type int (expected bool)"), std::string::npos) << text;
    EXPECT_NE(text.find("no parameter 'zzz'"), std::string::npos) << text;
}

TEST(Parameters, one_that_the_others_leave_unread_is_refused_unless_it_is_at_its_default)
{
    SolverInfo info = make_info();
    info.parameters[0].read_where = {"cone", "elliptic"};
    const Parameters pyramid = {{"cone", std::string("pyramidal")}};
    EXPECT_TRUE(make_parameters(info, Model{}, pyramid).ok());
    EXPECT_TRUE(make_parameters(info, Model{}, {{"iterations", 20}}).ok());
    EXPECT_TRUE(make_parameters(info, make_model({{"iterations", 10}}), pyramid).ok());
    // whoever set it, and whoever set the other
    const Result<Parameters> made = make_parameters(info, make_model({{"iterations", 20}}), pyramid);
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.errors().front().text(),
              "solver 'toy': parameter 'iterations': is not read where cone = pyramidal (leave it out, or set cone = "
              "elliptic)");
}

TEST(SolverList, what_a_parameter_waits_for_is_a_choice_of_another)
{
    for (const SolverInfo* info : all_solvers())
    {
        for (const ParameterInfo& parameter : info->parameters)
        {
            if (!parameter.read_where) continue;
            const auto& [name, value] = *parameter.read_where;
            const auto other = std::find_if(info->parameters.begin(), info->parameters.end(),
                                            [&wanted = name](const ParameterInfo& p) { return p.name == wanted; });
            ASSERT_NE(other, info->parameters.end()) << info->name << ' ' << parameter.name;
            EXPECT_EQ(std::count(other->choices.begin(), other->choices.end(), value), 1) << parameter.name;
            EXPECT_TRUE(parameter.summary.starts_with(std::string(name) + ' ' + std::string(value) + ": "))
                << info->name << ' ' << parameter.name << ": its summary says so to those who look at the list";
        }
    }
}

TEST(Parameters, a_text_that_is_not_among_the_choices_is_answered_with_the_nearest)
{
    const SolverInfo& smooth = *find_solver("smooth").value();
    const Model model = ModelBuilder().build().value();
    const Result<Parameters> made = make_parameters(smooth, model, {{"integrator", std::string("midpiont")}});
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.errors()[0].text().find("did you mean 'midpoint'"), std::string::npos) << made.errors()[0].text();
    EXPECT_TRUE(make_parameters(smooth, model, {{"integrator", std::string("rk4")}}).ok());
}

}  // namespace rattleback
