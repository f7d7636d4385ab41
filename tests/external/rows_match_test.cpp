// Our constraint rows against MuJoCo's, with its contacts injected: J, residuals, references, regularisers, order.
#include "external/rows_match.h"
#include "base/index.h"
#include "external/data.h"
#include "external/model_file.h"
#include "lab/scenes/scenes.h"

#include <rattleback/export.h>
#include <rattleback/import.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace rattleback
{
namespace
{

constexpr int kRowStates = 20;

const RowCase kCases[] = {
    {.elliptic = false, .impratio = 1},
    {.elliptic = true, .impratio = 1},
    {.elliptic = false, .impratio = 10},
    {.elliptic = true, .impratio = 10},
    {.elliptic = true, .impratio = 0.3, .refsafe = false},
    {.elliptic = false, .impratio = 2.5, .refsafe = false, .exact_diagonal = true},
    {.elliptic = true, .impratio = 100, .exact_diagonal = true},
};

/// Which kinds of rows and contacts a comparison has met.
struct Met
{
    std::vector<int> rows = std::vector<int>(8), dimensions = std::vector<int>(7), equalities = std::vector<int>(4);

    void count(const Model& model, const lab::OracleConstraints& theirs)
    {
        for (std::size_t i = 0; i < theirs.type.size(); ++i)
        {
            ++rows[at(static_cast<int>(theirs.type[i]))];
            if (theirs.type[i] == lab::OracleRow::equality)
                ++equalities[at(static_cast<int>(model.equalities.type[at(theirs.element[i])]))];
        }
        for (const Contact& contact : theirs.contacts.items) ++dimensions[at(contact.dimension)];
    }
};

Met expect_same_rows(const std::string& path, int states = kRowStates)
{
    const Result<Imported> imported = load_mjcf(path);
    EXPECT_TRUE(imported.ok()) << to_text(imported.errors());
    Result<lab::Oracle> loaded = lab::Oracle::load_file(path);
    EXPECT_TRUE(loaded.ok()) << to_text(loaded.errors());
    Met met;
    if (testing::Test::HasFailure()) return met;
    const Model& model = imported.value().model;
    lab::Oracle oracle = std::move(loaded).value();
    OurRows ours(model);
    const std::vector<ContactState> found = find_contact_states(model, path, oracle, states);
    for (std::size_t i = 0; i < found.size() && !testing::Test::HasFailure(); ++i)
    {
        SCOPED_TRACE("state " + std::to_string(i));
        for (const RowCase& settings : kCases) expect_same_rows(model, oracle, found[i], settings, ours);
        met.count(model, oracle.find_constraints(found[i].as_input(), {.elliptic = i % 2 == 0, .iterations = 1}));
    }
    return met;
}

class PublishedRows : public testing::TestWithParam<const char*>
{
};

TEST_P(PublishedRows, are_those_of_mujoco)
{
    const std::filesystem::path path = find_data() / "mjcf" / GetParam();
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here: set RATTLEBACK_DATA";
    SKIP_WITHOUT_MUJOCO();
    expect_same_rows(path.string());
}
INSTANTIATE_TEST_SUITE_P(Mjcf, PublishedRows,
                         testing::Values("mujoco/model/humanoid/humanoid.xml", "menagerie/shadow_hand/scene_right.xml",
                                         "menagerie/leap_hand/scene_right.xml",
                                         "menagerie/wonik_allegro/scene_right.xml", "menagerie/unitree_g1/scene.xml",
                                         "menagerie/franka_emika_panda/scene.xml",
                                         "menagerie/franka_emika_panda/mjx_single_cube.xml",
                                         "mujoco/model/humanoid/humanoid100.xml", "mujoco/model/car/car.xml"),
                         [](const auto& file) { return make_title(file.param); });

/// Every kind of row: equalities between bodies, sites, joints and tendons, some inactive, dry friction and limits of
/// all joints and of tendons, contacts of all dimensions, explicit pairs, and every form of solref and solimp.
constexpr const char* kEverything = R"(<mujoco>
  <option timestep="0.004"/>
  <compiler angle="radian"/>
  <default><geom solimp="0.85 0.97 0.02 0.3 2.7" margin="0.01"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" condim="1" friction="0.7 0.02 0.003"/>
    <body name="target" mocap="true" pos="0.5 0.5 0.5" quat="1 0.2 0.1 0"><site name="hook" pos="0.1 0 0" quat="1 0 0.3 0"/></body>
    <body name="ball" pos="0 0 0.09">
      <freejoint/>
      <geom name="ball" size="0.1" condim="6" priority="1" friction="0.9 0.03 0.002" solref="-4000 -30"/>
      <site name="eye" pos="0.02 0.05 0" quat="0.9 0.1 0 0.2"/>
    </body>
    <body name="box" pos="0.05 0.02 0.28">
      <joint type="free" frictionloss="0.5"/>
      <geom name="box" type="box" size="0.1 0.12 0.1" condim="4" solref="0.003 0.7" gap="0.05"/>
    </body>
    <body name="puck" pos="2 0 0.1"><freejoint/><geom size="0.1" condim="1"/></body>
    <body name="marble" pos="2 1 0.1"><freejoint/><geom size="0.1" condim="6" friction="0.9 0.03 0.002"/></body>
    <body name="plate" pos="0.6 0 0.05">
      <freejoint/>
      <geom name="plate" type="box" size="0.1 0.2 0.06" solref="0.01 -3" solmix="0.3"/>
    </body>
    <body name="arm" pos="-0.5 0 0.5">
      <joint name="shoulder" type="ball" limited="true" range="0 0.4" margin="0.1" frictionloss="0.2" solreffriction="-0 -40"
        solimplimit="0.7 0.99 0.3 0.6 3"/>
      <geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 0"/>
      <site name="s1" pos="0.15 0 0.05"/>
      <body pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0.2" limited="true" range="-0.3 0.3" margin="0.05" frictionloss="0.1" ref="0.1"
          solreflimit="0.001 0.5" solimpfriction="0.5 0.6 0.001 0.5 1"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 -0.1"/>
        <site name="s2" pos="0.1 0 0.05"/>
        <body name="tip" pos="0.2 0 -0.1">
          <joint name="finger" type="slide" axis="1 0 0" limited="true" range="-0.1 0.02" frictionloss="0.3"
            solimplimit="0.9 0.9 0.1 0.5 2"/>
          <geom name="tip" size="0.05" condim="3"/>
          <site name="s3" pos="0.05 0 0.03"/>
        </body>
      </body>
      <body name="twin" pos="0.25 0.2 0">
        <joint name="twist" axis="1 1 0"/>
        <geom name="twin" type="capsule" size="0.03 0.1"/>
        <site name="s4" pos="0.02 0.1 0.1"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="sum" limited="true" range="-0.05 0.05" margin="0.3" frictionloss="0.4" solreffriction="0.05 1"><joint joint="elbow" coef="0.5"/><joint joint="twist" coef="-0.7"/></fixed>
    <fixed name="one"><joint joint="finger" coef="2"/></fixed>
    <spatial name="string" limited="true" range="0.1 0.3" frictionloss="0.7" solimplimit="0.2 0.95 0.5 0.4 2"><site site="s4"/><site site="s1"/><pulley divisor="2"/><site site="s2"/><site site="s3"/></spatial>
    <spatial name="line"><site site="s4"/><site site="s3"/></spatial>
  </tendon>
  <contact>
    <pair geom1="tip" geom2="plate" condim="6" friction="0.8 0.5 0.02 0.003 0.001" solref="0.015 1.2" solreffriction="0.03 2" margin="0.4" gap="0.1"/>
    <pair geom1="floor" geom2="plate" condim="4" friction="0.6 0.9 0.02 0.003 0.001" solreffriction="-0 -50"/>
    <pair geom1="twin" geom2="floor" condim="3" friction="0.6 0.6 0 0 0" solreffriction="-1 2" margin="1"/>
  </contact>
  <equality>
    <connect body1="tip" body2="plate" anchor="0.05 0 0.02" solimp="0.6 0.97 0.5 0.5 4"/>
    <connect body1="twin" body2="tip" anchor="0 0.1 0"/>
    <connect site1="eye" site2="s4" solref="-300 -10"/>
    <weld body1="box" body2="arm" torquescale="2.5" anchor="0.1 0.2 0.3"/>
    <weld body1="ball" body2="box" relpose="0.1 0 0.2 0.9 0.1 0.2 0" torquescale="0.3" solimp="0.1 0.9 3 0.2 1.5"/>
    <weld site1="hook" site2="eye"/>
    <weld body1="plate" active="false"/>
    <weld body1="plate"/>
    <connect body1="target" anchor="0 0 0"/>
    <joint joint1="elbow" joint2="finger" polycoef="0.1 0.5 0.3 -2 5"/>
    <joint joint1="finger" joint2="twist" polycoef="0 0.5 0 0 0" solref="0.1 2"/>
    <joint joint1="twist" polycoef="0.2 0 0 0 0"/>
    <tendon tendon1="sum" tendon2="line" polycoef="0.1 0.5 0.3 -2 5"/>
    <tendon tendon1="one" polycoef="-0.1 0 0 0 0"/>
  </equality>
</mujoco>)";

TEST(RowsMatch, every_kind_of_row_is_that_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const ModelFile file(kEverything);
    const Met met = expect_same_rows(file.path(), 100);
    for (int kind = 0; kind < 8; ++kind) EXPECT_GT(met.rows[at(kind)], 0) << "row type " << kind;
    for (const int dimension : {1, 3, 4, 6}) EXPECT_GT(met.dimensions[at(dimension)], 0) << "dimension " << dimension;
    for (int type = 0; type < 4; ++type) EXPECT_GT(met.equalities[at(type)], 0) << "equality type " << type;
}

TEST(RowsMatch, scenes_of_the_laboratory_have_the_rows_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    int scenes = 0;
    for (const lab::Scene& scene : lab::all_scenes())
    {
        if (scene.ignore.find("contact") == std::string_view::npos) continue;
        SCOPED_TRACE(scene.name);
        const Result<std::string> text = write_mjcf(scene.build().value());
        ASSERT_TRUE(text.ok()) << to_text(text.errors());
        const ModelFile file(drop_custom(text.value()));
        expect_same_rows(file.path());
        ++scenes;
    }
    EXPECT_GE(scenes, 3);
}

}  // namespace
}  // namespace rattleback
