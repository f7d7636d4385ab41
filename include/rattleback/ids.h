// Typed indices into a Model: an integer that cannot be mistaken for another kind's.
#pragma once

#include <rattleback/api.h>

#include <compare>

namespace rattleback RATTLEBACK_API
{

/// Index of one element of a Model; -1 means none. Stable, because a Model never changes after build().
template <class Tag>
struct Id
{
    int index = -1;

    constexpr bool valid() const { return index >= 0; }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;
using ShapeId = Id<struct ShapeTag>;
using SiteId = Id<struct SiteTag>;
using MeshId = Id<struct MeshTag>;
using HeightFieldId = Id<struct HeightFieldTag>;
using MaterialId = Id<struct MaterialTag>;
using TendonId = Id<struct TendonTag>;
using ActuatorId = Id<struct ActuatorTag>;
using SensorId = Id<struct SensorTag>;
using EqualityId = Id<struct EqualityTag>;
using KeyframeId = Id<struct KeyframeTag>;
using CameraId = Id<struct CameraTag>;
using LightId = Id<struct LightTag>;
using TextureId = Id<struct TextureTag>;
using VisualMaterialId = Id<struct VisualMaterialTag>;

inline constexpr BodyId kWorld{0};  ///< body 0: the world, which never moves

}  // namespace rattleback
