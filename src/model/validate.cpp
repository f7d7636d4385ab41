// validate(Model): sizes of arrays first, then indices, then numbers.
#include "model/validate.h"
#include "model/fields/tables.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Arrays that must have `count` elements, as many as `reference` has (or follow from it).
class SizeChecker
{
public:
    SizeChecker(Checker& checker, std::size_t count, std::string reference)
        : checker_(checker), count_(count), reference_(std::move(reference))
    {
    }

    template <class T>
    void check(const char* array, const T& items, std::size_t extra = 0) const
    {
        if (items.size() == count_ + extra) return;
        checker_.enter(array);
        checker_.fail("has " + std::to_string(items.size()) + " elements instead of " + std::to_string(count_ + extra) +
                      ", which follows from " + reference_);
    }

private:
    Checker& checker_;
    std::size_t count_;
    std::string reference_;
};

/// The arrays of one table that have an item, or one more, for each of its elements.
template <class Table>
void check_table(const char* table_name, const Table& table, const SizeChecker& size)
{
    each_array(table,
               [&](const auto& row, const auto& array)
               {
                   if (row_length(row) == Length::own) return;
                   size.check((std::string(table_name) + "." + row.name).c_str(), array,
                              row_length(row) == Length::count_plus_one ? 1 : 0);
               });
}

/// The arrays that list items of other elements, or several for each.
void check_lists(const Model& model, Checker& checker)
{
    const auto check = [&](const char* array, const auto& items, std::size_t count, const char* of)
    { SizeChecker(checker, count, of).check(array, items); };
    const auto end_of = [](const std::vector<int>& begin)
    { return static_cast<std::size_t>(begin.empty() ? 0 : std::max(0, begin.back())); };
    check("level_bodies", model.level_bodies, model.bodies.parent.size(), "bodies.parent");
    check("bodies.joints_of_body", model.bodies.joints_of_body, model.joints.type.size(), "joints.type");
    check("bodies.shapes_of_body", model.bodies.shapes_of_body, model.shapes.type.size(), "shapes.type");
    if (!model.dofs.row_begin.empty())
        check("dofs.row_column", model.dofs.row_column, end_of(model.dofs.row_begin), "dofs.row_begin");
    // built without tendons it holds the one zero; a Model made by hand may leave it empty
    const Tendons& tendons = model.tendons;
    if (!tendons.type.empty() || tendons.item_begin.size() > 1)
        check("tendons.item_begin", tendons.item_begin, tendons.type.size() + 1, "tendons.type");
    check("tendons.items", tendons.items, end_of(tendons.item_begin), "tendons.item_begin");
    std::size_t taxels = 0;
    for (std::size_t i = 0; i < std::min(model.sensors.type.size(), model.sensors.count.size()); ++i)
        taxels += model.sensors.type[i] == SensorType::tactile
                      ? static_cast<std::size_t>(std::max(0, model.sensors.count[i]))
                      : 0;
    // Kinds that do not exist are named elsewhere, and have no length.
    const bool known = std::all_of(model.sensors.type.begin(), model.sensors.type.end(),
                                   [](SensorType type) { return static_cast<int>(type) < kSensorTypeCount; });
    if (known) check("sensors.taxels", model.sensors.taxels, taxels, "sensors.count");
    check("hulls", model.hulls, model.meshes.size(), "meshes");
}

void check_name_index(const Model& model, Checker& checker)
{
    const auto& [bodies, joints, shapes, sites, tendons, actuators, sensors, keyframes] = model.name_index;
    const auto check = [&](const char* array, const std::vector<int>& order, std::size_t count, const char* of)
    { SizeChecker(checker, count, of).check(array, order); };
    check("name_index.bodies", bodies, model.bodies.parent.size(), "bodies.parent");
    check("name_index.joints", joints, model.joints.type.size(), "joints.type");
    check("name_index.shapes", shapes, model.shapes.type.size(), "shapes.type");
    check("name_index.sites", sites, model.sites.body.size(), "sites.body");
    check("name_index.tendons", tendons, model.tendons.type.size(), "tendons.type");
    check("name_index.actuators", actuators, model.actuators.target.size(), "actuators.target");
    check("name_index.sensors", sensors, model.sensors.type.size(), "sensors.type");
    check("name_index.keyframes", keyframes, model.keyframes.size(), "keyframes");
}

}  // namespace

void check_sizes(const Model& model, Checker& checker)
{
    // What must never be empty, then every table by the lists of its fields, then lists whose lengths follow from
    // others.
    checker.enter("bodies.parent");
    checker.require(!model.bodies.parent.empty(), "is empty", "body 0 is the world");
    checker.enter("materials");
    checker.require(!model.materials.empty(), "is empty", "material 0 is the default");
    checker.enter("level_begin");
    checker.require(!model.level_begin.empty(), "is empty");
    each_table(model, [&](const char* name, const auto& table, std::size_t count, const char* counted)
               { check_table(name, table, SizeChecker(checker, count, counted)); });
    check_lists(model, checker);
    std::size_t q_total = 0;
    for (const JointType type : model.joints.type) q_total += static_cast<std::size_t>(q_count(type));
    const SizeChecker q_size(checker, q_total, "joints.type"), v_size(checker, count_dofs(model.joints), "joints.type");
    q_size.check("q0", model.q0);
    q_size.check("initial_q", model.initial_q);
    q_size.check("spring_q", model.spring_q);
    v_size.check("initial_v", model.initial_v);
    check_name_index(model, checker);
}

std::vector<Error> validate(const Model& model)
{
    Checker checker;
    check_sizes(model, checker);
    // Indices are looked at only where sizes are right, numbers only where indices are: nothing reads past an end.
    if (checker.count() == 0) check_structure(model, checker);
    if (checker.count() == 0) check_appearance_indices(model, checker);
    if (checker.count() == 0) check_numbers(model, checker);
    return checker.take();
}

}  // namespace rattleback
