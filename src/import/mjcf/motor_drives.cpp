// Shortcuts for actuators with laws of their own: muscle, adhesion, PID, orientation and DC motor.
#include <cmath>
#include <sstream>

#include "import/mjcf/assembly.h"

namespace rattleback::mjcf
{

namespace
{

/// Numbers that a muscle has instead of those that any actuator has.
void apply_muscle(const Element& e, Drive& drive)
{
    constexpr std::array<double, 9> kUsual{0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
    constexpr std::array<const char*, 6> kNames{"scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
    if (drive.dynamics[0] == 1) drive.dynamics[0] = 0.01;
    if (drive.dynamics[1] == 0) drive.dynamics[1] = 0.04;
    for (std::size_t i = 0; i < kUsual.size(); ++i)
    {
        if (drive.gain[i] == (i == 0 ? 1 : 0)) drive.gain[i] = kUsual[i];
    }
    const auto take = [](double value, double& to)
    {
        if (value >= 0) to = value;
    };
    if (e.has("timeconst"))
    {
        const std::vector<double> times = e.numbers("timeconst");
        for (std::size_t i = 0; i < 2; ++i) take(times[i], drive.dynamics[i]);
    }
    if (e.has("tausmooth")) drive.dynamics[2] = e.number("tausmooth");
    if (e.has("range"))
    {
        const std::vector<double> range = e.numbers("range");
        for (std::size_t i = 0; i < 2; ++i) take(range[i], drive.gain[i]);
    }
    if (e.has("force")) take(e.number("force"), drive.gain[2]);
    for (std::size_t i = 0; i < kNames.size(); ++i)
    {
        if (e.has(kNames[i])) take(e.number(kNames[i]), drive.gain[3 + i]);
    }
    drive.bias = drive.gain;
    drive.dyntype = drive.gaintype = drive.biastype = "muscle";
}

/// kp and kv in the bias, as of servos; a positive last number is a damping ratio.
void apply_gains(const Element& e, Drive& drive)
{
    if (e.has("kp")) drive.bias[1] = -e.number("kp");
    if (e.has("kv")) drive.bias[2] = -e.number("kv");
    if (e.has("dampratio")) drive.bias[2] = e.number("dampratio");
    if (e.has("input")) drive.input = e.text("input");
}

void apply_pid(const Element& e, Drive& drive)
{
    apply_gains(e, drive);
    drive.bias[0] = 0;
    drive.gain = {e.has("ki") ? e.number("ki") : drive.gaintype == "pid" ? drive.gain[0] : 0};
    if (drive.gaintype != "pid") drive.dynamics = {};
    if (e.has("imax")) drive.dynamics[0] = e.number("imax");
    if (e.has("slewmax")) drive.dynamics[1] = e.number("slewmax");
    if (e.has("inheritrange")) drive.inherit_range = e.number("inheritrange");
    drive.dyntype = drive.gain[0] != 0 || drive.dynamics[1] != 0 ? "pid" : "none";
    drive.gaintype = "pid";
    drive.biastype = "affine";
}

double given_number(const Drive& drive, const char* name, std::size_t index)
{
    const auto found = drive.motor.find(name);
    return found == drive.motor.end() || found->second.size() <= index ? 0 : found->second[index];
}

/// Back-EMF constant from voltage, stall torque and speed without load, where damping B takes a part of the torque:
/// w0 = V K / (K^2 + R B), with R given or V K / torque.
double find_emf_constant(const Drive& drive, double resistance, double damping)
{
    const double voltage = given_number(drive, "nominal", 0), stall = given_number(drive, "nominal", 1),
                 speed = given_number(drive, "nominal", 2);
    if (!(voltage > 0 && speed > 0)) return 0;
    const double simple = voltage / speed;
    if (damping > 0 && resistance > 0)
    {
        const double square = voltage * voltage - 4 * resistance * damping * speed * speed;
        return square > 0 ? (voltage + std::sqrt(square)) / (2 * speed) : simple;
    }
    if (damping > 0 && stall > 0)
    {
        const double exact = simple - voltage * damping / stall;
        return exact > 0 ? exact : simple;
    }
    return simple;
}

}  // namespace

void apply_shortcut(const Element& e, Drive& drive)
{
    if (e.is("muscle")) apply_muscle(e, drive);
    if (e.is("adhesion")) drive = {.gain = {e.has("gain") ? e.number("gain") : drive.gain[0]}, .always_limited = true};
    if (e.is("pid")) apply_pid(e, drive);
    if (e.is("orientation"))
    {
        apply_gains(e, drive);
        drive.gain = {-drive.bias[1]};
        drive.gaintype = drive.biastype = "so3";
    }
    if (!e.is("dcmotor")) return;
    // What is written or inherited is collected; the parameters follow from all of it.
    drive.dyntype = drive.gaintype = drive.biastype = "dcmotor";
    drive.act_early = true;
    drive.motor["given"] = {};
    for (const char* name : {"motorconst", "resistance", "nominal", "saturation", "inductance", "cogging", "controller",
                             "thermal", "lugre"})
    {
        if (e.has(name)) drive.motor[name] = e.numbers(name);
    }
    if (e.has("input")) drive.input = e.text("input");
}

Range settle_motor(double damping, Drive& drive)
{
    const auto given = [&](const char* name, std::size_t index) { return given_number(drive, name, index); };
    double resistance = given("resistance", 0);
    const double torque_constant = given("motorconst", 0);
    double emf_constant = given("motorconst", 1);
    if (!(emf_constant > 0)) emf_constant = find_emf_constant(drive, resistance, damping);
    const double k = torque_constant > 0 && emf_constant > 0 ? std::sqrt(torque_constant * emf_constant)
                     : torque_constant > 0                   ? torque_constant
                                                             : emf_constant;
    if (resistance == 0 && given("nominal", 1) > 0) resistance = k * given("nominal", 0) / given("nominal", 1);
    double thermal_resistance = given("thermal", 0), capacity = given("thermal", 1);
    const double thermal_time = given("thermal", 2);
    if (thermal_time > 0 && thermal_resistance > 0) capacity = thermal_time / thermal_resistance;
    if (thermal_time > 0 && capacity > 0 && thermal_resistance == 0) thermal_resistance = thermal_time / capacity;
    const double inductance = given("inductance", 0);
    const double electrical_time = inductance > 0 ? inductance / resistance : given("inductance", 1);
    drive.gain = {resistance,
                  k,
                  given("thermal", 3),
                  given("thermal", 4),
                  given("controller", 0),
                  given("controller", 1),
                  given("controller", 2),
                  given("controller", 5)};
    drive.bias = {given("cogging", 0), given("cogging", 1), given("cogging", 2),
                  given("lugre", 2),   given("lugre", 3),   given("lugre", 4)};
    drive.dynamics = {electrical_time,   given("saturation", 2), thermal_resistance,
                      capacity,          given("thermal", 5),    given("lugre", 0),
                      given("lugre", 1), given("controller", 3), given("controller", 4)};
    const double most = given("saturation", 0) > 0 ? given("saturation", 0) : k * given("saturation", 1);
    return {most > 0, -most, most};
}

std::optional<int> find_inputs(const Drive& drive)
{
    const bool motor = drive.gaintype == "dcmotor";
    if (drive.input.empty()) return motor ? kInputVoltage : kInputPosition | kInputVelocity;
    if (drive.input == "none" && motor) return 0;
    std::istringstream words(drive.input);
    int inputs = 0;
    for (std::string word; words >> word;)
    {
        const int bit = word == "pos"                ? kInputPosition
                        : word == "vel"              ? kInputVelocity
                        : word == "ff"               ? kInputForce
                        : word == "voltage" && motor ? kInputVoltage
                                                     : 0;
        // in this order, none twice
        if (bit == 0 || inputs >= bit) return std::nullopt;
        inputs |= bit;
    }
    return inputs;
}

}  // namespace rattleback::mjcf
