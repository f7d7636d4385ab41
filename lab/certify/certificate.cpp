// Writes certificates.
#include "lab/certify/certificate.h"

#include "base/index.h"
#include "base/text.h"
#include "geometry/certified_impact.h"
#include "lab/certify/complex.h"

#include <algorithm>
#include <fstream>

namespace rattleback::lab
{

namespace
{

void add_vector(const Vec3& v, std::string& text)
{
    text += '[';
    for (int i = 0; i < 3; ++i)
    {
        if (i > 0) text += ',';
        append_number(text, v[i]);
    }
    text += ']';
}

/// Elements with so many corners.
void add_elements_of(const Complex& complex, int count, std::string& text)
{
    text += '[';
    bool first = true;
    for (const Element& element : complex.elements)
    {
        if (element.count != count) continue;
        if (!first) text += ',';
        first = false;
        if (count > 1) text += '[';
        for (int k = 0; k < count; ++k) text += (k > 0 ? "," : "") + std::to_string(element.vertex[at(k)]);
        if (count > 1) text += ']';
    }
    text += ']';
}

std::string describe_certified_shape(const RecordedModel& model, int shape)
{
    const Complex complex = make_complex(model, shape);
    std::string text = "{\"name\":" + to_json_string(model.shapes[at(shape)].name) +
                       ",\"body\":" + std::to_string(model.shapes[at(shape)].body) +
                       ",\"plane\":" + (complex.plane ? "true" : "false") +
                       ",\"solid\":" + (complex.solid ? "true" : "false") + ",\"radius\":";
    append_number(text, complex.radius);
    text += ",\"normal\":";
    add_vector(complex.normal, text);
    text += ",\"vertices\":[";
    for (std::size_t i = 0; i < complex.vertices.size(); ++i)
    {
        if (i > 0) text += ',';
        add_vector(complex.vertices[i], text);
    }
    text += "],\"faces\":";
    add_elements_of(complex, 3, text);
    text += ",\"edges\":";
    add_elements_of(complex, 2, text);
    text += ",\"points\":";
    add_elements_of(complex, 1, text);
    return text + "}";
}

/// Centres and quaternions of one frame, the turns to the next, and distances on the way.
std::string describe_certified_frame(const RecordedModel& model, double time, const std::vector<Pose>& now,
                                     const std::vector<Pose>& next, std::span<const ProvenDistance> distances)
{
    std::string text = "{\"time\":", turns;
    append_number(text, time);
    text += ",\"bodies\":[";
    for (std::size_t b = 0; b < now.size(); ++b)
    {
        const RigidPath path = make_path(now[b], next[b], model.bodies[b].center);
        const Quat& q = now[b].rotation;
        text += b > 0 ? ",[" : "[";
        for (const double number : {path.center.x, path.center.y, path.center.z, q.w, q.x, q.y})
        {
            append_number(text, number);
            text += ',';
        }
        append_number(text, q.z);
        text += ']';
        if (b > 0) turns += ',';
        add_vector(path.turning, turns);
    }
    text += "],\"turns\":[" + turns + "],\"bounds\":[";
    for (const ProvenDistance& bound : distances)
    {
        if (&bound != distances.data()) text += ',';
        text += '[' + std::to_string(bound.first_shape) + ',' + std::to_string(bound.second_shape) + ',';
        append_number(text, bound.distance);
        text += ']';
    }
    return text + "]}";
}

}  // namespace

Status write_certificate(Recording& recording, const AuditOptions& options, const AuditReport& report,
                         const std::filesystem::path& path)
{
    const RecordedModel& model = recording.model();
    std::ofstream file(path, std::ios::binary);
    file << "{\"shapes\":[";
    for (int i = 0; i < static_cast<int>(model.shapes.size()); ++i)
        file << (i > 0 ? ",\n" : "\n") << describe_certified_shape(model, i);
    file << "],\n\"pairs\":[";
    bool first = true;
    for (const auto& [a, b] : list_pairs(model, options))
    {
        file << (first ? "" : ",") << "[" << a << "," << b << "]";
        first = false;
    }
    file << "],\n\"frames\":[";
    std::vector<Pose> now, next;
    double time = 0;
    std::span<const ProvenDistance> distances = report.distances;
    for (std::int64_t i = 0; i <= recording.frame_count(); ++i)
    {
        now.swap(next);
        const double before = time;
        if (i < recording.frame_count())
        {
            const Result<RecordedFrame> frame = recording.frame(i);
            if (!frame.ok()) return frame.errors();
            next.assign(frame->body_pose.begin(), frame->body_pose.end());
            time = frame->time;
        }
        else
        {
            next = now;  // the last frame leads nowhere
        }
        if (i == 0) continue;
        const auto later = [&](const ProvenDistance& bound) { return bound.step >= i; };
        const auto end = std::find_if(distances.begin(), distances.end(), later);
        const auto count = static_cast<std::size_t>(end - distances.begin());
        file << (i > 1 ? ",\n" : "\n") << describe_certified_frame(model, before, now, next, distances.first(count));
        distances = distances.subspan(count);
    }
    file << "]}\n";
    file.close();
    if (file.good()) return {};
    return Error{ErrorCode::io, path.generic_string(), "cannot be written", ""};
}

}  // namespace rattleback::lab
