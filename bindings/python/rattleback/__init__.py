"""Rattleback: rigid-body physics with one model and many solvers.

    import rattleback as rb

    builder = rb.ModelBuilder()
    builder.add_ground()
    box = builder.add_body(name="box", position=(0, 0, 1))
    builder.add_shape(box, rb.Box(half_extents=(0.1, 0.1, 0.1)))
    sim = rb.Simulation(builder.build())
    sim.run_for(2.0)
    print(f"height {sim.body['box'].position[2]:.3f} m")

SI units, z up, quaternions (w, x, y, z). The words are those of the C++ interface.
"""
# First: it says what an old processor lacks, on some of which numpy dies without a word.
from . import _core as _core
from ._base import (
    WORLD,
    ActuatorId,
    BodyId,
    Box,
    Cable,
    CameraFrame,
    CameraId,
    Capsule,
    Cylinder,
    DynamicsDerivatives,
    Ellipsoid,
    Energy,
    EqualityId,
    Error,
    ErrorItem,
    HeightField,
    HeightFieldId,
    Hull,
    Impedance,
    ImportWarning,
    Inertia,
    InertialFrame,
    JointId,
    Keyframe,
    KeyframeId,
    LightId,
    MaterialId,
    Medium,
    Mesh,
    MeshId,
    Momentum,
    ParameterInfo,
    Plane,
    Points,
    Pulley,
    Rigid,
    Segments,
    SensorId,
    ShapeGap,
    ShapeHit,
    ShapeId,
    SiteId,
    SolverInfo,
    Sphere,
    Spring,
    StaleError,
    StepDerivatives,
    Subtree,
    Surface,
    TendonId,
    TextureId,
    UsageError,
    VisualMaterialId,
    Wrap,
)
from ._core import (
    Contacts,
    Control,
    Dynamics,
    Model,
    ModelBuilder,
    Recorder,
    Rollout,
    Snapshot,
    State,
    StepReport,
    cast_ray,
    choose_solver,
    compute_center_of_mass,
    features_used,
    find_distance,
    find_refusal,
    load_mjcf,
    load_model,
    load_snapshot,
    load_urdf,
    may_collide,
    model_extensions,
    parse_mjcf,
    parse_urdf,
    refresh_bodies,
    solvers,
    write_mjcf,
)
from ._core import version as __version__
from ._math import from_axis_angle, to_matrix
from ._recording import Recording, load_recording
from ._simulation import Batch, Simulation

__all__ = [
    "ActuatorId", "Batch", "BodyId", "Box", "Cable", "CameraFrame", "CameraId", "Capsule", "Contacts", "Control",
    "Cylinder", "Dynamics", "DynamicsDerivatives", "Ellipsoid", "Energy", "EqualityId", "Error", "ErrorItem",
    "HeightField", "HeightFieldId", "Hull", "Impedance", "ImportWarning", "Inertia", "InertialFrame", "JointId",
    "Keyframe", "KeyframeId", "LightId", "MaterialId", "Medium", "Mesh", "MeshId", "Model", "ModelBuilder",
    "Momentum", "ParameterInfo", "Plane", "Points", "Pulley", "Recorder", "Recording", "Rigid", "Rollout",
    "Segments", "SensorId", "ShapeGap", "ShapeHit", "ShapeId", "Simulation", "SiteId", "Snapshot", "SolverInfo",
    "Sphere", "Spring", "StaleError", "State", "StepDerivatives", "StepReport", "Subtree", "Surface", "TendonId", "TextureId",
    "UsageError", "VisualMaterialId", "WORLD", "Wrap", "cast_ray", "choose_solver", "compute_center_of_mass",
    "features_used", "find_distance", "find_refusal", "from_axis_angle", "load_mjcf", "load_model",
    "load_recording", "load_snapshot", "load_urdf", "may_collide", "model_extensions", "parse_mjcf", "parse_urdf",
    "solvers", "to_matrix", "write_mjcf", "__version__",
]
