// The fields of shapes, materials, pairs and sites.
#pragma once

#include <rattleback/options.h>

#include "model/fields/rows.h"

namespace rattleback
{

/// ShapeOptions and Shapes.
struct ShapeRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        using O = ShapeOptions;
        row(Array{"name", &Shapes::name});
        row(Array{"type", &Shapes::type});
        row(Array{"body", &Shapes::body});
        row(Array{"pose", &Shapes::pose});
        row(Array{"size", &Shapes::size, Check::elsewhere});
        row(Array{"asset", &Shapes::asset});
        row(Array{"mesh_collide", &Shapes::mesh_collide});
        row(Array{"mesh_mass", &Shapes::mesh_mass});
        row(Array{"material", &Shapes::material});
        row(Field{"category", &O::category, &Shapes::category, Check::usual, "contype:i=1"});
        row(Field{"mask", &O::mask, &Shapes::mask, Check::usual, "conaffinity:i=1"});
        row(Field{"margin", &O::margin, &Shapes::margin, Check::usual, "margin:r=0"});
        row(Field{"gap", &O::gap, &Shapes::gap, Check::usual, "gap:r=0"});
        row(Field{"mass", &O::mass, &Shapes::mass, Check::usual, "mass:r"});
        row(Field{"density", &O::density, &Shapes::density, Check::not_negative, "density:r=1000"});
        row(Array{"bounding_radius", &Shapes::bounding_radius, Check::elsewhere});
        row(Field{"colour", &O::colour, &Shapes::colour, Check::usual, "rgba:r4=0.5,0.5,0.5,1"});
        row(Field{"group", &O::group, &Shapes::group, Check::usual, "group:i=0"});
        row(Array{"fluid", &Shapes::fluid});
        row(Array{"fluid_coefficients", &Shapes::fluid_coefficients});
        row(Field{"surface_velocity", &O::surface_velocity, &Shapes::surface_velocity});
        row(Field{"surface_spin", &O::surface_spin, &Shapes::surface_spin});
        row(Option{"position", &O::position, Check::elsewhere});
        row(Option{"rotation", &O::rotation, Check::elsewhere});
        row(Option{"fluid", &O::fluid});
    }
};
static_assert(is_complete<ShapeRows, Shapes>());

/// MaterialOptions, which the Model keeps as they are. MJCF writes the three frictions as one attribute.
struct MaterialRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        using O = MaterialOptions;
        row(Option{"friction", &O::friction, Check::not_negative});
        row(Option{"spinning_friction", &O::spinning_friction, Check::not_negative});
        row(Option{"rolling_friction", &O::rolling_friction, Check::not_negative});
        row(Option{"dimension", &O::dimension, Check::elsewhere, "condim"});
        row(Option{"restitution", &O::restitution, Check::elsewhere});
        row(Option{"softness", &O::softness, Check::usual, "solref solimp"});
        row(Option{"solmix", &O::solmix, Check::usual, "solmix"});
        row(Option{"priority", &O::priority, Check::usual, "priority"});
        row(Option{"adhesion", &O::adhesion, Check::usual, "adhesion"});
    }
};

/// PairOptions; the Model keeps a ShapePair.
struct PairRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        using O = PairOptions;
        row(Option{"margin", &O::margin, Check::usual, "margin"});
        row(Option{"gap", &O::gap, Check::usual, "gap"});
        row(Option{"second_friction", &O::second_friction});
        row(Option{"friction_solref", &O::friction_solref, Check::usual, "solreffriction"});
    }
};

/// SiteOptions and Sites.
struct SiteRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        row(Array{"name", &Sites::name});
        row(Array{"body", &Sites::body});
        row(Array{"pose", &Sites::pose});
        row(Field{"type", &SiteOptions::type, &Sites::type});
        row(Field{"size", &SiteOptions::size, &Sites::size, Check::not_negative});
        row(Option{"position", &SiteOptions::position});
        row(Option{"rotation", &SiteOptions::rotation});
    }
};
static_assert(is_complete<SiteRows, Sites>());

}  // namespace rattleback
