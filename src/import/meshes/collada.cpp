// Reads the triangles of COLLADA 1.4: geometries where the nodes of the scene put them, in metres.
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "import/meshes/placed_mesh.h"
#include "import/meshes/polygon.h"
#include "import/meshes/text_cursor.h"
#include "import/xml/xml_text.h"

namespace rattleback
{
namespace
{

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The next word of a list; empty at its end.
std::string_view take_word(std::string_view& list)
{
    while (!list.empty() && is_space(list.front())) list.remove_prefix(1);
    std::size_t end = 0;
    while (end < list.size() && !is_space(list[end])) ++end;
    const std::string_view word = list.substr(0, end);
    list.remove_prefix(end);
    return word;
}

/// All elements that have an id.
struct IdIndex : pugi::xml_tree_walker
{
    bool for_each(pugi::xml_node& node) override
    {
        if (const pugi::xml_attribute id = node.attribute("id")) nodes.emplace(id.value(), node);
        return true;
    }
    std::map<std::string, pugi::xml_node, std::less<>> nodes;
};

class ColladaReader
{
public:
    ColladaReader(const XmlText& file, std::string_view name, const MeshLimits& limits, Log& log)
        : file_(file), log_(log), limits_(limits), mesh_(name, limits), work_left_(limits.polygon_work)
    {
    }

    void read()
    {
        const pugi::xml_node root = file_.document.document_element();
        if (std::string_view(root.name()) != "COLLADA")
            return fail(root, "the file begins with '" + std::string(root.name()) + "' instead of 'COLLADA'");
        pugi::xml_node document = file_.document;
        document.traverse(ids_);
        const AffineMap place = find_frame(root.child("asset"));
        pugi::xml_node scene = find(root.child("scene").child("instance_visual_scene"), "url", true);
        if (!scene) scene = root.child("library_visual_scenes").child("visual_scene");
        if (scene)
            read_nodes(scene, place);
        else
        {
            // Without a scene every geometry stands where it was drawn.
            for (const pugi::xml_node& geometry : root.child("library_geometries").children("geometry"))
                read_geometry(geometry, place);
        }
        if (log_.good() && !mesh_.has_triangles())
            fail(root, "the scene has no triangles", "a 'visual_scene' with 'instance_geometry'");
    }
    MeshOptions take() { return mesh_.take(); }

private:
    void fail(pugi::xml_node node, std::string message, std::string hint = {}, ErrorCode code = ErrorCode::syntax)
    {
        if (++fault_count_ <= limits_.errors || log_.good())
            log_.fail(file_.locate(node), std::move(message), std::move(hint), code);
    }
    bool stopped() const { return fault_count_ > 0; }

    /// Instances read a list again and again, so that a small file could ask for endless work.
    bool spend_word(pugi::xml_node node)
    {
        if (words_left_-- > 0) return true;
        fail(node, "instances repeat the geometries too often", "", ErrorCode::limit);
        return false;
    }

    /// The element that "#id" in an attribute names.
    pugi::xml_node find(pugi::xml_node user, const char* attribute, bool optional = false)
    {
        const std::string_view url = user.attribute(attribute).value();
        if (url.empty() && optional) return {};
        const auto found = url.starts_with("#") ? ids_.nodes.find(url.substr(1)) : ids_.nodes.end();
        if (found != ids_.nodes.end()) return found->second;
        fail(user, "'" + std::string(user.name()) + "' names " + quoted(url) + ", which is not in the file", "",
             ErrorCode::unknown_name);
        return {};
    }

    /// From the file's unit to metres. The axes stay: meshes of robots are modelled in the frames of their links, with
    /// whatever `up_axis` the exporter writes, and those who draw robots pass over it.
    AffineMap find_frame(pugi::xml_node asset)
    {
        AffineMap map;
        const pugi::xml_node unit = asset.child("unit");
        double meter = 1;
        if (unit.attribute("meter") &&
            (parse_coordinate(unit.attribute("meter").value(), meter) != NumberFault::none || !(meter > 0)))
            fail(unit, "'meter' of 'unit' must be a positive number", "", ErrorCode::invalid_value);
        for (double& entry : map.linear.m) entry *= meter;
        return map;
    }

    /// So many numbers between the tags of an element.
    std::vector<double> read_numbers(pugi::xml_node node, std::size_t most)
    {
        std::vector<double> numbers;
        std::string_view list = node.child_value();
        for (std::string_view word = take_word(list); !word.empty() && spend_word(node); word = take_word(list))
        {
            double value = 0;
            if (numbers.size() == most || parse_coordinate(word, value) != NumberFault::none)
            {
                fail(node, numbers.size() == most ? "'" + std::string(node.name()) + "' holds more than " +
                                                        std::to_string(most) + " numbers"
                                                  : quoted(word) + " in '" + node.name() + "' is not a finite number");
                return {};
            }
            numbers.push_back(value);
        }
        return numbers;
    }

    /// The map of one of a node's elements; nothing: it is no transform.
    std::optional<AffineMap> read_transform(pugi::xml_node node)
    {
        const std::string_view name = node.name();
        const std::size_t count = name == "matrix" ? 16 : name == "rotate" ? 4 : 3;
        if (name == "skew" || name == "lookat")
            fail(node, "'" + std::string(name) + "' is not supported", "write 'matrix'", ErrorCode::unsupported);
        if (name != "matrix" && name != "rotate" && name != "translate" && name != "scale") return std::nullopt;
        const std::vector<double> n = read_numbers(node, count);
        AffineMap map;
        if (n.size() != count)
        {
            if (!stopped()) fail(node, "'" + std::string(name) + "' needs " + std::to_string(count) + " numbers");
            return map;
        }
        if (name == "matrix")
            return AffineMap{{{n[0], n[1], n[2], n[4], n[5], n[6], n[8], n[9], n[10]}}, {n[3], n[7], n[11]}};
        if (name == "translate") map.shift = {n[0], n[1], n[2]};
        if (name == "scale") map.linear = {{n[0], 0, 0, 0, n[1], 0, 0, 0, n[2]}};
        const Vec3 axis{n[0], n[1], n[2]};
        if (name != "rotate" || !(norm(axis) > 0)) return map;
        const double half = 0.5 * n[3] * std::numbers::pi / 180;
        const Vec3 part = (std::sin(half) / norm(axis)) * axis;
        map.linear = to_matrix(Quat{std::cos(half), part.x, part.y, part.z});
        return map;
    }

    void read_nodes(pugi::xml_node scene, const AffineMap& place)
    {
        struct Open
        {
            pugi::xml_node node;
            AffineMap place;
            int depth;
        };
        std::vector<Open> open;
        for (const pugi::xml_node& node : scene.children("node")) open.push_back({node, place, 1});
        for (int count = 0; !open.empty() && !stopped(); ++count)
        {
            const Open here = open.back();
            open.pop_back();
            if (count > kMaxSceneNodes || here.depth > kMaxSceneDepth || open.size() > kMaxSceneNodes)
                return fail(here.node, "the scene has too many nodes, or nodes that hold themselves", "",
                            ErrorCode::limit);
            AffineMap own = here.place;
            for (const pugi::xml_node& child : here.node.children())
            {
                if (open.size() > kMaxSceneNodes) break;
                const std::string_view name = child.name();
                if (const auto map = read_transform(child))
                    own = own * *map;
                else if (name == "node")
                    open.push_back({child, own, here.depth + 1});
                else if (name == "instance_node")
                    open.push_back({find(child, "url"), own, here.depth + 1});
                else if (name == "instance_geometry")
                    read_geometry(find(child, "url"), own);
                else if (name == "instance_controller")
                    fail(child, "skinned meshes are not supported", "", ErrorCode::unsupported);
            }
        }
    }

    /// The points of a `source`, as its accessor counts them.
    std::vector<Vec3> read_source(pugi::xml_node source)
    {
        const pugi::xml_node accessor = source.child("technique_common").child("accessor");
        const pugi::xml_node array = accessor ? find(accessor, "source") : source.child("float_array");
        const std::vector<double> numbers = read_numbers(array, 3 * static_cast<std::size_t>(limits_.vertices));
        if (stopped()) return {};
        const auto said = array.attribute("count").as_ullong(numbers.size());
        const auto stride = accessor.attribute("stride").as_ullong(3),
                   offset = accessor.attribute("offset").as_ullong(0);
        const auto count = accessor.attribute("count").as_ullong(numbers.size() / 3);
        // An empty source is one too: exporters leave such behind. The first three terms keep the last from overflow.
        const bool fits = count == 0 || (count <= numbers.size() && stride <= numbers.size() &&
                                         offset <= numbers.size() && offset + count * stride <= numbers.size());
        if (said != numbers.size() || stride < 3 || !fits)
        {
            fail(array ? array : source,
                 "the counts of 'float_array' and 'accessor' do not fit the " + std::to_string(numbers.size()) +
                     " numbers",
                 "", ErrorCode::invalid_value);
            return {};
        }
        std::vector<Vec3> points;
        for (std::size_t i = 0; i < count; ++i)
        {
            const double* const n = numbers.data() + offset + i * stride;
            points.push_back({n[0], n[1], n[2]});
        }
        return points;
    }

    void read_geometry(pugi::xml_node geometry, const AffineMap& place)
    {
        const pugi::xml_node mesh = geometry.child("mesh");
        if (stopped() || !mesh) return;
        pugi::xml_node positions;
        for (const pugi::xml_node& input : mesh.child("vertices").children("input"))
        {
            if (std::string_view(input.attribute("semantic").value()) == "POSITION") positions = find(input, "source");
        }
        if (!positions && !stopped()) fail(mesh, "the mesh has no 'vertices' with POSITION");
        if (!stopped()) points_ = read_source(positions);
        if (!stopped() && !mesh_.add_part(points_, place)) fail(mesh, mesh_.fault(), "", ErrorCode::limit);
        for (const pugi::xml_node& primitive : mesh.children())
        {
            if (!stopped()) read_primitive(primitive);
        }
    }

    void read_primitive(pugi::xml_node primitive)
    {
        const std::string_view name = primitive.name();
        const bool strip = name == "tristrips", fan = name == "trifans", list = name == "polylist";
        if (name != "triangles" && name != "polygons" && !strip && !fan && !list) return;
        std::size_t stride = 0, offset = 0;
        bool found = false;
        for (const pugi::xml_node& input : primitive.children("input"))
        {
            const std::size_t at = input.attribute("offset").as_uint(0);
            stride = std::max(stride, at + 1);
            if (std::string_view(input.attribute("semantic").value()) != "VERTEX") continue;
            offset = at;
            found = true;
        }
        if (!found) return fail(primitive, "'" + std::string(name) + "' has no input VERTEX");
        if (primitive.child("ph"))
            return fail(primitive, "polygons with holes are not supported", "", ErrorCode::unsupported);
        std::vector<double> sizes;
        if (list) sizes = read_numbers(primitive.child("vcount"), static_cast<std::size_t>(limits_.triangles));
        for (const pugi::xml_node& p : primitive.children("p"))
        {
            const std::vector<int> corners = read_indices(p, stride, offset);
            if (stopped()) return;
            if (name == "triangles") sizes.assign(corners.size() / 3, 3);
            if (name == "polygons") sizes.assign(1, static_cast<double>(corners.size()));
            strip || fan ? add_run(p, corners, fan) : add_polygons(p, corners, sizes);
        }
    }

    /// Every `stride`-th index of a list: those of vertices.
    std::vector<int> read_indices(pugi::xml_node p, std::size_t stride, std::size_t offset)
    {
        std::vector<int> corners;
        std::string_view list = p.child_value();
        std::size_t count = 0;
        for (std::string_view word = take_word(list); !word.empty() && spend_word(p); word = take_word(list), ++count)
        {
            std::int64_t index = -1;
            const auto [rest, fault] = std::from_chars(word.data(), word.data() + word.size(), index);
            const bool number = fault == std::errc() && rest == word.data() + word.size();
            const bool own = count % stride == offset;
            if (number && (!own || (index >= 0 && index < static_cast<std::int64_t>(points_.size()))))
            {
                if (own) corners.push_back(static_cast<int>(index));
                continue;
            }
            fail(p, quoted(word) + " names none of the " + std::to_string(points_.size()) + " vertices", "",
                 ErrorCode::invalid_value);
            return {};
        }
        if (count % stride != 0)
            fail(p, "the list of indices ends in the middle of a corner", "", ErrorCode::invalid_value);
        return corners;
    }

    void add(pugi::xml_node p, const std::array<int, 3>& triangle)
    {
        if (!stopped() && !mesh_.add_triangle(triangle)) fail(p, mesh_.fault(), "", ErrorCode::limit);
    }

    /// Strips turn every second triangle; fans share their first corner.
    void add_run(pugi::xml_node p, const std::vector<int>& c, bool fan)
    {
        for (std::size_t i = 2; i < c.size(); ++i)
        {
            const bool turned = !fan && i % 2 == 1;
            add(p, {c[fan ? 0 : i - 2], c[turned ? i : i - 1], c[turned ? i - 1 : i]});
        }
    }

    void add_polygons(pugi::xml_node p, const std::vector<int>& corners, const std::vector<double>& sizes)
    {
        std::size_t next = 0;
        std::vector<Vec3> polygon;
        std::vector<std::array<int, 3>> triangles;
        for (const double size : sizes)
        {
            const bool fits =
                size >= 0 && size <= static_cast<double>(corners.size() - next) && size == std::floor(size);
            if (!fits || size > static_cast<double>(limits_.polygon_corners))
                return fail(p,
                            fits ? "a polygon has more than " + std::to_string(limits_.polygon_corners) + " corners"
                                 : "the list of indices is shorter than the polygons need",
                            "", fits ? ErrorCode::limit : ErrorCode::invalid_value);
            polygon.clear();
            triangles.clear();
            for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i)
                polygon.push_back(points_[static_cast<std::size_t>(corners[next + i])]);
            if (polygon.size() >= 3 && !cut_polygon(polygon, triangles, work_left_))
                return fail(p, "the polygons have too many corners", "", ErrorCode::limit);
            for (const auto& t : triangles)
            {
                const auto corner = [&](int k)
                { return corners[next + static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]; };
                add(p, {corner(0), corner(1), corner(2)});
            }
            next += polygon.size();
        }
        if (next != corners.size())
            fail(p, "the list of indices is longer than the polygons need", "", ErrorCode::invalid_value);
    }

    const XmlText& file_;
    Log& log_;
    const MeshLimits& limits_;
    PlacedMesh mesh_;
    IdIndex ids_;
    std::vector<Vec3> points_;  ///< of the geometry at hand
    std::uint64_t work_left_;
    std::int64_t words_left_ = 200'000'000;
    std::size_t fault_count_ = 0;
};

}  // namespace

Result<MeshOptions> parse_collada(std::string_view text, std::string_view name, const MeshLimits& limits)
{
    Log log;
    XmlText file;
    if (!file.parse(text, std::string(name), "a COLLADA file holds one element 'COLLADA'", log))
        return log.take_errors();
    ColladaReader reader(file, name, limits, log);
    reader.read();
    if (!log.good()) return log.take_errors();
    return reader.take();
}

}  // namespace rattleback
