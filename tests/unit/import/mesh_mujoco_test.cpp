// What our readers and mass rules make of meshes is what MuJoCo 4.0 makes of them.
#include "geometry/mass.h"
#include "import/meshes/mesh_file.h"
#include "support/source_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace rattleback
{
namespace
{

constexpr double kDensity = 1000;  // [kg/m^3], MuJoCo's default

const std::string kCube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
const std::string kSides = "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

double legacy_mass(const std::string& text)
{
    const Result<MeshOptions> mesh = parse_obj(text, "part.obj");
    EXPECT_TRUE(mesh.ok()) << to_text(mesh.errors());
    if (!mesh) return std::nan("");
    return compute_mass(ShapeType::mesh, {}, &mesh.value(), MeshMass::legacy, kDensity).value().mass;
}

/// One answer of MuJoCo 4.0 for a body with a single mesh geom.
struct Answer
{
    const char* file;
    MeshMass rule;
    std::size_t vertices;
    std::size_t triangles;
    double mass;   ///< [kg]
    Vec3 moments;  ///< [kg m^2]
};

// Chosen for: two groups (distal, thumb_distal), repeated vertices (link6_11), a scale in millimetres (palm), both
// formats, closed and open meshes. `exact` stands where the mesh is closed: elsewhere we refuse and MuJoCo does not.
const Answer kAnswers[] = {
    {"menagerie/leap_hand/assets/distal.obj",
     MeshMass::legacy,
     5680,
     9802,
     0.017008428011727354,
     {3.052792410138981e-06, 2.205771522868219e-06, 1.540212078309457e-06}},
    {"menagerie/leap_hand/assets/distal.obj",
     MeshMass::convex,
     5680,
     9802,
     0.03150238425045051,
     {9.375612880460823e-06, 7.799451894938418e-06, 3.492726515002553e-06}},
    {"menagerie/leap_hand/assets/distal.obj",
     MeshMass::shell,
     5680,
     9802,
     5.60201322121486,
     {0.001407424445616441, 0.0009979919872836458, 0.000775981775512517}},
    {"menagerie/leap_hand/assets/thumb_distal.obj",
     MeshMass::legacy,
     11138,
     20794,
     0.04405156356825023,
     {8.915245734870232e-06, 8.406241832716669e-06, 4.196559855383983e-06}},
    {"menagerie/leap_hand/assets/thumb_distal.obj",
     MeshMass::convex,
     11138,
     20794,
     0.05006973571249713,
     {1.9975799451891457e-05, 1.943177028213301e-05, 6.266964733267507e-06}},
    {"menagerie/leap_hand/assets/thumb_distal.obj",
     MeshMass::shell,
     11138,
     20794,
     12.375424222531743,
     {0.003868980762419077, 0.0036662641712061858, 0.0018248012083186122}},
    {"menagerie/franka_emika_panda/assets/link6_11.obj",
     MeshMass::legacy,
     402,
     134,
     3.820097909521611e-06,
     {3.3457950823406296e-11, 1.684635801333815e-11, 1.661853138427276e-11}},
    {"menagerie/franka_emika_panda/assets/link6_11.obj",
     MeshMass::convex,
     402,
     134,
     5.637493003190583e-06,
     {4.647043991651839e-11, 2.3267704547732316e-11, 2.3216072069915482e-11}},
    {"menagerie/franka_emika_panda/assets/link6_11.obj",
     MeshMass::shell,
     402,
     134,
     0.07365032216337886,
     {9.638807297155125e-07, 4.859479361073141e-07, 4.781796984786357e-07}},
    {"menagerie/franka_emika_panda/assets/hand.stl",
     MeshMass::legacy,
     102,
     200,
     0.7088538014247961,
     {0.002405515046416099, 0.002177838945978263, 0.00048245413128071915}},
    {"menagerie/franka_emika_panda/assets/hand.stl",
     MeshMass::exact,
     102,
     200,
     0.7088538014247961,
     {0.002405515046416099, 0.002177838945978263, 0.00048245413128071915}},
    {"menagerie/franka_emika_panda/assets/hand.stl",
     MeshMass::convex,
     102,
     200,
     0.7089219305615742,
     {0.0024058811205910505, 0.002178150942788981, 0.0004825477843578983}},
    {"menagerie/franka_emika_panda/assets/hand.stl",
     MeshMass::shell,
     102,
     200,
     50.603551248167136,
     {0.22950771616388743, 0.20650044171053036, 0.06010335504827555}},
    {"menagerie/shadow_hand/assets/palm.obj",
     MeshMass::legacy,
     5957,
     11668,
     207685298.54667816,
     {242235499011.69962, 173444565363.44952, 92537869441.70992}},
    {"menagerie/shadow_hand/assets/palm.obj",
     MeshMass::convex,
     5957,
     11668,
     261720645.88006502,
     {359675876376.6993, 274377909481.39163, 132358272113.76106}},
    {"menagerie/shadow_hand/assets/palm.obj",
     MeshMass::shell,
     5957,
     11668,
     34324189.04317218,
     {54362651066.86111, 41668521090.29404, 19728162085.628483}},
    {"menagerie/unitree_g1/assets/pelvis.STL",
     MeshMass::legacy,
     10620,
     21216,
     1.4819655878208562,
     {0.003789653332161469, 0.003062600316622368, 0.00263638536105299}},
    {"menagerie/unitree_g1/assets/pelvis.STL",
     MeshMass::convex,
     10620,
     21216,
     1.534279649125478,
     {0.0041426903170585306, 0.003349975759324235, 0.002865370362252421}},
    {"menagerie/unitree_g1/assets/pelvis.STL",
     MeshMass::shell,
     10620,
     21216,
     80.04725696975738,
     {0.3191671458774184, 0.26533928809000606, 0.2380215961677368}},
    {"menagerie/unitree_g1/assets/torso_link_rev_1_0.STL",
     MeshMass::legacy,
     25663,
     51410,
     18.711234306449978,
     {0.13903243855381778, 0.11457764677711729, 0.07028724186221623}},
    {"menagerie/unitree_g1/assets/torso_link_rev_1_0.STL",
     MeshMass::convex,
     25663,
     51410,
     7.0683183096937725,
     {0.06606101808943693, 0.05542644926919086, 0.0295016514634561}},
    {"menagerie/unitree_g1/assets/torso_link_rev_1_0.STL",
     MeshMass::shell,
     25663,
     51410,
     752.8837850726931,
     {8.252061944359232, 6.812288809776372, 4.457451045909662}},
    {"mujoco/model/cards/assets/card.obj",
     MeshMass::legacy,
     40,
     76,
     0.0014991631178322398,
     {1.6059709446199307e-06, 1.0972449405772869e-06, 5.087416203266046e-07}},
    {"mujoco/model/cards/assets/card.obj",
     MeshMass::exact,
     40,
     76,
     0.0014991631178322398,
     {1.6059709446199307e-06, 1.0972449405772869e-06, 5.087416203266046e-07}},
    {"mujoco/model/cards/assets/card.obj",
     MeshMass::convex,
     40,
     76,
     0.0014991631178322392,
     {1.6059709446199305e-06, 1.0972449405772864e-06, 5.087416203266046e-07}},
    {"mujoco/model/cards/assets/card.obj",
     MeshMass::shell,
     40,
     76,
     12.070309836254387,
     {0.013005409509977353, 0.008878821733806127, 0.0041269633691088025}},
    {"menagerie/wonik_allegro/assets/base_link.stl",
     MeshMass::legacy,
     1615,
     3276,
     0.4391955636938062,
     {0.0005596208435955642, 0.0003758389361297491, 0.00030443147004387267}},
    {"menagerie/wonik_allegro/assets/base_link.stl",
     MeshMass::convex,
     1615,
     3276,
     0.37933968608926444,
     {0.0005857164568887561, 0.0003771414933832939, 0.0003135811637585716}},
    {"menagerie/wonik_allegro/assets/base_link.stl",
     MeshMass::shell,
     1615,
     3276,
     51.8528694619409,
     {0.0920614394249677, 0.06728095975018768, 0.050947070103022934}},
};

}  // namespace

TEST(MeshMujoco, small_meshes_weigh_what_they_weigh_there)
{
    const double kTolerance = 1e-9;
    EXPECT_NEAR(legacy_mass(kCube + kSides), 1000, kTolerance);
    EXPECT_NEAR(legacy_mass(kCube + "v 2 0 0\nf 1 9 3 4\n" + kSides), 1216.6666666666663, kTolerance);
    EXPECT_NEAR(legacy_mass(kCube + "v 5 5 0\nf 1 2 9 4\n" + kSides), 1619.9654775604142, kTolerance);
    EXPECT_NEAR(legacy_mass(kCube + "v 1.5 0.5 0\nf 1 2 9 3 4\n" + kSides), 1184.0348208248818, kTolerance);
    EXPECT_NEAR(legacy_mass(kCube + "f -5 -6 -7 -8\n" + kSides), 1150.2976190476188, kTolerance);
    EXPECT_NEAR(legacy_mass(kCube + "g a\nf 4 3 2 1\nf 5 6 7 8\ng b\nf 1 2 6 5\n"), 333.3333333333333, kTolerance);
    EXPECT_NEAR(legacy_mass(kCube + "usemtl a\nf 4 3 2 1\nf 5 6 7 8\nusemtl b\nf 1 2 6 5\n"), 454.8611111111111,
                kTolerance);
    EXPECT_NEAR(legacy_mass(kCube + "f 1 1 2\nv 0 0 0\nv 9 9 9\n" + kSides), 1000, kTolerance);
}

TEST(MeshMujoco, files_of_the_menagerie_have_its_counts_masses_and_moments)
{
    const char* const folder = std::getenv("RATTLEBACK_DATA");
    const std::filesystem::path data =
        folder != nullptr ? std::filesystem::path(folder) : source_folder() / ".." / "shared" / "data";
    if (!std::filesystem::exists(data / "mjcf")) GTEST_SKIP() << "no data in " << data;
    for (const Answer& answer : kAnswers)
    {
        const Result<MeshOptions> mesh = load_mesh_file(data / "mjcf" / answer.file);
        ASSERT_TRUE(mesh.ok()) << to_text(mesh.errors());
        EXPECT_EQ(mesh.value().vertices.size(), answer.vertices) << answer.file;
        EXPECT_EQ(mesh.value().triangles.size(), answer.triangles) << answer.file;
        const Result<MassProperties> mass = compute_mass(ShapeType::mesh, {}, &mesh.value(), answer.rule, kDensity);
        ASSERT_TRUE(mass.ok()) << answer.file << ": " << to_text(mass.errors());
        EXPECT_NEAR(mass.value().mass / answer.mass, 1, 1e-9) << answer.file;
        const Vec3 moments = find_principal_axes(mass.value().inertia).moments;
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(moments[i] / answer.moments[i], 1, 1e-9) << answer.file;
    }
}

}  // namespace rattleback
