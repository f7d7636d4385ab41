// Frames as bytes: fixed arrays in the sizes of the model, then the parts that are not in every frame.
#include "base/all_of.h"
#include "base/bytes.h"
#include "record/recording_format.h"

#include <algorithm>
#include <utility>

namespace rattleback
{

namespace
{

static_assert(sizeof(Pose) == 56 && sizeof(Velocity) == 48 && sizeof(Wrench) == 48 && sizeof(RecordedContact) == 208 &&
              sizeof(RecordedTendonPoint) == 32);

// Bits of FrameHead::parts.
constexpr std::uint32_t kForces = 1;    ///< joint forces and body wrenches, left out while all are zero
constexpr std::uint32_t kContacts = 2;  ///< contacts follow
constexpr std::uint32_t kSensors = 4;   ///< values of sensors follow
constexpr std::uint32_t kTendons = 8;   ///< number of points of tendons and the points follow
constexpr std::uint32_t kCulprit = 16;  ///< what went astray follows
constexpr std::uint32_t kAllParts = kForces | kContacts | kSensors | kTendons | kCulprit;

// The format's own numbers of StepStatus, in the order of its enumerators when the format was made.
constexpr std::array kStatuses = {StepStatus::ok, StepStatus::not_converged, StepStatus::diverged,
                                  StepStatus::capacity};

/// The part of a frame that has the same size in every recording.
struct FrameHead
{
    double time = 0;
    std::int64_t step = 0;
    Energy energy;
    Momentum momentum;
    std::int32_t status = 0;
    std::int32_t iterations = 0;
    double residual = 0;
    std::int32_t contact_count = 0;  ///< as the solver reported
    std::int32_t culprit_dof = -1;   ///< before format version 3: or body, for solvers in other coordinates
    double deepest_penetration = 0;
    std::int32_t needed_capacity = 0;
    std::uint32_t parts = 0;
    std::array<double, kStageCount> seconds{};
    std::uint64_t recorded_contacts = 0;
};
static_assert(sizeof(FrameHead) == 208);

/// What went astray in the step before a frame, beside the dof.
struct Culprit
{
    std::int32_t body = -1, first_shape = -1, second_shape = -1, reserved = 0;
    double speed = 0, spin = 0, distance = 0, depth = 0;
};
static_assert(sizeof(Culprit) == 48);

FrameHead make_head(const FrameInput& frame, const Energy& energy, const Momentum& momentum)
{
    const StepReport& report = frame.report;
    return {.time = frame.time,
            .step = frame.step,
            .energy = energy,
            .momentum = momentum,
            .status = static_cast<std::int32_t>(std::find(kStatuses.begin(), kStatuses.end(), report.status) -
                                                kStatuses.begin()),
            .iterations = report.iterations,
            .residual = report.residual,
            .contact_count = report.contact_count,
            .culprit_dof = report.culprit_dof,
            .deepest_penetration = report.deepest_penetration,
            .needed_capacity = report.needed_capacity,
            .parts = 0,
            .seconds = report.seconds,
            .recorded_contacts = 0};
}

StepReport make_report(const FrameHead& head)
{
    return {.status = kStatuses[static_cast<std::size_t>(head.status)],
            .iterations = head.iterations,
            .residual = head.residual,
            .contact_count = head.contact_count,
            .deepest_penetration = head.deepest_penetration,
            .culprit_dof = head.culprit_dof,
            .needed_capacity = head.needed_capacity,
            .seconds = head.seconds};
}

bool has_culprit(const StepReport& report)
{
    return report.culprit_dof >= 0 || report.culprit_body.valid() || report.culprit_shapes.first.valid();
}

void append_culprit(std::vector<std::byte>& bytes, const StepReport& report)
{
    append(bytes, Culprit{.body = report.culprit_body.index,
                          .first_shape = report.culprit_shapes.first.index,
                          .second_shape = report.culprit_shapes.second.index,
                          .speed = report.culprit_speed,
                          .spin = report.culprit_spin,
                          .distance = report.culprit_distance,
                          .depth = report.culprit_depth});
}

/// Before format version 3 a number meant a dof or a body, as the solver had coordinates.
void name_old_culprit(const RecordedModel& model, StepReport& report)
{
    if (model.solver == "smooth" || model.solver == "convex") return;
    report.culprit_body = BodyId{std::exchange(report.culprit_dof, -1)};
}

bool take_culprit(std::span<const std::byte>& bytes, const RecordedModel& model, StepReport& report)
{
    Culprit culprit;
    const auto is_shape = [&](int shape) { return shape >= -1 && shape < static_cast<int>(model.shapes.size()); };
    if (!read(bytes, culprit) || culprit.body < -1 || culprit.body >= model.body_count() ||
        !is_shape(culprit.first_shape) || !is_shape(culprit.second_shape))
        return false;
    report.culprit_body = BodyId{culprit.body};
    report.culprit_shapes = {ShapeId{culprit.first_shape}, ShapeId{culprit.second_shape}};
    report.culprit_speed = culprit.speed;
    report.culprit_spin = culprit.spin;
    report.culprit_distance = culprit.distance;
    report.culprit_depth = culprit.depth;
    return true;
}

template <class T>
void append_values(std::vector<std::byte>& bytes, std::span<T> values)
{
    const std::span<const std::byte> raw = std::as_bytes(values);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// Takes `count` values as they lie in memory. Every part of a frame is a multiple of 8 bytes, so they are aligned.
template <class T>
bool take_values(std::span<const std::byte>& bytes, std::uint64_t count, std::span<const T>& values)
{
    if (count > bytes.size() / sizeof(T)) return false;
    values = {reinterpret_cast<const T*>(bytes.data()), static_cast<std::size_t>(count)};
    bytes = bytes.subspan(values.size_bytes());
    return true;
}

std::uint64_t as_count(int count) { return static_cast<std::uint64_t>(count); }

bool is_zero(const Wrench& w) { return w == Wrench{}; }

bool has_forces(const ControlView& control)
{
    return !all_of(control.joint_force, [](double f) { return f == 0; }) || !all_of(control.body_wrench, is_zero);
}

void append_contacts(std::vector<std::byte>& bytes, const Contacts& contacts, const ContactForces* forces)
{
    for (std::size_t i = 0; i < contacts.items.size(); ++i)
    {
        const Contact& contact = contacts.items[i];
        append(bytes, RecordedContact{.first_body = contact.first_body.index,
                                      .second_body = contact.second_body.index,
                                      .first_shape = contact.first_shape.index,
                                      .second_shape = contact.second_shape.index,
                                      .point = contact.point,
                                      .frame = contact.frame,
                                      .distance = contact.distance,
                                      .friction = contact.friction,
                                      .restitution = contact.restitution,
                                      .feature = contact.feature,
                                      .force = forces && i < forces->items.size() ? forces->items[i] : Wrench{}});
    }
}

/// Bodies and shapes of a contact are there.
bool fits(const RecordedContact& contact, const RecordedModel& model)
{
    const auto is_body = [&](int body) { return body >= 0 && body < model.body_count(); };
    const auto is_shape = [&](int shape) { return shape >= -1 && shape < static_cast<int>(model.shapes.size()); };
    return is_body(contact.first_body) && is_body(contact.second_body) && is_shape(contact.first_shape) &&
           is_shape(contact.second_shape);
}

bool fits(const RecordedTendonPoint& point, const RecordedModel& model)
{
    return point.tendon >= 0 && point.tendon < static_cast<int>(model.tendons.size()) &&
           (point.begins == 0 || point.begins == 1);
}

/// Takes the contacts of a frame, if it has any.
bool take_contacts(std::span<const std::byte>& bytes, const RecordedModel& model, const FrameHead& head,
                   RecordedFrame& frame)
{
    if ((head.parts & kContacts) == 0) return head.recorded_contacts == 0;
    return model.contacts && take_values(bytes, head.recorded_contacts, frame.contacts) &&
           all_of(frame.contacts, [&](const RecordedContact& c) { return fits(c, model); });
}

/// Takes the points of tendons; the first begins a line, so that every other has one before it.
bool take_tendon_points(std::span<const std::byte>& bytes, const RecordedModel& model, RecordedFrame& frame)
{
    std::uint64_t count = 0;
    return read(bytes, count) && take_values(bytes, count, frame.tendon_points) &&
           (frame.tendon_points.empty() || frame.tendon_points.front().begins == 1) &&
           all_of(frame.tendon_points, [&](const RecordedTendonPoint& p) { return fits(p, model); });
}

}  // namespace

std::uint64_t smallest_frame(const RecordedModel& model)
{
    const std::uint64_t numbers = as_count(model.q_count) + as_count(model.v_count) + as_count(model.act_count) +
                                  as_count(model.actuator_count());
    return sizeof(FrameHead) + numbers * sizeof(double) + as_count(model.kinematic_count) * sizeof(Pose) +
           as_count(model.body_count()) * (sizeof(Pose) + sizeof(Velocity));
}

void append_frame(std::vector<std::byte>& bytes, const RecordedModel& model, const FrameInput& frame,
                  const Energy& energy, const Momentum& momentum, std::span<const RecordedTendonPoint> tendon_points)
{
    FrameHead head = make_head(frame, energy, momentum);
    if (has_forces(frame.control)) head.parts |= kForces;
    const bool contacts = model.contacts && frame.contacts != nullptr;
    if (contacts)
    {
        head.parts |= kContacts;
        head.recorded_contacts = frame.contacts->items.size();
    }
    if (!frame.sensors.empty()) head.parts |= kSensors;
    if (!tendon_points.empty()) head.parts |= kTendons;
    if (has_culprit(frame.report)) head.parts |= kCulprit;
    append(bytes, head);
    append_values(bytes, frame.world.q);
    append_values(bytes, frame.world.v);
    append_values(bytes, frame.world.act);
    append_values(bytes, frame.world.body_pose);
    append_values(bytes, frame.world.body_velocity);
    append_values(bytes, frame.control.input);
    append_values(bytes, frame.control.target);
    if ((head.parts & kForces) != 0)
    {
        append_values(bytes, frame.control.joint_force);
        append_values(bytes, frame.control.body_wrench);
    }
    if (contacts) append_contacts(bytes, *frame.contacts, frame.forces);
    append_values(bytes, frame.sensors);
    if ((head.parts & kTendons) != 0)
    {
        append(bytes, static_cast<std::uint64_t>(tendon_points.size()));
        append_values(bytes, tendon_points);
    }
    if ((head.parts & kCulprit) != 0) append_culprit(bytes, frame.report);
}

bool read_frame(std::span<const std::byte>& bytes, const RecordedModel& model, RecordedFrame& frame)
{
    FrameHead head;
    if (!read(bytes, head)) return false;
    if (head.status < 0 || head.status >= static_cast<int>(kStatuses.size())) return false;
    if ((head.parts & ~kAllParts) != 0) return false;
    frame = {.time = head.time,
             .step = head.step,
             .energy = head.energy,
             .momentum = head.momentum,
             .report = make_report(head)};
    const std::uint64_t bodies = as_count(model.body_count());
    const bool fixed_part =
        take_values(bytes, as_count(model.q_count), frame.q) && take_values(bytes, as_count(model.v_count), frame.v) &&
        take_values(bytes, as_count(model.act_count), frame.act) && take_values(bytes, bodies, frame.body_pose) &&
        take_values(bytes, bodies, frame.body_velocity) &&
        take_values(bytes, as_count(model.actuator_count()), frame.control.input) &&
        take_values(bytes, as_count(model.kinematic_count), frame.control.target);
    if (!fixed_part) return false;
    const bool forces =
        (head.parts & kForces) == 0 || (take_values(bytes, as_count(model.v_count), frame.control.joint_force) &&
                                        take_values(bytes, bodies, frame.control.body_wrench));
    if (!forces || !take_contacts(bytes, model, head, frame)) return false;
    if ((head.parts & kSensors) != 0 && !take_values(bytes, as_count(model.sensor_value_count()), frame.sensors))
        return false;
    if ((head.parts & kTendons) != 0 && !take_tendon_points(bytes, model, frame)) return false;
    if ((head.parts & kCulprit) != 0) return take_culprit(bytes, model, frame.report);
    name_old_culprit(model, frame.report);
    return true;
}

}  // namespace rattleback
