// MuJoCo's own contact function for one pair of shapes, called directly.
#include "geometry/triangle_surface.h"
#include "lab/peers/mujoco/api.h"
#include "lab/peers/pair_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

/// A body with one geom of the shape; meshes by their vertices.
std::string write_geom(const PlacedShape& shape, const char* name)
{
    const Vec3& s = shape.size;
    std::string geom;
    switch (shape.type)
    {
        case ShapeType::plane:
            return fmt::format("<geom name='{}' type='plane' size='1 1 1'/>", name);
        case ShapeType::height_field:
            return fmt::format("<geom name='{}' type='hfield' hfield='{}'/>", name, name);
        case ShapeType::sphere:
            geom = fmt::format("type='sphere' size='{:.17g}'", s.x);
            break;
        case ShapeType::capsule:
        case ShapeType::cylinder:
            geom = fmt::format("type='{}' size='{:.17g} {:.17g}'", to_string(shape.type), s.x, s.y);
            break;
        case ShapeType::box:
        case ShapeType::ellipsoid:
            geom = fmt::format("type='{}' size='{:.17g} {:.17g} {:.17g}'", to_string(shape.type), s.x, s.y, s.z);
            break;
        default:
            geom = fmt::format("type='mesh' mesh='{}'", name);
            break;
    }
    return fmt::format("<body><freejoint/><geom name='{}' {}/></body>", name, geom);
}

/// Heights must begin at zero: MuJoCo stretches them from there to the highest.
std::string write_field(const HeightFieldOptions& field, const char* name)
{
    const double most = *std::max_element(field.heights.begin(), field.heights.end());
    std::string heights;
    for (const double height : field.heights) heights += fmt::format("{:.17g} ", height);
    return fmt::format("<hfield name='{}' nrow='{}' ncol='{}' size='{:.17g} {:.17g} {:.17g} {:.17g}' elevation='{}'/>",
                       name, field.rows, field.columns, field.half_x, field.half_y, most, field.base, heights);
}

std::string write_mesh(const PlacedShape& shape, const char* name)
{
    if (shape.grid != nullptr) return write_field(shape.grid->field(), name);
    if (shape.hull == nullptr) return "";
    std::string vertices;
    for (const Vec3& v : shape.hull->vertices) vertices += fmt::format("{:.17g} {:.17g} {:.17g} ", v.x, v.y, v.z);
    return fmt::format("<mesh name='{}' vertex='{}'/>", name, vertices);
}

class MujocoProbe final : public PairProbe
{
public:
    MujocoProbe(const MujocoApi& api, ModelPointer model, DataPointer data, bool swapped)
        : api_(api), model_(std::move(model)), data_(std::move(data)), swapped_(swapped)
    {
        for (int g = 0; g < 2; ++g) find_offset(g);
    }

    std::string name() const override { return std::string("mujoco ") + api_.version_string(); }

    int find_contacts(const PlacedShape& first, const PlacedShape& second, double margin) override
    {
        place(0, first);
        place(1, second);
        const int a = swapped_ ? 1 : 0, b = 1 - a;
        const auto function = (*api_.collision_functions)[model_->geom_type[a]][model_->geom_type[b]];
        count_ = function(model_.get(), data_.get(), points_.data(), a, b, margin);
        return count_;
    }

    void read_contacts(std::vector<ProbePoint>& points) const override
    {
        points.clear();
        for (int i = 0; i < count_; ++i)
        {
            const mjPreContact& c = points_[static_cast<std::size_t>(i)];
            const Vec3 normal{c.normal[0], c.normal[1], c.normal[2]};
            points.push_back({{c.pos[0], c.pos[1], c.pos[2]}, swapped_ ? -normal : normal, c.dist});
        }
    }

private:
    /// MuJoCo turns meshes to their principal axes: where its frame of a geom lies in ours.
    void find_offset(int geom)
    {
        const int mesh = model_->geom_dataid[geom];
        if (model_->geom_type[geom] != mjGEOM_MESH) return;
        const double* p = model_->mesh_pos + 3 * mesh;
        const double* q = model_->mesh_quat + 4 * mesh;
        offset_[static_cast<std::size_t>(geom)] = {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
        turned_[static_cast<std::size_t>(geom)] = to_matrix(offset_[static_cast<std::size_t>(geom)].rotation);
    }

    void place(int geom, const PlacedShape& shape)
    {
        Vec3 position = shape.position;
        Mat3 rotation = shape.rotation;
        if (model_->geom_type[geom] == mjGEOM_MESH)
        {
            position += shape.rotation * offset_[static_cast<std::size_t>(geom)].position;
            rotation = shape.rotation * turned_[static_cast<std::size_t>(geom)];
        }
        double* p = data_->geom_xpos + 3 * geom;
        p[0] = position.x, p[1] = position.y, p[2] = position.z;
        std::copy(rotation.m, rotation.m + 9, data_->geom_xmat + 9 * geom);
    }

    const MujocoApi& api_;
    ModelPointer model_;
    DataPointer data_;
    bool swapped_;  ///< MuJoCo takes the lower type first
    std::array<Pose, 2> offset_;
    std::array<Mat3, 2> turned_;
    std::array<mjPreContact, mjMAXCONPAIR> points_{};
    int count_ = 0;
};

}  // namespace

Result<std::unique_ptr<PairProbe>> make_mujoco_probe(const PlacedShape& first, const PlacedShape& second)
{
    const auto api = open_mujoco();
    if (!api.ok()) return api.errors();
    const std::string text =
        fmt::format("<mujoco><asset>{}{}</asset><worldbody>{}{}</worldbody></mujoco>", write_mesh(first, "first"),
                    write_mesh(second, "second"), write_geom(first, "first"), write_geom(second, "second"));
    auto model = load_mujoco_text(*api.value(), text);
    if (!model.ok()) return model.errors();
    const bool swapped = model.value()->geom_type[0] > model.value()->geom_type[1];
    DataPointer data(api.value()->make_data(model.value().get()));
    api.value()->forward(model.value().get(), data.get());
    return std::unique_ptr<PairProbe>(
        std::make_unique<MujocoProbe>(*api.value(), std::move(model).value(), std::move(data), swapped));
}

}  // namespace rattleback::lab
