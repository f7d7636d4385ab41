// Recordings as numpy's .npz: one array per quantity, filled in one pass over the frames.
#include "base/bytes.h"
#include "base/text.h"
#include "record/zip.h"

#include <rattleback/record.h>

#include <algorithm>
#include <functional>

namespace rattleback
{

namespace
{

using Bytes = std::vector<std::byte>;

template <class T>
void append_all(Bytes& bytes, std::span<const T> values)
{
    const auto raw = std::as_bytes(values);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// The header of numpy's array format 1.0, padded to a multiple of 64.
Bytes make_npy_header(const std::string& type, const std::vector<std::uint64_t>& shape)
{
    std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
    for (const std::uint64_t size : shape) text += std::to_string(size) + ",";
    text += "), }";
    constexpr std::size_t kPreamble = 10;
    while ((kPreamble + text.size() + 1) % 64 != 0) text += ' ';
    text += '\n';
    Bytes bytes;
    append(bytes, std::array<unsigned char, 8>{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    append(bytes, static_cast<std::uint16_t>(text.size()));
    append_all(bytes, std::span<const char>(text));
    return bytes;
}

/// An array whose rows come from frames: one per frame, or one per contact.
struct Column
{
    std::string name;
    std::string type;                  ///< numpy's, for example "<f8"
    std::vector<std::uint64_t> shape;  ///< of one row
    bool per_contact = false;
    std::function<void(const RecordedFrame&, std::int64_t index, Bytes&)> append_rows;

    std::uint64_t row_size() const
    {
        std::uint64_t size = static_cast<std::uint64_t>(type.back() - '0');
        for (const std::uint64_t count : shape) size *= count;
        return size;
    }
};

/// A column whose row is a plain value of the frame.
template <class Get>
Column make_value(std::string name, std::string type, std::vector<std::uint64_t> shape, Get get)
{
    return {std::move(name), std::move(type), std::move(shape), false,
            [get](const RecordedFrame& frame, std::int64_t, Bytes& bytes) { append(bytes, get(frame)); }};
}

/// A column whose row is an array of the frame; one that is left out counts as zeros.
template <class Get>
Column make_array(std::string name, std::vector<std::uint64_t> shape, Get get)
{
    Column column{std::move(name), "<f8", std::move(shape), false, nullptr};
    const auto row = static_cast<std::size_t>(column.row_size());
    column.append_rows = [get, row](const RecordedFrame& frame, std::int64_t, Bytes& bytes)
    {
        const std::size_t begin = bytes.size();
        append_all(bytes, get(frame));
        bytes.resize(begin + row);
    };
    return column;
}

template <class Get>
Column make_contact_value(std::string name, std::string type, std::vector<std::uint64_t> shape, Get get)
{
    return {std::move(name), std::move(type), std::move(shape), true,
            [get](const RecordedFrame& frame, std::int64_t, Bytes& bytes)
            {
                for (const RecordedContact& contact : frame.contacts) append(bytes, get(contact));
            }};
}

std::vector<Column> make_contact_columns()
{
    std::vector<Column> columns;
    columns.push_back({"contact_frame_index",
                       "<i8",
                       {},
                       true,
                       [](const RecordedFrame& frame, std::int64_t index, Bytes& bytes)
                       {
                           for (std::size_t i = 0; i < frame.contacts.size(); ++i) append(bytes, index);
                       }});
    const auto add = [&](const auto&... words) { columns.push_back(make_contact_value(words...)); };
    using Shape = std::vector<std::uint64_t>;
    using Two = std::array<std::int32_t, 2>;
    add("contact_bodies", "<i4", Shape{2}, [](const RecordedContact& c) { return Two{c.first_body, c.second_body}; });
    add("contact_shapes", "<i4", Shape{2}, [](const RecordedContact& c) { return Two{c.first_shape, c.second_shape}; });
    add("contact_point", "<f8", Shape{3}, [](const RecordedContact& c) { return c.point; });
    add("contact_frame", "<f8", Shape{3, 3}, [](const RecordedContact& c) { return c.frame; });
    add("contact_distance", "<f8", Shape{}, [](const RecordedContact& c) { return c.distance; });
    add("contact_feature", "<u8", Shape{}, [](const RecordedContact& c) { return c.feature; });
    add("contact_force", "<f8", Shape{6}, [](const RecordedContact& c) { return c.force; });
    return columns;
}

std::vector<Column> make_columns(const RecordedModel& model)
{
    using Shape = std::vector<std::uint64_t>;
    using Frame = const RecordedFrame&;
    const auto count = [](int size) { return static_cast<std::uint64_t>(size); };
    const std::uint64_t bodies = count(model.body_count());
    std::vector<Column> columns{
        make_value("time", "<f8", {}, [](Frame f) { return f.time; }),
        make_value("step", "<i8", {}, [](Frame f) { return f.step; }),
        make_array("q", {count(model.q_count)}, [](Frame f) { return f.q; }),
        make_array("v", {count(model.v_count)}, [](Frame f) { return f.v; }),
        make_array("act", {count(model.act_count)}, [](Frame f) { return f.act; }),
        make_array("body_pose", {bodies, 7}, [](Frame f) { return f.body_pose; }),
        make_array("body_velocity", {bodies, 6}, [](Frame f) { return f.body_velocity; }),
        make_array("input", {count(model.actuator_count())}, [](Frame f) { return f.control.input; }),
        make_array("joint_force", {count(model.v_count)}, [](Frame f) { return f.control.joint_force; }),
        make_array("body_wrench", {bodies, 6}, [](Frame f) { return f.control.body_wrench; }),
        make_array("target", {count(model.kinematic_count), 7}, [](Frame f) { return f.control.target; }),
        make_array("sensors", {count(model.sensor_value_count())}, [](Frame f) { return f.sensors; }),
        make_value("kinetic_energy", "<f8", {}, [](Frame f) { return f.energy.kinetic; }),
        make_value("potential_energy", "<f8", {}, [](Frame f) { return f.energy.potential; }),
        make_value("linear_momentum", "<f8", Shape{3}, [](Frame f) { return f.momentum.linear; }),
        make_value("angular_momentum", "<f8", Shape{3}, [](Frame f) { return f.momentum.angular; }),
        make_value("status", "<i4", {}, [](Frame f) { return static_cast<std::int32_t>(f.report.status); }),
        make_value("iterations", "<i4", {}, [](Frame f) { return static_cast<std::int32_t>(f.report.iterations); }),
        make_value("residual", "<f8", {}, [](Frame f) { return f.report.residual; }),
        make_value("contact_count", "<i4", {},
                   [](Frame f) { return static_cast<std::int32_t>(f.report.contact_count); }),
        make_value("deepest_penetration", "<f8", {}, [](Frame f) { return f.report.deepest_penetration; }),
    };
    if (model.contacts)
    {
        for (auto& column : make_contact_columns()) columns.push_back(std::move(column));
    }
    return columns;
}

/// Texts as an array of numpy's '<U', every one as wide as the widest; cut where that would take too much memory.
Bytes make_texts(const std::vector<std::string>& texts)
{
    std::vector<std::u32string> decoded;
    constexpr std::size_t kLongest = 256, kMostInAll = std::size_t{1} << 26;
    const std::size_t longest = std::clamp<std::size_t>(kMostInAll / (texts.size() + 1), 1, kLongest);
    std::size_t width = 1;
    for (const std::string& text : texts)
    {
        decoded.push_back(decode_utf8(std::string_view(text).substr(0, 4 * longest)).substr(0, longest));
        width = std::max(width, decoded.back().size());
    }
    Bytes bytes = make_npy_header("<U" + std::to_string(width), {texts.size()});
    for (std::u32string& text : decoded)
    {
        text.resize(width);
        append_all(bytes, std::span<const char32_t>(text));
    }
    return bytes;
}

Bytes make_scalar(double value)
{
    Bytes bytes = make_npy_header("<f8", {});
    append(bytes, value);
    return bytes;
}

/// The member `get` of every item, as an array of int32.
template <class T, class Get>
Bytes make_indices(const std::vector<T>& items, Get get)
{
    Bytes bytes = make_npy_header("<i4", {items.size()});
    for (const T& item : items) append(bytes, static_cast<std::int32_t>(get(item)));
    return bytes;
}

template <class T, class Get>
Bytes make_texts_of(const std::vector<T>& items, Get get)
{
    std::vector<std::string> texts;
    for (const T& item : items) texts.emplace_back(get(item));
    return make_texts(texts);
}

/// What does not change in a run.
std::vector<std::pair<std::string, Bytes>> make_constants(const RecordedModel& model)
{
    using Joint = const RecordedJoint&;
    using Sensor = const RecordedSensor&;
    return {{"body_names", make_texts_of(model.bodies, [](const RecordedBody& b) { return b.name; })},
            {"joint_names", make_texts_of(model.joints, [](Joint j) { return j.name; })},
            {"joint_types", make_texts_of(model.joints, [](Joint j) { return to_string(j.type); })},
            {"joint_bodies", make_indices(model.joints, [](Joint j) { return j.body; })},
            {"joint_q_begin", make_indices(model.joints, [](Joint j) { return j.q_begin; })},
            {"joint_q_count", make_indices(model.joints, [](Joint j) { return q_count(j.type); })},
            {"joint_v_begin", make_indices(model.joints, [](Joint j) { return j.v_begin; })},
            {"joint_v_count", make_indices(model.joints, [](Joint j) { return v_count(j.type); })},
            {"actuator_names", make_texts(model.actuators)},
            {"sensor_names", make_texts_of(model.sensors, [](Sensor s) { return s.name; })},
            {"sensor_types", make_texts_of(model.sensors, [](Sensor s) { return to_string(s.type); })},
            {"sensor_begin", make_indices(model.sensors, [](Sensor s) { return s.begin; })},
            {"sensor_count", make_indices(model.sensors, [](Sensor s) { return s.size; })},
            {"model_name", make_texts({model.name})},
            {"solver", make_texts({model.solver})},
            {"dt", make_scalar(model.dt)}};
}

/// One column on its way into the archive; rows are gathered before they are written.
struct Output
{
    Column column;
    std::size_t entry = 0;
    Bytes rows;
};

Status write_frames(Recording& recording, std::vector<Output>& outputs, ZipWriter& zip)
{
    constexpr std::size_t kBlock = std::size_t{1} << 18;
    for (std::int64_t i = 0; i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> frame = recording.frame(i);
        if (!frame.ok()) return frame.errors();
        const bool is_last = i + 1 == recording.frame_count();
        for (Output& output : outputs)
        {
            output.column.append_rows(frame.value(), i, output.rows);
            if (output.rows.size() < kBlock && !is_last) continue;
            const Status written = zip.append(output.entry, output.rows);
            if (!written.ok()) return written;
            output.rows.clear();
        }
    }
    return {};
}

Result<std::uint64_t> count_contacts(Recording& recording)
{
    std::uint64_t count = 0;
    for (std::int64_t i = 0; recording.model().contacts && i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> frame = recording.frame(i);
        if (!frame.ok()) return frame.errors();
        count += frame.value().contacts.size();
    }
    return count;
}

}  // namespace

Status export_npz(Recording& recording, const std::filesystem::path& path)
{
    const Result<std::uint64_t> contact_count = count_contacts(recording);
    if (!contact_count.ok()) return contact_count.errors();
    Result<NewFile> opened = NewFile::open(path);
    if (!opened.ok()) return opened.errors();
    ZipWriter zip(std::move(opened).value());

    std::vector<Output> outputs;
    std::vector<Bytes> headers;
    for (Column& column : make_columns(recording.model()))
    {
        const std::uint64_t rows =
            column.per_contact ? contact_count.value() : static_cast<std::uint64_t>(recording.frame_count());
        std::vector<std::uint64_t> shape{rows};
        shape.insert(shape.end(), column.shape.begin(), column.shape.end());
        headers.push_back(make_npy_header(column.type, shape));
        const std::size_t entry = zip.add(column.name + ".npy", headers.back().size() + rows * column.row_size());
        outputs.push_back({std::move(column), entry, {}});
    }
    std::vector<std::pair<std::size_t, Bytes>> constants;
    for (auto& [name, bytes] : make_constants(recording.model()))
    {
        const std::size_t entry = zip.add(name + ".npy", bytes.size());
        constants.emplace_back(entry, std::move(bytes));
    }
    if (!zip.fits())
    {
        return Error{.code = ErrorCode::limit,
                     .where = path.string(),
                     .message = "the archive would be larger than 4 GiB",
                     .hint = "record with a larger stride"};
    }

    for (std::size_t i = 0; i < outputs.size(); ++i)
    {
        const Status written = zip.append(outputs[i].entry, headers[i]);
        if (!written.ok()) return written;
    }
    for (const auto& [entry, bytes] : constants)
    {
        const Status written = zip.append(entry, bytes);
        if (!written.ok()) return written;
    }
    const Status written = write_frames(recording, outputs, zip);
    return written.ok() ? zip.finish() : written;
}

}  // namespace rattleback
