// Bodies are numbered as in the files, from 1; y is up.
#include "lab/scenes/ipc/public_criteria.h"

#include "lab/scenes/ipc/kit.h"
#include "lab/scenes/ipc/links.h"
#include "lab/scenes/ipc/public_mechanisms.h"
#include "math/finite.h"
#include "math/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rattleback::lab
{

namespace public_scene
{

constexpr double kG = 9.8;

/// The first bodies up to `end`, links whose solid meshes have their straights along y.
static IpcVerdict judge_first_links(const IpcRun& run, std::size_t end, double bend, double straight)
{
    std::vector<Vec3> corners = make_link_corners(bend, straight);
    for (Vec3& corner : corners) corner = {-corner.y, corner.x, 0};
    std::vector<LinkLine> lines;
    for (std::size_t b = 1; b < end; ++b) lines.push_back(find_link_line(*run.model, b, corners));
    return judge_links(run, lines);
}

/// torus.obj, or the wire circle.obj.
static IpcVerdict judge_rings(const IpcRun& run) { return judge_first_links(run, run.start().pose.size(), 0.4, 0); }

// Of link.obj: two half circles of radius 0.4 about (0, +-0.25).
constexpr double kBend = 0.4, kStraight = 0.5;

static IpcVerdict judge_net(const IpcRun& run)
{
    return judge_first_links(run, run.start().pose.size(), kBend, kStraight);
}

/// How far bodies from this one on have moved sideways at most, in frames before `end`.
static double find_sideways(const IpcRun& run, std::size_t first, std::size_t end)
{
    double sideways = 0;
    for (std::size_t f = 0; f < end; ++f)
    {
        for (std::size_t b = first; b < run.start().pose.size(); ++b)
        {
            const Vec3 moved = run.frames[f].pose[b].position - run.start().pose[b].position;
            sideways = std::max(sideways, std::hypot(moved.x, moved.z));
        }
    }
    return sideways;
}

/// No energy comes from nowhere: beyond what barriers lend, and rounding of what only turns.
static IpcVerdict judge_energy(const IpcRun& run)
{
    // Without gravity all of it is motion.
    double lowest = run.start().energy;
    for (const IpcFrame& frame : run.frames) lowest = std::min(lowest, frame.energy);
    const double fall = std::max(run.start().energy - lowest, 1e-12);
    const double scale = run.model->settings.gravity == Vec3{} ? run.start().energy : fall;
    const double gain = find_energy_gain(run) * fall / std::max(scale, 1e-12);
    return make_verdict(gain < 0.01, "energy gained over its scale", gain, "");
}

/// Cubes of 1 m stand over each other on a plane at -1 m, each joint no wider than the barrier reaches.
static IpcVerdict judge_cubes(const IpcRun& run)
{
    const double sideways = find_sideways(run, 1, run.frames.size());
    const double reach = find_ipc_parameter(*run.model, "dhat", 1e-3);
    double height = 0;
    for (std::size_t b = 1; b <= 5; ++b)
        height = std::max(height, std::abs(run.end().pose[b].position.y - (static_cast<double>(b) - 1.5)));
    return make_verdict(sideways < 1e-3, "sideways", sideways, "m") &&
           make_verdict(run.end().time < 5 || height < 5 * reach, "off the ideal height", height, "m");
}

static IpcVerdict judge_mass_ratio(const IpcRun& run)
{
    const double speed = speed_of(run.end(), 3), least = run.least_distance();
    return make_verdict(least > 0, "gap", least, "m") &&
           make_verdict(run.end().time < 5 || speed < 0.01, "speed of the heavy cube", speed, "m/s");
}

/// The corner of a cube's size less 1 mm stands on the bottom of its slot.
static IpcVerdict judge_corner(const IpcRun& run)
{
    constexpr double kBottom = -0.5 + 0.999 / 4;  // the height of its centre there [m]
    const double speed = speed_of(run.end(), 5), above = run.end().pose[5].position.y - kBottom;
    const bool fell = run.end().time >= 2;
    return make_verdict(!fell || std::abs(above) < 1e-3, "above the bottom of the slot", above, "m") &&
           make_verdict(!fell || speed < 0.01, "speed of the corner", speed, "m/s");
}

/// Things meet, and every step converges.
static IpcVerdict judge_meeting(const IpcRun& run)
{
    const double least = run.least_distance();
    return make_verdict(least > 0 && std::isfinite(least), "least distance", least, "m") && judge_every_step(run);
}

static IpcVerdict judge_wall(const IpcRun& run)
{
    double farthest = -HUGE_VAL;
    for (const IpcFrame& frame : run.frames) farthest = std::max(farthest, frame.pose[2].position.x);
    return make_verdict(farthest < 0, "farthest place of the centre", farthest, "m");
}

static IpcVerdict judge_tunnel(const IpcRun& run)
{
    const std::size_t cube = run.start().pose.size() - 1;
    const double kept = run.end().speed[cube].linear.z / run.start().speed[cube].linear.z;
    return make_verdict(kept > 0.95 && kept < 1.05, "part of the speed kept", kept, "");
}

constexpr double kSlope = 26.565 * kPi / 180;

/// How far the lower side's middle has gone down the slope since a frame.
static double find_slid(const IpcRun& run, const IpcFrame& since)
{
    const Vec3 side{0, -0.5, 0}, down = {std::cos(kSlope), -std::sin(kSlope), 0};
    const auto place = [&](const IpcFrame& frame)
    { return frame.pose[1].position + rotate(frame.pose[1].rotation, side); };
    return dot(down, place(run.end()) - place(since));
}

/// Since it has landed.
static const IpcFrame& find_landed(const IpcRun& run)
{
    const auto found = std::find_if(run.frames.begin(), run.frames.end() - 1,
                                    [](const IpcFrame& frame) { return frame.time >= 0.25 - 1e-9; });
    return *found;
}

/// As far as the plane goes.
static IpcVerdict judge_sliding_slope(const IpcRun& run)
{
    constexpr double kPlane = 4;  // [m]
    double ratio = 1;
    for (const IpcFrame& frame : run.frames)
    {
        const double t = frame.time, slid = -find_slid(run, frame) + find_slid(run, run.start());
        if (slid > kPlane) break;
        if (t > 1) ratio = slid / (0.5 * kG * (std::sin(kSlope) - 0.49 * std::cos(kSlope)) * t * t);
    }
    return make_verdict(std::abs(ratio - 1) < 0.1, "slid over the closed form", ratio, "");
}

static IpcVerdict judge_holding_slope(const IpcRun& run)
{
    const IpcFrame& since = find_landed(run);
    const double most = find_ipc_parameter(*run.model, "static_speed", 1e-3) * (run.end().time - since.time);
    const double slid = find_slid(run, since) / std::max(most, 1e-12);
    return make_verdict(std::abs(slid) < 1, "crept over eps_v t", slid, "");
}

/// It is braked by mu g, 0.05 of the weight, as far as the plane goes.
static IpcVerdict judge_sliding(const IpcRun& run)
{
    constexpr double kPlane = 9;  // [m]
    double ratio = 1;
    for (const IpcFrame& frame : run.frames)
        if (frame.pose[1].position.x < kPlane) ratio = frame.speed[1].linear.x / (10 - 0.05 * kG * frame.time);
    return make_verdict(std::abs(ratio - 1) < 0.01, "speed over the closed form", ratio, "");
}

/// The disc is driven by a torque; the box falls on it and is carried along, until it slips where sqrt(alpha^2 +
/// omega^4) r passes mu g, within 5 %.
static IpcVerdict judge_disc(const IpcRun& run)
{
    constexpr double kSlides = 2e-3, kHeld = 0.5 * kG;  // [m/s], [m/s^2]
    double needed = 0, slips = -1;
    bool sticks = false;
    for (std::size_t i = 1; i < run.frames.size() && slips < 0; ++i)
    {
        const IpcFrame &now = run.frames[i], &before = run.frames[i - 1];
        const double step = now.time - before.time;
        const Quat turn = now.pose[1].rotation * conjugate(before.pose[1].rotation);
        const Vec3 way = now.pose[2].position - rotate(turn, before.pose[2].position);
        const bool slides = norm(way) > kSlides * step;
        sticks = sticks || !slides;
        if (sticks && slides) slips = now.time;
        if (slips >= 0) continue;
        const double omega = now.speed[1].angular.y, alpha = (omega - before.speed[1].angular.y) / step;
        needed = std::hypot(now.pose[2].position.x, now.pose[2].position.z) * std::hypot(alpha, omega * omega) / kHeld;
    }
    return make_verdict(sticks && (slips < 0 ? needed < 1.05 : std::abs(needed - 1) < 0.05),
                        slips < 0 ? "sticks to the end, at this much of what friction holds"
                                  : "slips at this much of what friction holds",
                        needed, "");
}

/// Nothing carries the box along: it stays where it is while the disc turns under it.
static IpcVerdict judge_smooth_disc(const IpcRun& run)
{
    const double sideways = norm(run.end().pose[2].position - run.start().pose[2].position);
    const double turned = find_turns(run, 1, {0, 1, 0}).back();
    return make_verdict(sideways < 0.15, "moved with its fall", sideways, "m") &&
           make_verdict(turned > 0.5, "turn of the disc", turned, "rad");
}

/// Once the gaps of the file have closed nothing moves any more: in the second half of a run of 15 s and more.
static IpcVerdict judge_arch(const IpcRun& run)
{
    const IpcFrame& half = run.frames[run.frames.size() / 2];
    double moved = 0;
    for (std::size_t b = 1; b < half.pose.size(); ++b)
        moved = std::max(moved, norm(run.end().pose[b].position - half.pose[b].position));
    return make_verdict(run.end().time < 15 || moved < 1e-3, "moved in the second half", moved, "m");
}

/// The bottom row stands: cards whose centres begin below 2 m.
static IpcVerdict judge_cards(const IpcRun& run)
{
    double turned = 0, iterations = 0;
    for (std::size_t b = 1; b < run.start().pose.size(); ++b)
    {
        const Pose &start = run.start().pose[b], &end = run.end().pose[b];
        if (start.position.y < 2) turned = std::max(turned, norm(logarithm(end.rotation * conjugate(start.rotation))));
    }
    for (const IpcFrame& frame : run.frames) iterations += frame.iterations;
    iterations /= static_cast<double>(std::max<std::size_t>(1, run.frames.size() - 1));
    return make_verdict(turned < 0.1, "largest turn of a card of the bottom row", turned, "rad") &&
           make_verdict(iterations < 200, "iterations a step", iterations, "");
}

/// Links stay linked, the last one with half a link on the ball, and the wall stands until the ball's centre is within
/// 4 m of a box's: bodies from 16 on are its boxes, 1 m wide.
static IpcVerdict judge_wrecking(const IpcRun& run)
{
    constexpr std::size_t kBall = 14, kFirst = 16;
    constexpr double kNear = 4;  // [m]
    std::size_t end = 0;
    const auto is_hit = [&](const IpcFrame& frame)
    {
        return std::any_of(frame.pose.begin() + kFirst, frame.pose.end(),
                           [&](const Pose& box) { return norm(box.position - frame.pose[kBall].position) < kNear; });
    };
    while (end < run.frames.size() && !is_hit(run.frames[end])) ++end;
    const double sideways = find_sideways(run, kFirst, end);
    return judge_first_links(run, kBall + 1, kBend, kStraight) &&
           make_verdict(sideways < 1e-3, "sideways before the ball", sideways, "m");
}

/// The block rises with the middle piece, for the 4 s that it is drawn.
static IpcVerdict judge_lewis(const IpcRun& run)
{
    double behind = 0;
    for (const IpcFrame& frame : run.frames)
    {
        if (frame.time > 4) break;
        const double key = frame.pose[1].position.y - run.start().pose[1].position.y;
        behind = std::max(behind, key - (frame.pose[6].position.y - run.start().pose[6].position.y));
    }
    return make_verdict(behind < 0.1, "the block is behind the key by", behind, "m");
}

/// Travel along the axis goes with the turn, by the pitch of the thread, within its play.
static IpcVerdict judge_bolt(const IpcRun& run)
{
    // The crests of the mesh (beyond 2.7 of its units of 1 cm) lie on a helix of this pitch, to 0.03 mm [m].
    constexpr double kPitch = 13.28e-3;
    // How far the screw goes with its turn about the axis held (fixed rotation y), gravity first down, then up [m].
    constexpr double kPlay = 1.35e-3;
    const std::vector<double> turn = find_turns(run, 2, {0, 1, 0});
    double worst = 0;
    for (std::size_t i = 0; i < turn.size(); ++i)
    {
        const double travel = run.frames[i].pose[2].position.y - run.start().pose[2].position.y;
        worst = std::max(worst, std::abs(travel - kPitch / (2 * kPi) * turn[i]));
    }
    return make_verdict(worst < kPlay, "off the screw rule", worst, "m") &&
           make_verdict(std::abs(turn.back()) > 0.5, "turned", turn.back(), "rad");
}

static IpcVerdict judge_gears(const IpcRun& run)
{
    const double first = find_turns(run, 1, {0, 0, 1}).back(), second = find_turns(run, 2, {0, 0, 1}).back();
    return make_verdict(std::abs(first + second) < 0.2 && std::abs(first) > 1, "lag of the second gear", first + second,
                        "rad");
}

struct PublicCriterion
{
    std::string_view name;  ///< that the file's begins with
    IpcVerdict (*judge)(const IpcRun&);
};

constexpr std::array kCriteria = {
    PublicCriterion{"5-cubes", &judge_cubes},
    PublicCriterion{"large-mass-ratio", &judge_mass_ratio},
    PublicCriterion{"tet-corner", &judge_corner},
    PublicCriterion{"tunneling", &judge_wall},
    PublicCriterion{"2-walls", &judge_tunnel},
    PublicCriterion{"4-walls", &judge_tunnel},
    PublicCriterion{"slopeTest_highSchoolPhysics_mu=0.49", &judge_sliding_slope},
    PublicCriterion{"slopeTest_highSchoolPhysics_mu=0.5", &judge_holding_slope},
    PublicCriterion{"sliding-", &judge_energy},  // of the unit tests
    PublicCriterion{"sliding", &judge_sliding},
    PublicCriterion{"turntable-mu=0.0", &judge_smooth_disc},
    PublicCriterion{"turntable-mu=0.5", &judge_disc},
    PublicCriterion{"arch", &judge_arch},
    PublicCriterion{"card", &judge_cards},
    PublicCriterion{"wrecking-ball", &judge_wrecking},
    PublicCriterion{"493-Lewis", &judge_lewis},
    PublicCriterion{"bolt", &judge_bolt},
    PublicCriterion{"single-kinematic", &judge_gears},
    PublicCriterion{"3-link", &judge_rings},
    PublicCriterion{"5-links", &judge_rings},
    PublicCriterion{"chain-net", &judge_net},
    PublicCriterion{"092-piston", &judge_public_piston},
    PublicCriterion{"140-punching", &judge_public_press},
    PublicCriterion{"kinematically-scripted", &judge_public_script},
    PublicCriterion{"kinematic", &judge_public_pusher},
    PublicCriterion{"edge-edge", &judge_meeting},
    PublicCriterion{"vertex", &judge_meeting},
    PublicCriterion{"face-vertex", &judge_meeting},
};

}  // namespace public_scene

IpcVerdict judge_public_scene(std::string_view name, const IpcRun& run)
{
    const auto is_odd = [](const IpcFrame& frame)
    { return !std::all_of(frame.pose.begin(), frame.pose.end(), [](const Pose& pose) { return is_finite(pose); }); };
    const auto odd = std::count_if(run.frames.begin(), run.frames.end(), is_odd);
    if (odd > 0) return make_verdict(false, "frames with poses that are no numbers", static_cast<double>(odd), "");
    const auto* criterion = std::find_if(public_scene::kCriteria.begin(), public_scene::kCriteria.end(),
                                         [&](const auto& each) { return name.starts_with(each.name); });
    IpcVerdict verdict =
        criterion != public_scene::kCriteria.end() ? criterion->judge(run) : public_scene::judge_energy(run);
    const double separation = find_ipc_parameter(*run.model, "dmin"), least = run.least_distance();
    if (separation <= 0) return verdict;
    return verdict && make_verdict(least >= separation, "least distance, of which d_min is kept", least, "m");
}

}  // namespace rattleback::lab
