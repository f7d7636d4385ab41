// Numbers, vectors, ranges, softness and targets from Python's objects.
#include "convert.h"

#include "arrays.h"

#include <nanobind/stl/string.h>

#include <cmath>

namespace rattleback::python
{

namespace
{

bool is_text(nb::handle given) { return nb::isinstance<nb::str>(given) || nb::isinstance<nb::bytes>(given); }

std::string class_of(nb::handle given) { return nb::cast<std::string>(given.type().attr("__name__")); }

/// An attribute of one of the package's plain classes.
template <class T>
void assign_attribute(nb::handle given, const char* name, T& value)
{
    const nb::object attribute = given.attr(name);
    try
    {
        assign(attribute, value);
    }
    catch (const Mismatch& mismatch)
    {
        raise_mismatch(class_of(given) + "." + name, mismatch, attribute);
    }
}

/// Rows of `width` numbers each.
struct Rows
{
    NumberArray numbers;
    std::size_t count = 0;
};
Rows read_rows(nb::handle given, std::size_t width)
{
    Rows rows{read_numbers(given), 0};
    const std::vector<std::size_t>& shape = rows.numbers.shape;
    const bool empty = shape.size() == 1 && shape[0] == 0;
    if (!empty && (shape.size() != 2 || shape[1] != width))
        throw Mismatch{"an array of shape (n, " + std::to_string(width) + ")"};
    rows.count = empty ? 0 : shape[0];
    return rows;
}
template <class T, std::size_t N>
void assign_rows(nb::handle given, std::vector<std::array<T, N>>& value)
{
    const Rows rows = read_rows(given, N);
    value.resize(rows.count);
    for (std::size_t i = 0; i < rows.count * N; ++i)
    {
        const double number = rows.numbers.values[i];
        if (std::is_integral_v<T> && (number != std::floor(number) || std::abs(number) > 2147483647.0))
            throw Mismatch{"whole numbers"};
        value[i / N][i % N] = static_cast<T>(number);
    }
}

}  // namespace

void raise_mismatch(const std::string& place, const Mismatch& mismatch, nb::handle given)
{
    std::string text = nb::cast<std::string>(nb::repr(given));
    if (text.size() > 80) text = text.substr(0, 77) + "...";
    throw nb::type_error((place + ": expected " + mismatch.expected + ", got " + class_of(given) + " " + text).c_str());
}

void assign(nb::handle given, bool& value)
{
    const std::string type = class_of(given);
    if (type != "bool" && type != "bool_") throw Mismatch{"True or False"};
    value = nb::cast<bool>(nb::bool_(nb::borrow(given)));
}
void assign(nb::handle given, double& value)
{
    if (is_text(given)) throw Mismatch{"a number"};
    value = PyFloat_AsDouble(given.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr)
    {
        PyErr_Clear();
        throw Mismatch{"a number"};
    }
}
void assign(nb::handle given, int& value)
{
    const nb::object index = nb::steal(PyNumber_Index(given.ptr()));
    if (!index.is_valid()) PyErr_Clear();
    if (!index.is_valid() || nb::isinstance<nb::bool_>(given)) throw Mismatch{"an integer"};
    const long number = PyLong_AsLong(index.ptr());
    if (PyErr_Occurred() != nullptr) PyErr_Clear();
    if (number != static_cast<int>(number) || (number == -1 && !index.equal(nb::int_(-1))))
        throw Mismatch{"an integer of 32 bits"};
    value = static_cast<int>(number);
}
void assign(nb::handle given, std::uint32_t& value)
{
    double number = 0;
    assign(given, number);
    if (number < 0 || number > 4294967295.0 || number != std::floor(number))
        throw Mismatch{"a whole number from 0 to 2^32 - 1"};
    value = static_cast<std::uint32_t>(number);
}
void assign(nb::handle given, std::string& value)
{
    if (!nb::isinstance<nb::str>(given)) throw Mismatch{"a text"};
    value = nb::cast<std::string>(given);
}
void assign_numbers(nb::handle given, double* values, int count)
{
    const std::string expected = std::to_string(count) + " numbers";
    if (is_text(given) || PySequence_Check(given.ptr()) == 0) throw Mismatch{expected};
    const Py_ssize_t size = PySequence_Size(given.ptr());
    if (size < 0) PyErr_Clear();
    if (size != count) throw Mismatch{expected};
    for (int i = 0; i < count; ++i)
    {
        const nb::object item = nb::steal(PySequence_GetItem(given.ptr(), i));
        if (!item.is_valid())
        {
            PyErr_Clear();
            throw Mismatch{expected};
        }
        try
        {
            assign(item, values[i]);
        }
        catch (const Mismatch&)
        {
            throw Mismatch{expected};
        }
    }
}
void assign(nb::handle given, Vec3& value) { assign_numbers(given, &value.x, 3); }
void assign(nb::handle given, Quat& value)
{
    try
    {
        assign_numbers(given, &value.w, 4);
    }
    catch (const Mismatch&)
    {
        throw Mismatch{"a quaternion (w, x, y, z)"};
    }
}
void assign(nb::handle given, Pose& value)
{
    std::array<double, 7> numbers{};
    try
    {
        assign(given, numbers);
    }
    catch (const Mismatch&)
    {
        throw Mismatch{"a pose of 7 numbers: position (x, y, z), rotation (w, x, y, z)"};
    }
    value = {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5], numbers[6]}};
}
void assign(nb::handle given, Range& value)
{
    value = {};
    if (given.is_none()) return;
    std::array<double, 2> bounds{};
    try
    {
        assign(given, bounds);
    }
    catch (const Mismatch&)
    {
        throw Mismatch{"(lower, upper), or None: no limit"};
    }
    value = {.limited = true, .lower = bounds[0], .upper = bounds[1]};
}

void assign(nb::handle given, Spring& value)
{
    if (class_of(given) != "Spring") throw Mismatch{"rattleback.Spring"};
    assign_attribute(given, "stiffness", value.stiffness);
    assign_attribute(given, "damping", value.damping);
}
void assign(nb::handle given, Softness& value)
{
    const std::string type = class_of(given);
    if (type == "Rigid")
        value = Rigid{};
    else if (type == "Spring")
        assign(given, value.emplace<Spring>());
    else if (type == "Impedance")
    {
        auto& impedance = value.emplace<Impedance>();
        assign_attribute(given, "solref", impedance.solref);
        assign_attribute(given, "solimp", impedance.solimp);
    }
    else
        throw Mismatch{"rattleback.Rigid, Spring or Impedance"};
}
void assign(nb::handle given, Cable& value)
{
    if (class_of(given) != "Cable") throw Mismatch{"rattleback.Cable"};
    assign_attribute(given, "stretch", value.stretch);
    assign_attribute(given, "shear", value.shear);
    assign_attribute(given, "bend", value.bend);
    assign_attribute(given, "twist", value.twist);
}
void assign(nb::handle given, Inertia& value)
{
    if (class_of(given) != "Inertia") throw Mismatch{"rattleback.Inertia"};
    assign_attribute(given, "mass", value.mass);
    assign_attribute(given, "position", value.position);
    assign_attribute(given, "rotation", value.rotation);
    assign_attribute(given, "diagonal", value.diagonal);
    assign_attribute(given, "products", value.products);
}
void assign(nb::handle given, Medium& value)
{
    if (class_of(given) != "Medium") throw Mismatch{"rattleback.Medium"};
    assign_attribute(given, "density", value.density);
    assign_attribute(given, "viscosity", value.viscosity);
    assign_attribute(given, "wind", value.wind);
}

void assign(nb::handle given, Shape& value)
{
    const std::string type = class_of(given);
    if (type == "Plane")
        value = Plane{};
    else if (type == "Sphere")
        assign_attribute(given, "radius", value.emplace<Sphere>().radius);
    else if (type == "Capsule" || type == "Cylinder")
    {
        double radius = 0, half_length = 0;
        assign_attribute(given, "radius", radius);
        assign_attribute(given, "half_length", half_length);
        if (type == "Capsule")
            value = Capsule{radius, half_length};
        else
            value = Cylinder{radius, half_length};
    }
    else if (type == "Box")
        assign_attribute(given, "half_extents", value.emplace<Box>().half_extents);
    else if (type == "Ellipsoid")
        assign_attribute(given, "radii", value.emplace<Ellipsoid>().radii);
    else if (type == "Hull")
        assign_attribute(given, "mesh", value.emplace<Hull>().mesh);
    else if (type == "Mesh")
    {
        auto& mesh = value.emplace<Mesh>();
        assign_attribute(given, "mesh", mesh.mesh);
        const nb::object collide = given.attr("collide"), mass = given.attr("mass");
        try
        {
            mesh.collide =
                static_cast<MeshCollide>(find_word(collide, [](int i) { return i == 0 ? "hull" : "exact"; }, 2));
            static constexpr const char* kMasses[] = {"exact", "legacy", "convex", "shell"};
            mesh.mass = static_cast<MeshMass>(find_word(mass, [](int i) { return kMasses[i]; }, 4));
        }
        catch (const Mismatch& mismatch)
        {
            raise_mismatch("Mesh", mismatch, nb::make_tuple(collide, mass));
        }
    }
    else if (type == "HeightField")
        assign_attribute(given, "field", value.emplace<HeightField>().field);
    else if (type == "Points")
        assign_attribute(given, "mesh", value.emplace<Points>().mesh);
    else if (type == "Segments")
        assign_attribute(given, "mesh", value.emplace<Segments>().mesh);
    else if (type == "Surface")
        assign_attribute(given, "mesh", value.emplace<Surface>().mesh);
    else
        throw Mismatch{"a shape, for example rattleback.Box(half_extents=(0.1, 0.1, 0.1))"};
}

void assign(nb::handle given, Parameters& value)
{
    if (!nb::isinstance<nb::dict>(given)) throw Mismatch{"a dict of parameters"};
    value.clear();
    for (auto [key, item] : nb::borrow<nb::dict>(given))
    {
        if (!nb::isinstance<nb::str>(key)) throw Mismatch{"a dict with names as keys"};
        ParameterValue& parameter = value[nb::cast<std::string>(key)];
        if (nb::isinstance<nb::bool_>(item))
            parameter = nb::cast<bool>(item);
        else if (nb::isinstance<nb::str>(item))
            parameter = nb::cast<std::string>(item);
        else if (PyIndex_Check(item.ptr()) != 0)
            assign(item, parameter.emplace<int>());
        else
            assign(item, parameter.emplace<double>());
    }
}
void assign(nb::handle given, std::map<std::string, Parameters, std::less<>>& value)
{
    if (!nb::isinstance<nb::dict>(given)) throw Mismatch{"a dict: solver -> dict of parameters"};
    value.clear();
    for (auto [key, item] : nb::borrow<nb::dict>(given)) assign(item, value[nb::cast<std::string>(nb::str(key))]);
}

namespace
{

/// True, and the variant holds the id, where `given` is one of class Id<Tag>.
template <class Tag, class Target>
bool assign_if(nb::handle given, Target& value)
{
    if (class_of(given) != id_class<Tag>) return false;
    assign(given, value.template emplace<Id<Tag>>());
    return true;
}

}  // namespace

void assign(nb::handle given, ActuatorTarget& value)
{
    if (assign_if<JointTag>(given, value) || assign_if<TendonTag>(given, value) || assign_if<SiteTag>(given, value) ||
        assign_if<BodyTag>(given, value))
        return;
    throw Mismatch{"a JointId, TendonId, SiteId or BodyId"};
}
void assign(nb::handle given, SensorTarget& value)
{
    if (given.is_none())
    {
        value = std::monostate{};
        return;
    }
    if (assign_if<JointTag>(given, value) || assign_if<BodyTag>(given, value) || assign_if<SiteTag>(given, value) ||
        assign_if<TendonTag>(given, value) || assign_if<ActuatorTag>(given, value) || assign_if<ShapeTag>(given, value))
        return;
    const std::string type = class_of(given);
    if (type == "InertialFrame")
        assign_attribute(given, "body", value.emplace<InertialFrame>().body);
    else if (type == "Subtree")
        assign_attribute(given, "body", value.emplace<Subtree>().body);
    else if (type == "CameraFrame")
    {
        auto& camera = value.emplace<CameraFrame>();
        assign_attribute(given, "body", camera.body);
        assign_attribute(given, "pose", camera.pose);
    }
    else
        throw Mismatch{"None, a typed id such as BodyId, or an InertialFrame, Subtree or CameraFrame"};
}

void assign(nb::handle given, std::vector<double>& value)
{
    const NumberArray numbers = read_numbers(given);
    value.assign(numbers.values.begin(), numbers.values.end());
}
void assign(nb::handle given, std::vector<Vec3>& value)
{
    const Rows rows = read_rows(given, 3);
    value.resize(rows.count);
    for (std::size_t i = 0; i < rows.count; ++i)
        value[i] = {rows.numbers.values[3 * i], rows.numbers.values[3 * i + 1], rows.numbers.values[3 * i + 2]};
}
void assign(nb::handle given, std::vector<Pose>& value)
{
    const Rows rows = read_rows(given, 7);
    value.resize(rows.count);
    for (std::size_t i = 0; i < rows.count; ++i)
    {
        const double* n = &rows.numbers.values[7 * i];
        value[i] = {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}};
    }
}
void assign(nb::handle given, std::vector<std::array<int, 3>>& value) { assign_rows(given, value); }
void assign(nb::handle given, std::vector<std::array<int, 2>>& value) { assign_rows(given, value); }
void assign(nb::handle given, std::vector<std::array<float, 2>>& value) { assign_rows(given, value); }
void assign(nb::handle given, std::vector<std::vector<std::byte>>& value)
{
    value.clear();
    for (nb::handle item : nb::borrow(given))
    {
        if (!nb::isinstance<nb::bytes>(item)) throw Mismatch{"a list of bytes"};
        const auto bytes = nb::borrow<nb::bytes>(item);
        const auto* begin = static_cast<const std::byte*>(static_cast<const void*>(bytes.c_str()));
        value.emplace_back(begin, begin + bytes.size());
    }
}
void assign(nb::handle given, std::vector<std::pair<JointId, double>>& value)
{
    value.clear();
    for (nb::handle item : nb::borrow(given))
    {
        if (PySequence_Check(item.ptr()) == 0 || nb::len(item) != 2) throw Mismatch{"pairs (joint, coefficient)"};
        auto& [joint, coefficient] = value.emplace_back();
        assign(nb::borrow(item)[0], joint);
        assign(nb::borrow(item)[1], coefficient);
    }
}
void assign(nb::handle given, std::vector<ModelBuilder::PathItem>& value)
{
    value.clear();
    for (nb::handle item : nb::borrow(given))
    {
        ModelBuilder::PathItem& stop = value.emplace_back();
        const std::string type = class_of(item);
        if (type == "SiteId")
            assign(item, stop.site);
        else if (type == "Pulley")
            assign_attribute(item, "divisor", stop.divisor);
        else if (type == "Wrap")
        {
            assign_attribute(item, "shape", stop.shape);
            assign_attribute(item, "side_site", stop.side_site);
        }
        else
            throw Mismatch{"a list of SiteId, rattleback.Wrap and rattleback.Pulley"};
    }
}

int to_index(nb::handle given, const char* class_name)
{
    if (given.is_none()) return -1;
    const std::string type = class_of(given);
    if (type.size() > 2 && type.ends_with("Id") && type != class_name) throw Mismatch{std::string("a ") + class_name};
    int index = -1;
    try
    {
        assign(given, index);
    }
    catch (const Mismatch&)
    {
        throw Mismatch{std::string("a ") + class_name + " or an integer"};
    }
    return index;
}

int find_word(nb::handle given, const char* (*spell)(int), int count)
{
    std::string expected = "one of";
    for (int i = 0; i < count; ++i)
    {
        if (nb::isinstance<nb::str>(given) && nb::cast<std::string>(given) == spell(i)) return i;
        expected += std::string(i == 0 ? " '" : ", '") + spell(i) + "'";
    }
    throw Mismatch{expected};
}

nb::object to_python(const ParameterValue& value)
{
    return std::visit([](const auto& held) -> nb::object { return nb::cast(held); }, value);
}
nb::object to_python(const Parameters& parameters)
{
    nb::dict result;
    for (const auto& [name, value] : parameters) result[name.c_str()] = to_python(value);
    return result;
}
nb::object to_python(const Range& range)
{
    if (!range.limited) return nb::none();
    return nb::make_tuple(range.lower, range.upper);
}
nb::object to_python(const Softness& softness)
{
    if (const auto* spring = std::get_if<Spring>(&softness))
        return find_class("Spring")(spring->stiffness, spring->damping);
    if (const auto* impedance = std::get_if<Impedance>(&softness))
    {
        const auto& [solref, solimp] = *impedance;
        return find_class("Impedance")(nb::make_tuple(solref[0], solref[1]),
                                       nb::make_tuple(solimp[0], solimp[1], solimp[2], solimp[3], solimp[4]));
    }
    return find_class("Rigid")();
}
nb::tuple to_python(const std::array<double, 2>& pair) { return nb::make_tuple(pair[0], pair[1]); }

nb::tuple to_python(const Vec3& value) { return nb::make_tuple(value.x, value.y, value.z); }
nb::tuple to_python(const Quat& value) { return nb::make_tuple(value.w, value.x, value.y, value.z); }

}  // namespace rattleback::python
