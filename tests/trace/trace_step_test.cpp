// From Simulation::step to the formulas of each solver in at most six calls, as one step of a small scene shows.
#include "trace/call_tree.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace rattleback::trace
{
namespace
{

constexpr int kMostCalls = 6;
constexpr const char* kBegin = "<!-- calls: begin -->\n";
constexpr const char* kEnd = "<!-- calls: end -->";

struct Formula
{
    std::string function, what;
};

struct Case
{
    std::string label, solver;
    Parameters parameters;
    std::vector<Formula> formulas;
    bool jointed = true;  ///< false: free bodies, for solvers that know no others
    bool apart = false;   ///< true: with gaps between the bodies, for solvers that allow no overlap
};

Parameters convex(const char* method) { return {{"cone", std::string("elliptic")}, {"solver", std::string(method)}}; }

const std::vector<Case>& all_cases()
{
    const Formula row{"add_elliptic", "J, a_ref and R of a contact"}, cone{"find_conic_force", "force on the cone"};
    const Formula pair{"find_contact_correction", "a particle out of a shape"};
    const Formula fit{"find_rotation", "R = polar(A)"};
    static const std::vector<Case> cases = {
        {"smooth",
         "smooth",
         {{"ignore", std::string("contact")}},
         {{"compute_mass_matrix", "M(q)"},
          {"compute_velocity_stage", "tau - c(q, v)"},
          {"Stepper::sweep_midpoint", "M dv = h (tau - c)"}}},
        {"convex", "convex", convex("Newton"), {row, cone}},
        {"convex, CG", "convex", convex("CG"), {row, cone}},
        {"convex, PGS",
         "convex",
         convex("PGS"),
         {row, {"move_along_ray", "normal force"}, {"sweep_tangent", "friction"}}},
        {"avbd",
         "avbd",
         {},
         {{"evaluate", "lambda+ of a contact, Eq. 13"}, {"update_dual", "lambda and k, Eqs. 11 and 16"}}},
        {"avbd, penalty",
         "avbd",
         {{"mode", std::string("penalty")}},
         {{"evaluate_penalty", "force and stiffness of a contact"}}},
        {"pbd", "pbd", {}, {pair, fit}, false},
        {"pbdr", "pbdr", {}, {pair, fit}, false},
        {"refined", "refined", {}, {{"ContactImpulses::solve_contact", "impulse of a contact, (R5) and (R6)"}}, false},
        {"comfree",
         "comfree",
         {{"method", std::string("direct")}},
         {{"find_answer", "impedance Z and target c of a row, Eqs. 10 to 12"}}},
        {"comfree, sweeps",
         "comfree",
         {{"method", std::string("sweeps")}},
         {{"step_contact", "impulses of a contact by block descent"}}},
        {"comfree, printed",
         "comfree",
         {{"law", std::string("printed")}},
         {{"find_facet_impulses", "impulses on the facets of the dual cone, Eqs. 6 to 8"}}},
        {"ipc", "ipc", {}, {{"find_barrier", "barrier b(d) and its derivatives"}}, false, true},
    };
    return cases;
}

/// A box that slides on the ground and one on top of it; beside them a flail whose end drags along.
Model make_scene(bool jointed, bool apart)
{
    constexpr double kGap = 4e-4;
    ModelBuilder builder;
    builder.add_ground();
    for (const int level : {0, 1})
    {
        const double height = (level == 0 ? 0.0999 : 0.2997) + (apart ? (level + 1) * kGap : 0);
        const BodyId box = builder.add_body({.position = {0, 0, height}, .linear_velocity = {1, 0, 0}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    }
    if (jointed)
    {
        const BodyId handle = builder.add_body({.position = {1, 0, 0.0999}, .linear_velocity = {1, 0, 0}});
        builder.add_shape(handle, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
        const BodyId end = builder.add_body({.parent = handle, .position = {0.5, 0, 0}});
        builder.add_joint(end, {.axis = {0, 1, 0}, .position = {-0.25, 0, 0}});
        builder.add_shape(end, Sphere{.radius = 0.1}, {.density = 1000});
    }
    return builder.build().value();
}

/// The second step, so that what is remembered from the first (warm starts) is used.
CallTree trace_step(const Case& c)
{
    Simulation simulation(make_scene(c.jointed, c.apart), {.solver = c.solver, .parameters = c.parameters});
    simulation.step();
    start_recording();
    simulation.step();
    const std::vector<Call> calls = stop_recording();
    static const std::map<const void*, Symbol> symbols = read_symbols();
    return {calls, symbols, "Simulation::step"};
}

/// "`Simulation::step` → `Worlds::run_steps` → ...".
std::string join(const std::vector<std::string>& chain)
{
    std::string text;
    for (const std::string& name : chain) text += (text.empty() ? "`" : " → `") + name + '`';
    return text;
}

/// A table of all chains, then the tree of each solver.
std::string make_page()
{
    std::string table = "| solver | formula | calls | way |\n|---|---|---|---|\n", trees;
    for (const Case& c : all_cases())
    {
        const CallTree tree = trace_step(c);
        std::map<std::string, std::string> marks;
        for (const Formula& formula : c.formulas)
        {
            const std::vector<std::string> chain = tree.find_chain(formula.function);
            table += "| `" + c.label + "` | " + formula.what + " | " + std::to_string(chain.size() - 1) + " | " +
                     join(chain) + " |\n";
            marks[formula.function] = formula.what;
        }
        trees += "\n`" + c.label + "`:\n```\n" + tree.print(marks) + "```\n";
    }
    return table + trees;
}

TEST(Step, reaches_the_formulas_of_every_solver_in_at_most_six_calls)
{
    for (const Case& c : all_cases())
    {
        const CallTree tree = trace_step(c);
        for (const Formula& formula : c.formulas)
        {
            const std::vector<std::string> chain = tree.find_chain(formula.function);
            ASSERT_FALSE(chain.empty()) << c.label << " never calls " << formula.function;
            std::printf("%-14s %zu calls: %s\n", c.label.c_str(), chain.size() - 1, join(chain).c_str());
            EXPECT_LE(static_cast<int>(chain.size()) - 1, kMostCalls) << c.label << ": " << join(chain);
        }
    }
}

TEST(Step, is_documented_as_the_trace_shows_it)
{
    const std::string path = std::string(RATTLEBACK_SOURCE_DIR) + "/docs/step.md";
    std::ifstream file(path);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
    ASSERT_TRUE(begin != page.npos && end != page.npos);
    const std::size_t first = begin + std::string(kBegin).size();
    const std::string made = make_page();
    if (std::getenv("RATTLEBACK_UPDATE_DOCS"))
        std::ofstream(path) << page.substr(0, first) << made << page.substr(end);
    else
        EXPECT_EQ(page.substr(first, end - first), made) << "run this test with RATTLEBACK_UPDATE_DOCS=1 to write them";
}

TEST(CallTree, shortens_names_to_class_and_function)
{
    EXPECT_EQ(shorten("rattleback::Simulation::step()"), "Simulation::step");
    EXPECT_EQ(shorten("void rattleback::avbd::PackSweep<rattleback::Pack<double, 4> >::solve_batch<true, (bool)0>(int, "
                      "rattleback::avbd::BlockWork&)"),
              "PackSweep::solve_batch");
    EXPECT_EQ(shorten("rattleback::convex::(anonymous namespace)::add_cone(double const*, (anonymous)::Cone const&)"),
              "add_cone");
    EXPECT_EQ(shorten("rattleback::Worlds::run_steps(long, int)::{lambda(int, int)#1}::operator()(int, int) const"),
              "Worlds::run_steps::{lambda#1}::operator_call");
}

TEST(CallTree, a_lambdas_calls_are_those_of_the_function_in_whose_text_it_stands)
{
    // outer() hands a lambda to a loop; the lambda calls inner(); a constructor calls inner() as well
    const char text[6] = {};
    const std::map<const void*, Symbol> symbols = {{text, {"outer()"}},
                                                   {text + 1, {"for_each(int)"}},
                                                   {text + 2, {"outer()::{lambda(int)#1}::operator()(int) const"}},
                                                   {text + 3, {"inner()"}},
                                                   {text + 4, {"ns::Part::Part(int)"}},
                                                   {text + 5, {"other()"}}};
    const std::vector<Call> calls = {{nullptr, -1, {1}}, {text, 0, {2, 5}},  {text + 1, 1, {3}}, {text + 2, 2, {4}},
                                     {text + 3, 3, {}},  {text + 4, 1, {6}}, {text + 5, 5, {}}};
    const CallTree tree(calls, symbols, "outer");
    EXPECT_EQ(tree.find_chain("inner"), (std::vector<std::string>{"outer", "inner"}));
    EXPECT_EQ(tree.find_chain("other"), (std::vector<std::string>{"outer", "other"}));
    EXPECT_EQ(tree.find_chain("for_each"), (std::vector<std::string>{"outer", "for_each"}));
    EXPECT_TRUE(tree.find_chain("nothing").empty());
    EXPECT_EQ(tree.print({{"inner", "here"}}), "outer\n  for_each\n  inner  # here\n  other\n");
}

}  // namespace
}  // namespace rattleback::trace
