// The chain of a bicycle: every pitch a pin, a roller and two plates, around a driven and a loose sprocket. Nothing but
// clearances holds the 138 bodies together.
#include "base/index.h"
#include "lab/scenes/ipc/families.h"
#include "lab/scenes/ipc/kit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kPitch = 12.7e-3, kRollerOut = 3.9e-3, kRivet = 1.8e-3, kPlatePlay = 5e-5;  // [m]
constexpr double kRollerHalf = 1.5e-3, kFoot = 5e-5, kPlate = 1e-3, kSide = 1e-4;            // along the axis
constexpr double kInnerPlate = kRollerHalf + kSide + kFoot, kOuterPlate = kInnerPlate + kPlate + kSide + kFoot;
constexpr double kHubPin = 8e-3, kHubPlay = 1e-4;
constexpr int kPitches = 34, kCogs = 14, kStraightPitches = (kPitches - kCogs) / 2, kChainAround = 56, kRivetSides = 24;
const Vec3 kChainAxis{0, 0, 1};

double find_pitch_radius() { return 0.5 * kPitch / std::sin(kPi / kCogs); }

/// Centres of all pins along the chain: half around the right sprocket, straight, half around the left, straight.
std::vector<Corner> list_rivets()
{
    const double radius = find_pitch_radius(), far = 0.5 * kStraightPitches * kPitch;
    std::vector<Corner> rivets;
    for (const double side : {1.0, -1.0})
    {
        for (int k = 0; k < kCogs / 2; ++k)
        {
            const double angle = side * kPi / 2 - 2 * kPi * k / kCogs;
            rivets.push_back({side * far + radius * std::cos(angle), radius * std::sin(angle)});
        }
        for (int k = 0; k < kStraightPitches; ++k) rivets.push_back({side * (far - k * kPitch), -side * radius});
    }
    return rivets;
}

/// Seats for rollers with straight flanks between; the first seat straight up.
std::vector<Corner> make_sprocket()
{
    const double radius = find_pitch_radius(), seat = kRollerOut + 1e-4, open = kPi / 9;
    std::vector<Corner> outline;
    for (int cog = 0; cog < kCogs; ++cog)
    {
        const double angle = kPi / 2 + 2 * kPi * cog / kCogs;
        const auto put = [&](double across, double out)
        {
            const double c = std::cos(angle), s = std::sin(angle);
            outline.push_back({(radius + out) * c - across * s, (radius + out) * s + across * c});
        };
        put(-(kPitch / 2 - 1.1e-3), 2.4e-3);
        for (int i = 0; i <= 16; ++i)
        {
            const double turn = kPi + open + (kPi - 2 * open) * i / 16;
            put(seat * std::cos(turn), seat * std::sin(turn));
        }
        put(kPitch / 2 - 1.1e-3, 2.4e-3);
    }
    return outline;
}

/// A sprocket of this half thickness with a round hole or none. Its teeth are bevelled towards their tips, as those of
/// real ones are: the chain has play along its pins, and a tooth that comes up between two plates must find its way.
MeshOptions make_sprocket_solid(double half, const std::vector<std::vector<Corner>>& holes)
{
    const std::vector<Corner> outline = make_sprocket();
    const double most = find_pitch_radius() - 1e-3;
    std::vector<Corner> rim = outline;
    for (auto& [x, y] : rim)
    {
        const double scale = std::min(1.0, most / std::hypot(x, y));
        x *= scale;
        y *= scale;
    }
    // Caps and holes of a plate over what is left of the teeth; its outer wall gives way to two slopes and a narrow
    // wall between them.
    MeshOptions mesh = make_plate(rim, holes, -half, half);
    const int count = static_cast<int>(outline.size()), total = static_cast<int>(mesh.vertices.size()) / 2;
    std::erase_if(mesh.triangles,
                  [&](const std::array<int, 3>& t)
                  {
                      int high = 0;
                      for (const int v : t)
                      {
                          if (v % total >= count) return false;
                          high += v >= total ? 1 : 0;
                      }
                      return high == 1 || high == 2;
                  });
    const int low_ring = 2 * total, high_ring = low_ring + count;
    for (const double z : {-half / 3, half / 3})
        for (const auto& [x, y] : outline) mesh.vertices.push_back({x, y, z});
    for (int k = 0; k < count; ++k)
    {
        const int next = (k + 1) % count;
        for (const auto& [low, high] : {std::pair(0, low_ring), {low_ring, high_ring}, {high_ring, total}})
        {
            mesh.triangles.push_back({low + k, low + next, high + next});
            mesh.triangles.push_back({low + k, high + next, high + k});
        }
    }
    return mesh;
}

struct ChainMeshes
{
    MeshId rivet, roller, inner, outer, inner_foot, outer_foot;
};

ChainMeshes add_chain_meshes(Kit& kit)
{
    const double head = kOuterPlate + kPlate + kFoot + kSide;
    ChainMeshes meshes;
    meshes.rivet = kit.add_mesh("rivet", make_pin({.shaft = kRivet,
                                                   .collar = kRivet + 9e-4,
                                                   .low = -head,
                                                   .high = head,
                                                   .cap = 8e-4,
                                                   .around = kRivetSides,
                                                   .both = true}));
    meshes.roller = kit.add_mesh("roller", make_ring(find_bore(kRivet, kPlatePlay, kChainAround), kRollerOut,
                                                     kChainAround, -kRollerHalf, kRollerHalf));
    const auto plate = [](double low)
    {
        return make_eyed_bar(kPitch, 4.1e-3, {.shaft = kRivet, .play = kPlatePlay, .around = kChainAround}, low,
                             low + kPlate);
    };
    meshes.inner = kit.add_mesh("inner plate", plate(kInnerPlate));
    meshes.outer = kit.add_mesh("outer plate", plate(kOuterPlate));
    const std::vector<Corner> foot = make_circle(2e-4, 4);
    const double outside = kOuterPlate + kPlate;
    meshes.inner_foot = kit.add_mesh("inner foot", make_prism(foot, kInnerPlate - kFoot, kInnerPlate + kPlate + kFoot));
    meshes.outer_foot = kit.add_mesh("outer foot", make_prism(foot, outside - kPlate / 2, outside + kFoot));
    return meshes;
}

/// A plate with three feet around each eye: what lies beside it touches these, not all of its side.
void add_plate(Kit& kit, const std::string& name, const ChainMeshes& meshes, bool inner, const SolidOptions& options)
{
    const BodyId plate = kit.add_solid(name, inner ? meshes.inner : meshes.outer, options);
    const Mesh foot{inner ? meshes.inner_foot : meshes.outer_foot, MeshCollide::exact, MeshMass::exact};
    for (const double eye : {0.0, kPitch})
        for (const auto& [x, y] : make_circle(kRivet + 5.5e-4, 3, eye == 0 ? kPi / 3 : 0))
            kit.add_shape(plate, foot, {eye + x, y, 0}, {}, 7850);
}

/// Rivets, rollers and plates; every second link has its plates inside.
void add_bicycle_chain(Kit& kit)
{
    const ChainMeshes meshes = add_chain_meshes(kit);
    const std::vector<Corner> rivets = list_rivets();
    const Quat over = from_axis_angle({1, 0, 0}, kPi);
    for (int i = 0; i < kPitches; ++i)
    {
        const std::string number = " " + std::to_string(i + 1);
        const Corner &here = rivets[at(i)], &next = rivets[at((i + 1) % kPitches)];
        const Vec3 place{here[0], here[1], 0};
        kit.add_solid("rivet" + number, meshes.rivet, {.position = place, .density = 7850});
        kit.add_solid("roller" + number, meshes.roller, {.position = place, .density = 7850});
        const Quat along = from_axis_angle(kChainAxis, std::atan2(next[1] - here[1], next[0] - here[0]));
        // Turned over, the bar would lie along the way back: it is turned about its own length instead.
        for (const bool front : {true, false})
            add_plate(kit, (front ? "front plate" : "back plate") + number, meshes, i % 2 == 0,
                      {.position = place, .rotation = front ? along : along * over, .density = 7850});
    }
}

Result<Model> build_bicycle()
{
    Kit kit("bike_chain", {.dhat = 1e-5, .gravity = {0, -9.81, 0}});
    const double far = 0.5 * kStraightPitches * kPitch, thick = 1.2e-3;
    const Vec3 driven{far, 0, 0}, loose{-far, 0, 0};
    const BodyId driver = kit.add_solid("driver", make_sprocket_solid(thick, {}),
                                        {.position = driven, .density = 7850, .kind = BodyKind::kinematic});
    // From rest to a quarter of a turn a second within half a second.
    kit.add_turning(
        driver, {driven, {}}, kChainAxis, [](double t) { return 0.5 * kPi * (t < 0.5 ? t * t : t - 0.25); }, 6, 0.01);
    kit.add_solid("loose sprocket", make_sprocket_solid(thick, {make_bore(kHubPin, kHubPlay, kChainAround)}),
                  {.position = loose, .density = 7850});
    // The axle of the loose one is the world's.
    kit.add_part(kWorld,
                 make_pin({.shaft = kHubPin,
                           .collar = kHubPin + 4e-3,
                           .low = -thick - kSide,
                           .high = thick + kSide,
                           .cap = 2e-3,
                           .around = kChainAround,
                           .both = true}),
                 loose);
    add_bicycle_chain(kit);
    return kit.finish();
}

/// Rivets stay in the eyes of all four plates and in their rollers, and the loose sprocket is driven along.
IpcVerdict judge_bicycle(const IpcRun& run)
{
    double worst = 0;
    for (int i = 0; i < kPitches; ++i)
    {
        const auto body = [&](const char* kind, int number)
        { return run.body(std::string(kind) + " " + std::to_string((number + kPitches) % kPitches + 1)); };
        const AxisOf rivet{.body = body("rivet", i), .point = {}};
        const auto middle = [&](int link, double x)
        { return Vec3{x, 0, (link % 2 == 0 ? kInnerPlate : kOuterPlate) + kPlate / 2}; };
        worst = std::max(worst, find_largest_offset(run, body("roller", i), {}, rivet));
        for (const char* kind : {"front plate", "back plate"})
        {
            const int before = (i + kPitches - 1) % kPitches;
            worst = std::max({worst, find_largest_offset(run, body(kind, i), middle(i, 0), rivet),
                              find_largest_offset(run, body(kind, before), middle(before, kPitch), rivet)});
        }
    }
    const double driver = find_turns(run, run.body("driver"), kChainAxis).back();
    const double lag = driver - find_turns(run, run.body("loose sprocket"), kChainAxis).back();
    // Play of all joints of one straight run, of the rollers in their seats, over the pitch radius.
    const double slack = (4 * kStraightPitches * kPlatePlay + 1e-3) / find_pitch_radius();
    return make_verdict(worst < find_largest_play(kRivet, kPlatePlay, kChainAround, kRivetSides),
                        "farthest of an eye from its rivet", worst, "m") &&
           make_verdict(std::abs(lag) < slack && driver > 0, "lag of the loose sprocket", lag, "rad");
}

constexpr std::array kBicycle = {
    IpcScene{{"ipc/bike_chain", "a chain of 34 pitches, four parts each, around two sprockets", 5, "contact",
              &build_bicycle},
             "2",
             &judge_bicycle},
};

}  // namespace

std::span<const IpcScene> bicycle_scenes() { return kBicycle; }

}  // namespace rattleback::lab
