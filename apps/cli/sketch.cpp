// Sketches of a model from the side.
#include "sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace rattleback::cli
{

namespace
{

/// What all sketches of a strip share: the part of the plane they show.
struct Frame
{
    double x0 = 1e300, x1 = -1e300, z0 = 1e300, z1 = -1e300;

    double width() const { return x1 - x0; }
    double height() const { return z1 - z0; }
};

Frame find_frame(const std::vector<Sketch>& sketches)
{
    Frame frame;
    for (const Sketch& sketch : sketches)
    {
        for (const Stroke& s : sketch.strokes)
        {
            frame.x0 = std::min({frame.x0, s.x0 - s.width / 2, s.x1 - s.width / 2});
            frame.x1 = std::max({frame.x1, s.x0 + s.width / 2, s.x1 + s.width / 2});
            frame.z0 = std::min({frame.z0, s.z0 - s.width / 2, s.z1 - s.width / 2});
            frame.z1 = std::max({frame.z1, s.z0 + s.width / 2, s.z1 + s.width / 2});
        }
    }
    if (frame.x0 > frame.x1) frame = {0, 1, 0, 1};
    // A picture needs some width and height even when everything is on one line.
    const double least = 0.05 + 0.35 * std::max(frame.width(), frame.height());
    const double grow_x = std::max(0.0, least - frame.width()) / 2;
    const double grow_z = std::max(0.0, least - frame.height()) / 2;
    return {frame.x0 - grow_x, frame.x1 + grow_x, frame.z0 - grow_z, frame.z1 + grow_z};
}

/// Black and white dots, two by four to a character (Unicode's Braille block).
class Dots
{
public:
    Dots(int columns, int lines)
        : columns_(columns), lines_(lines), cells_(static_cast<std::size_t>(columns * lines), 0)
    {
    }

    void set(int x, int y)
    {
        if (x < 0 || y < 0 || x >= 2 * columns_ || y >= 4 * lines_) return;
        constexpr unsigned char kBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
        cells_[static_cast<std::size_t>(y / 4 * columns_ + x / 2)] |= kBits[y % 4][x % 2];
    }

    void line(double x0, double y0, double x1, double y1)
    {
        const int count = 1 + static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
        for (int i = 0; i <= count; ++i)
        {
            const double t = static_cast<double>(i) / count;
            set(static_cast<int>(std::lround(x0 + t * (x1 - x0))), static_cast<int>(std::lround(y0 + t * (y1 - y0))));
        }
    }

    std::string row(int index) const
    {
        std::string text;
        for (int c = 0; c < columns_; ++c)
        {
            const unsigned bits = cells_[static_cast<std::size_t>(index * columns_ + c)];
            if (bits == 0)
            {
                text += ' ';
                continue;
            }
            text += '\xE2';  // U+2800 + bits in UTF-8
            text += static_cast<char>(0xA0U | (bits >> 6U));
            text += static_cast<char>(0x80U | (bits & 0x3FU));
        }
        return text;
    }

private:
    int columns_, lines_;
    std::vector<unsigned char> cells_;
};

/// The longest axis of a box, half of it.
Vec3 find_longest(const Vec3& size)
{
    const double longest = std::max({size.x, size.y, size.z});
    return size.x == longest ? Vec3{size.x, 0, 0} : size.y == longest ? Vec3{0, size.y, 0} : Vec3{0, 0, size.z};
}

/// A shape as a thick line in its own frame.
struct Limb
{
    Vec3 middle, half;
    double width = 0;
};

/// The box around a mesh, as a line along its longest side.
Limb find_limb(const MeshOptions& mesh)
{
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3& v : mesh.vertices)
    {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    const Vec3 size = 0.5 * (high - low);
    return {0.5 * (low + high), find_longest(size), 2 * std::min({size.x, size.y, size.z})};
}

/// Nothing for shapes that are not drawn.
std::optional<Limb> find_limb(const Model& model, std::size_t shape)
{
    const Vec3& size = model.shapes.size[shape];
    switch (model.shapes.type[shape])
    {
        case ShapeType::sphere:
            return Limb{{}, {}, 2 * size.x};
        case ShapeType::capsule:
        case ShapeType::cylinder:
            return Limb{{}, {0, 0, size.y}, 2 * size.x};
        case ShapeType::box:
        case ShapeType::ellipsoid:
            return Limb{{}, find_longest(size), 2 * std::min({size.x, size.y, size.z})};
        case ShapeType::hull:
        case ShapeType::mesh:
            return find_limb(model.meshes[static_cast<std::size_t>(model.shapes.asset[shape])]);
        default:
            return std::nullopt;
    }
}

void draw_stroke(const Stroke& s, const Frame& frame, double scale, Dots& dots)
{
    const auto px = [&](double x) { return (x - frame.x0) * scale; };
    const auto py = [&](double z) { return (frame.z1 - z) * scale; };
    const bool point = std::hypot(s.x1 - s.x0, s.z1 - s.z0) < 0.5 * s.width;
    if (!point || s.width * scale < 3)
    {
        dots.line(px(s.x0), py(s.z0), px(s.x1), py(s.z1));
        return;
    }
    constexpr int kCorners = 16;  // a round thing: its outline
    const double r = s.width / 2, x = (s.x0 + s.x1) / 2, z = (s.z0 + s.z1) / 2;
    for (int i = 0; i < kCorners; ++i)
    {
        const double a = 2 * kPi * i / kCorners, b = 2 * kPi * (i + 1) / kCorners;
        dots.line(px(x + r * std::cos(a)), py(z + r * std::sin(a)), px(x + r * std::cos(b)), py(z + r * std::sin(b)));
    }
}

}  // namespace

Sketch make_sketch(const Model& model, const State& state)
{
    Sketch sketch{.time = state.time[0]};
    for (std::size_t i = 0; i < model.shapes.type.size(); ++i)
    {
        const std::optional<Limb> limb = find_limb(model, i);
        if (!limb) continue;
        const Pose pose = state.body_pose[static_cast<std::size_t>(model.shapes.body[i])] * model.shapes.pose[i];
        const Vec3 middle = pose.position + rotate(pose.rotation, limb->middle);
        const Vec3 along = rotate(pose.rotation, limb->half);
        const Vec3 from = middle - along, to = middle + along;
        sketch.strokes.push_back({from.x, from.z, to.x, to.z, limb->width});
    }
    return sketch;
}

std::string draw_text(const std::vector<Sketch>& sketches, int height)
{
    if (sketches.empty()) return "";
    const Frame frame = find_frame(sketches);
    const int widest = 72 / static_cast<int>(sketches.size()) - 2;
    const double scale = std::min((4.0 * height - 1) / frame.height(), (2.0 * widest - 1) / frame.width());
    const int columns = std::max(8, 1 + static_cast<int>(frame.width() * scale / 2));
    const int lines = std::max(1, 1 + static_cast<int>(frame.height() * scale / 4));

    std::vector<Dots> pictures;
    for (const Sketch& sketch : sketches)
    {
        Dots dots(columns, lines);
        for (const Stroke& stroke : sketch.strokes) draw_stroke(stroke, frame, scale, dots);
        pictures.push_back(std::move(dots));
    }
    std::string text;
    for (int line = 0; line < lines; ++line)
    {
        std::string row = "  ";
        for (const Dots& dots : pictures) row += dots.row(line) + "  ";
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
    }
    std::string times = "  ";
    for (const Sketch& sketch : sketches)
        times += fmt::format("{:<{}}", fmt::format("{:.2f} s", sketch.time), columns + 2);
    times.erase(times.find_last_not_of(' ') + 1);
    return text + times + '\n';
}

}  // namespace rattleback::cli
