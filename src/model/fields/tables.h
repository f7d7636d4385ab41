// The tables of a Model with the rows of their arrays.
#pragma once

#include "model/fields/constraint_fields.h"
#include "model/fields/control_fields.h"
#include "model/fields/shape_fields.h"
#include "model/fields/tree_fields.h"

namespace rattleback
{

inline constexpr BodyRows rows_of(const Bodies&) { return {}; }
inline constexpr JointRows rows_of(const Joints&) { return {}; }
inline constexpr JointRows rows_of(const Dofs&) { return {}; }
inline constexpr ShapeRows rows_of(const Shapes&) { return {}; }
inline constexpr SiteRows rows_of(const Sites&) { return {}; }
inline constexpr EqualityRows rows_of(const Equalities&) { return {}; }
inline constexpr TendonRows rows_of(const Tendons&) { return {}; }
inline constexpr ActuatorRows rows_of(const Actuators&) { return {}; }
inline constexpr SensorRows rows_of(const Sensors&) { return {}; }

/// One of the structs of arrays above?
template <class T>
concept TableOfModel = requires(const T& table) { rows_of(table); };

/// visit(row, array) for each array of a table, in the order of the struct.
template <TableOfModel Table, class Visit>
void each_array(Table& table, Visit&& visit)
{
    using Plain = std::remove_const_t<Table>;
    visit_arrays<decltype(rows_of(table)), Plain>([&](const auto& row) { visit(row, table.*row.array); });
}

/// Degrees of freedom of all joints.
inline std::size_t count_dofs(const Joints& joints)
{
    std::size_t count = 0;
    for (const JointType type : joints.type) count += static_cast<std::size_t>(v_count(type));
    return count;
}

/// visit(name, table, count of its elements, the array that says it) for each table of a Model.
template <class AnyModel, class Visit>
void each_table(AnyModel& model, Visit&& visit)
{
    visit("bodies", model.bodies, model.bodies.parent.size(), "bodies.parent");
    visit("joints", model.joints, model.joints.type.size(), "joints.type");
    // Joints and dofs share rows: damping is said of a joint and kept for each of its dofs.
    visit("dofs", model.dofs, count_dofs(model.joints), "joints.type");
    visit("shapes", model.shapes, model.shapes.type.size(), "shapes.type");
    visit("sites", model.sites, model.sites.body.size(), "sites.body");
    visit("equalities", model.equalities, model.equalities.type.size(), "equalities.type");
    visit("tendons", model.tendons, model.tendons.type.size(), "tendons.type");
    visit("actuators", model.actuators, model.actuators.target.size(), "actuators.target");
    visit("sensors", model.sensors, model.sensors.type.size(), "sensors.type");
}

}  // namespace rattleback
