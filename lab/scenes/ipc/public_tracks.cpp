// The two examples of bodies that follow tracks: these are followed to rounding, and cubes fly freely in between.
#include "lab/scenes/ipc/kit.h"
#include "lab/scenes/ipc/public_mechanisms.h"
#include "math/rotation.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kRounding = 1e-9;  // [m], [m/s] and [rad], of a few metres and hundreds of steps

/// How far a body is off free flight by the steps of implicit Euler, v' = v + a h and x' = x + h v', wherever nothing
/// is within reach of anything, before and after: a step that leaves a contact is only solved to the tolerance. A run
/// without such steps is infinitely far off.
double find_flight_error(const IpcRun& run, std::size_t body, const Vec3& acceleration)
{
    const double h = run.model->settings.dt;
    double error = 0;
    bool flies = false;
    for (std::size_t i = 1; i < run.frames.size(); ++i)
    {
        const IpcFrame &before = run.frames[i - 1], &now = run.frames[i];
        if (before.least_distance < HUGE_VAL || now.least_distance < HUGE_VAL) continue;
        flies = true;
        const double steps = std::round((now.time - before.time) / h), time = steps * h;
        const Vec3 speed = before.speed[body].linear + time * acceleration;
        const Vec3 place =
            before.pose[body].position + time * before.speed[body].linear + 0.5 * time * (time + h) * acceleration;
        error = std::max({error, norm(now.speed[body].linear - speed), norm(now.pose[body].position - place)});
    }
    return flies ? error : HUGE_VAL;
}

double find_pose_error(const Pose& pose, const Pose& ideal)
{
    return std::max(norm(pose.position - ideal.position), norm(logarithm(pose.rotation * conjugate(ideal.rotation))));
}

}  // namespace

// Bodies 2, a cube of 10^4 kg at -2 m/s with -10^6 N on it, and 3, a plane that comes from x = -2.5 m at 1 m/s. The
// plane leaves the cube 1 m, as much as it needs, before the wall at x = 2.5 m until 4 s.
IpcVerdict judge_public_pusher(const IpcRun& run)
{
    constexpr double kFull = 3.99;  // then d-hat on both sides and the cube are more than there is [s]
    double off = 0, behind = 0;
    int open = 0;
    for (const IpcFrame& frame : run.frames)
    {
        if (frame.time > kFull - kRounding) break;
        open += frame.converged ? 0 : 1;
        Pose ideal = run.start().pose[3];
        ideal.position.x += frame.time;
        off = std::max(off, find_pose_error(frame.pose[3], ideal));
        // After the blow, at 0.17 s, it is carried along.
        if (frame.time > 0.5) behind = std::max(behind, std::abs(frame.speed[2].linear.x - 1));
    }
    const double flight = find_flight_error(run, 2, {-100, 0, 0});
    return make_verdict(open == 0, "steps not converged", open, "") &&
           make_verdict(off < kRounding, "plane off its track", off, "") &&
           make_verdict(flight < kRounding, "off free flight", flight, "") &&
           make_verdict(behind < 1e-3, "carried cube off the plane's speed", behind, "m/s");
}

// Bodies 3, a cube that falls from y = 3 m at -10 m/s, and 4, one that is at y = 1, 2, 3 m after one, two, three steps
// and then turns about x by 1500 deg/s.
IpcVerdict judge_public_script(const IpcRun& run)
{
    // Farther apart the two cubes cannot touch: that leaves 4 mm to d-hat.
    const double h = run.model->settings.dt, apart = std::sqrt(3.0) + 4e-3;
    double off = 0, fastest = 0, gain = 0;
    const IpcFrame* before = nullptr;
    for (const IpcFrame& frame : run.frames)
    {
        const double turn = 1500 * kPi / 180 * std::max(frame.time - 3 * h, 0.0);
        const Pose ideal{{0, std::min(frame.time / h, 3.0), 0}, exponential(Vec3{turn, 0, 0})};
        off = std::max(off, find_pose_error(frame.pose[4], ideal));
        fastest = std::max(fastest, speed_of(frame, 3));
        const auto is_alone = [&](const IpcFrame& f) { return norm(f.pose[3].position - f.pose[4].position) > apart; };
        if (before != nullptr && is_alone(*before) && is_alone(frame))
            gain = std::max(gain, frame.energy - before->energy);
        before = &frame;
    }
    const double flight = find_flight_error(run, 3, {0, -9.8, 0});
    // Barriers give back what has lifted it by their reach; of 10^5 J rounding is far below a millijoule.
    const double lent = run.model->bodies.mass[3] * 9.8 * find_ipc_parameter(*run.model, "dhat") + 1e-3;
    // What moves at 100 m/s gives a body at -10 m/s 210 m/s at most.
    return make_verdict(off < kRounding, "cube off its track", off, "") &&
           make_verdict(flight < kRounding, "off free flight", flight, "") &&
           make_verdict(fastest < 210, "fastest", fastest, "m/s") &&
           make_verdict(gain < lent, "energy gained where no track is near", gain, "J") && judge_every_step(run);
}

}  // namespace rattleback::lab
