// Places and radii are read off the meshes, in their units. A bore or a pin is a ring of vertices about z: its centre
// and the radius of its corners are those of the circle that fits them, its flats are its sides' nearest distance from
// the centre.
#include "lab/scenes/ipc/public_mechanisms.h"

#include "lab/scenes/ipc/kit.h"
#include "math/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace rattleback::lab
{

namespace
{

/// A point of the mesh of a body in the body's frame.
Vec3 find_in_body(const IpcRun& run, std::size_t body, const Vec3& in_mesh)
{
    const Pose& mesh = run.model->shapes.pose[find_first_shape(*run.model, body)];
    return mesh.position + rotate(mesh.rotation, in_mesh);
}

/// A bore and the pin in it, both along z, in units of the file.
struct PinJoint
{
    std::size_t eye = 0;    ///< body with the bore
    Vec3 bore;              ///< its middle
    double corners = 0;     ///< of the bore, radius
    std::size_t shaft = 0;  ///< body with the pin
    Vec3 pin;               ///< a point of its axis
    double flats = 0;       ///< of the pin, radius

    /// How far the bore's middle can be from the pin's axis: in the plane of that middle the pin fills a disc of its
    /// flats' radius, however it leans, and the bore is within the circle of its corners.
    constexpr double clearance() const { return corners - flats; }
};

/// The largest play over the clearance, of all joints in any frame, with meshes scaled so.
double find_largest_use(const IpcRun& run, std::span<const PinJoint> joints, double scale)
{
    double largest = 0;
    for (const PinJoint& joint : joints)
    {
        const AxisOf axis{.body = joint.shaft, .point = find_in_body(run, joint.shaft, scale * joint.pin)};
        const double play = find_largest_offset(run, joint.eye, find_in_body(run, joint.eye, scale * joint.bore), axis);
        largest = std::max(largest, play / (scale * joint.clearance()));
    }
    return largest;
}

/// A rod between a pin that turns and one that slides along y [m].
struct Slider
{
    double rod = 0;      ///< from pin to pin
    double shorter = 0;  ///< what leaning can take of that
    double play = 0;     ///< of all joints between the ground and the sliding pin
    double line = 0;     ///< x of the slide
    double side = 0;     ///< how far the sliding pin can be off that
    bool up = true;      ///< the slide is above
};

/// How far the sliding pin (X, Y) is off (Y - y)^2 + (line - x)^2 = rod^2 if the other one is at (x, y); and that over
/// what plays allow, the same circle with the extremes of rod and line, or X off the line over what it can be.
struct SliderError
{
    double off = 0, use = 0;
};
SliderError find_slider_error(const Slider& slider, const Vec3& turning, const Vec3& sliding)
{
    const double across = std::abs(turning.x - slider.line);
    const auto reach = [](double rod, double over) { return std::sqrt(rod * rod - over * over); };
    const double ideal = reach(slider.rod, across);
    const double high = reach(slider.rod + slider.play, std::max(across - slider.side, 0.0));
    const double low = reach(slider.rod - slider.shorter - slider.play, across + slider.side);
    const double off = (slider.up ? 1 : -1) * (sliding.y - turning.y) - ideal;
    // Not a number where the turning pin is further off the slide than the rod is long: then no plays allow it.
    const double use = off > 0 ? off / (high - ideal) : off / (low - ideal);
    return {std::abs(off),
            std::isfinite(use) ? std::max(use, std::abs(sliding.x - slider.line) / slider.side) : HUGE_VAL};
}

// 092-piston in millimetres, turned by half a turn about z: bodies 1 crank, 2 rod, 3 head, 4 cylinder. The crank's pin
// has corners at 100 about (0, 700), the rod's bores at 105 and 70 about (0, 700) and (0, -1630), the head's pin 65
// about (0, -1630); the head has corners at 295 about the axis x = 0, z = 230, the cylinder's bore at 300.
constexpr double kMillimetre = 1e-3;
constexpr std::array kPistonJoints = {PinJoint{2, {0, 700, 230}, 105.0, 1, {0, 700, 230}, 99.45},
                                      PinJoint{2, {0, -1630, 230}, 70.003, 3, {0, -1630, 230}, 64.50}};
constexpr Slider kPiston{
    .rod = 2.33,
    // Collars 160 apart let the eye, 150 thick and 360 wide, lean by 0.028: 0.9 mm. The head, a quarter of a metre in
    // its cylinder at the top, leans by up to 0.05, and the rod is up to 65 off the middle of its pin: 3.4 mm.
    .shorter = 4.3e-3,
    .play = kMillimetre * (kPistonJoints[0].clearance() + kPistonJoints[1].clearance()),
    // 300 less the head's flats, 293.4, beyond the notches in the cylinder's rim, 30 degrees off x: over cos 30.
    .side = 7.7e-3};

// 140-punching-press in units of 5 mm: bodies 1 frame, 2 crank, 3 rod, 4 the knee's upper and 5 its lower link,
// 6 punch; all move in the plane alone. Rings have 40 corners.
constexpr double kPressUnit = 5e-3;
constexpr std::array kPressJoints = {PinJoint{4, {163.6888, 189.5475, 0}, 2.5757, 1, {163.6888, 189.5475, 0}, 2.4617},
                                     PinJoint{2, {199.8134, 129.0461, 0}, 2.8228, 1, {199.8133, 129.0460, 0}, 2.7428},
                                     PinJoint{3, {210.5025, 141.2875, 0}, 2.7873, 2, {210.5025, 141.2875, 0}, 2.6020},
                                     PinJoint{3, {163.5479, 135.4314, 0}, 2.7523, 4, {163.5478, 135.4313, 0}, 2.6021},
                                     PinJoint{5, {163.5479, 135.4314, 0}, 2.7523, 4, {163.5478, 135.4313, 0}, 2.6021},
                                     PinJoint{5, {163.7595, 81.3858, 0}, 3.2811, 6, {163.7594, 81.3858, 0}, 3.2000}};
constexpr const PinJoint &kPivot = kPressJoints[0], &kKnee = kPressJoints[4], &kWrist = kPressJoints[5];
/// From the shoulders of the punch, at 47.166, to the rails, at 60.713.
constexpr double kStop = kPressUnit * 13.547;
constexpr double kForce = 10;  // along y, at the crank's centre [N]

/// The knee's lower link drives the punch. Its stem, 6.421 wide, leans by 0.14 / 16.016 between rails 6.561 apart, from
/// 60.713 to 76.729, and its pin gets to 26.2 above their middle.
Slider make_press_slider()
{
    const Vec3 link = kWrist.bore - kKnee.bore;
    return {.rod = kPressUnit * std::hypot(link.x, link.y),
            .play = kPressUnit * (kPivot.clearance() + kKnee.clearance() + kWrist.clearance()),
            .line = kPressUnit * kWrist.pin.x,
            .side = kPressUnit * 0.23,
            .up = false};
}

}  // namespace

IpcVerdict judge_public_piston(const IpcRun& run)
{
    // The crank turns about its centre of mass, 46 mm off the middle of its disc, by -360 deg/s.
    const Pose& start = run.start().pose[1];
    const Vec3 pin = find_in_body(run, 1, kMillimetre * kPistonJoints[0].pin);
    const Vec3 wrist = find_in_body(run, 3, kMillimetre * kPistonJoints[1].pin);
    double turned = 0, off = 0, use = 0;
    for (const IpcFrame& frame : run.frames)
    {
        const Quat crank = exponential(Vec3{0, 0, -2 * kPi * frame.time}) * start.rotation;
        turned = std::max({turned, norm(logarithm(frame.pose[1].rotation * conjugate(crank))),
                           norm(frame.pose[1].position - start.position)});
        const SliderError error = find_slider_error(kPiston, start.position + rotate(crank, pin),
                                                    frame.pose[3].position + rotate(frame.pose[3].rotation, wrist));
        off = std::max(off, error.off);
        use = std::max(use, error.use);
    }
    const double play = find_largest_use(run, kPistonJoints, kMillimetre);
    return make_verdict(turned < 1e-9, "crank off its track", turned, "") &&
           make_verdict(use < 1, "head off the crank's law", off, "m") &&
           make_verdict(play < 1, "largest play over its clearance", play, "") && judge_every_step(run);
}

IpcVerdict judge_public_press(const IpcRun& run)
{
    const Slider slider = make_press_slider();
    const Vec3 wrist = find_in_body(run, 6, kPressUnit * kWrist.pin);
    double off = 0, use = 0, rise = 0, gain = 0, work = 0;
    for (const IpcFrame& frame : run.frames)
    {
        const Vec3 knee =
            kPressUnit * kPivot.pin + rotate(frame.pose[4].rotation, kPressUnit * (kKnee.pin - kPivot.bore));
        const Vec3 punch = frame.pose[6].position + rotate(frame.pose[6].rotation, wrist);
        const SliderError error = find_slider_error(slider, knee, punch);
        off = std::max(off, error.off);
        use = std::max(use, error.use);
        rise = std::max(rise, punch.y - kPressUnit * kWrist.pin.y);
        const double done = kForce * (frame.pose[2].position.y - run.start().pose[2].position.y);
        work = std::max(work, done);
        gain = std::max(gain, frame.energy - done);
    }
    const double play = find_largest_use(run, kPressJoints, kPressUnit);
    const bool rises = run.end().time < 0.5 || rise > 0.95 * kStop;
    return make_verdict(play < 1, "largest play over its clearance", play, "") &&
           make_verdict(use < 1, "punch off the knee's law", off, "m") &&
           make_verdict(rises && rise < 1.01 * kStop, "rise over that to its stop", rise / kStop, "") &&
           make_verdict(gain <= 1e-6 * work, "energy beyond the force's work", gain, "J") && judge_every_step(run);
}

}  // namespace rattleback::lab
