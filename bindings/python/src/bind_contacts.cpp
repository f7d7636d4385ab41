// Contacts: a view of one moment that knows when it is stale; its columns are copied out, because the buffer may move.
#include "objects.h"

#include <nanobind/stl/string.h>

namespace rattleback::python
{

namespace
{

struct ContactsObject
{
    std::shared_ptr<const void> owner;
    SharedModel model;
    const Contacts* contacts = nullptr;
    const ContactForces* forces = nullptr;
    Busy* busy = nullptr;
    std::uint64_t generation = 0;

    bool stale() const { return contacts->generation() != generation; }
    void check() const
    {
        if (!stale()) return;
        PyErr_SetString(find_class("StaleError").ptr(),
                        "these contacts are those of an earlier step; ask the simulation for `contacts` again (or copy "
                        "the columns that you keep)");
        throw nb::python_error();
    }
};

/// A column: what it reads of a contact, `width` numbers each (0: one).
struct ContactColumn
{
    const char* name;
    const char* text;
    int width;
    void (*read)(const Contact& contact, const Wrench& force, double* out);
};
void put(const Vec3& value, double* out)
{
    out[0] = value.x;
    out[1] = value.y;
    out[2] = value.z;
}
const ContactColumn kNumbers[] = {
    {"point", "Half way between the two surfaces, world [m], (n, 3).", 3,
     [](const Contact& c, const Wrench&, double* out) { put(c.point, out); }},
    {"normal", "Unit, from first to second body, world, (n, 3).", 3,
     [](const Contact& c, const Wrench&, double* out) { put(c.normal(), out); }},
    {"frame", "Columns: normal and two tangents, world, (n, 3, 3).", 9,
     [](const Contact& c, const Wrench&, double* out) { std::copy_n(c.frame.m, 9, out); }},
    {"distance", "Between the surfaces [m]; negative: penetration, (n,).", 0,
     [](const Contact& c, const Wrench&, double* out) { *out = c.distance; }},
    {"friction", "Sliding [-], spinning [m], rolling [m], (n, 3).", 3,
     [](const Contact& c, const Wrench&, double* out) { put(c.friction, out); }},
    {"force", "On the second body at the contact point, world axes [N], (n, 3).", 3,
     [](const Contact&, const Wrench& w, double* out) { put(w.force, out); }},
    {"torque", "On the second body, world axes [N m], (n, 3).", 3,
     [](const Contact&, const Wrench& w, double* out) { put(w.torque, out); }},
};
struct IndexColumn
{
    const char* name;
    const char* text;
    std::int64_t (*read)(const Contact& contact);
};
const IndexColumn kIndices[] = {
    {"first_body", "Index of the first body, (n,).",
     [](const Contact& c) -> std::int64_t { return c.first_body.index; }},
    {"second_body", "Index of the second body, (n,).",
     [](const Contact& c) -> std::int64_t { return c.second_body.index; }},
    {"first_shape", "Index of the first shape, (n,).",
     [](const Contact& c) -> std::int64_t { return c.first_shape.index; }},
    {"second_shape", "Index of the second shape, (n,).",
     [](const Contact& c) -> std::int64_t { return c.second_shape.index; }},
    {"dimension", "1 frictionless, 3 sliding, 4 with spinning, 6 with rolling, (n,).",
     [](const Contact& c) -> std::int64_t { return c.dimension; }},
    {"feature", "Which parts of the two shapes touch; the same from step to step while they do, (n,).",
     [](const Contact& c) { return static_cast<std::int64_t>(c.feature); }},
};

nb::object read_numbers_of(const ContactsObject& self, const ContactColumn& column)
{
    self.check();
    std::vector<double> values;
    std::int64_t count = 0;
    {
        const Turn turn(*self.busy, Access::read);
        const std::vector<Contact>& items = self.contacts->items;
        const std::vector<Wrench>& forces = self.forces->items;
        const auto width = static_cast<std::size_t>(std::max(column.width, 1));
        count = static_cast<std::int64_t>(items.size());
        values.resize(items.size() * width);
        for (std::size_t i = 0; i < items.size(); ++i)
            column.read(items[i], i < forces.size() ? forces[i] : Wrench{}, &values[i * width]);
    }
    const std::int64_t shape[3] = {count, column.width == 9 ? 3 : column.width, 3};
    return make_array(std::move(values), {shape, column.width == 0 ? 1U : column.width == 9 ? 3U : 2U});
}
nb::object read_indices_of(const ContactsObject& self, const IndexColumn& column)
{
    self.check();
    std::vector<std::int64_t> values;
    {
        const Turn turn(*self.busy, Access::read);
        for (const Contact& contact : self.contacts->items) values.push_back(column.read(contact));
    }
    return make_array(std::move(values));
}

}  // namespace

nb::object make_contacts(std::shared_ptr<const void> owner, SharedModel model, const Contacts& contacts,
                         const ContactForces& forces, Busy& busy)
{
    return nb::cast(
        ContactsObject{std::move(owner), std::move(model), &contacts, &forces, &busy, contacts.generation()});
}

void bind_contacts(nb::module_& module)
{
    nb::class_<ContactsObject> contacts(
        module, "Contacts",
        "The contacts of one world after its last step, sorted by first shape, second shape and feature. A view: when "
        "the "
        "world has moved on, reading raises StaleError. The columns are arrays of their own.");
    for (const ContactColumn& column : kNumbers)
    {
        const std::string signature =
            std::string("def ") + column.name + "(self) -> numpy.typing.NDArray[numpy.float64]";
        contacts.def_prop_ro(
            column.name, [&column](const ContactsObject& self) { return read_numbers_of(self, column); },
            nb::sig(signature.c_str()), column.text);
    }
    for (const IndexColumn& column : kIndices)
    {
        const std::string signature = std::string("def ") + column.name + "(self) -> numpy.typing.NDArray[numpy.int64]";
        contacts.def_prop_ro(
            column.name, [&column](const ContactsObject& self) { return read_indices_of(self, column); },
            nb::sig(signature.c_str()), column.text);
    }
    contacts.def_prop_ro("stale", &ContactsObject::stale, "Whether the world has moved on since.");
    contacts.def("__len__",
                 [](const ContactsObject& self)
                 {
                     self.check();
                     return self.contacts->count();
                 });
    contacts.def("__repr__",
                 [](const ContactsObject& self)
                 {
                     return self.stale() ? std::string("<rattleback.Contacts: stale>")
                                         : "<rattleback.Contacts: " + std::to_string(self.contacts->count()) + ">";
                 });
}

}  // namespace rattleback::python
