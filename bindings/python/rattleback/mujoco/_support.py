"""What of MuJoCo's interface is here, as lists: for the documentation (bindings/python/tools/list_support.py) and the tests."""
from __future__ import annotations

from . import _data, _model_fields, _model_text, _results, _tables, _text

# Arrays that the tables do not name, because a function of MjModel or MjData makes them.
_MADE = {"wrap_prm", "hfield_data", "hfield_adr", "sensor_type", "eq_type", "cam_projection", "cam_bodyid", "light_bodyid", "names"}


def list_zeros(kind: str) -> list[str]:
    """Arrays of the "model" or the "data" that are zeros, or empty, in MuJoCo's order."""
    if kind == "model":
        known = {*_model_fields.FIELDS, *_model_text.TOLD, *_text.READ, *_MADE}
        return [name for name in _tables.MODEL_ARRAYS if name not in known and not (name.startswith("name_") and name.endswith("adr"))]
    kept = {*_data.STATE, *_data.INPUTS, *_data.KEPT, "mocap_pos", "mocap_quat", *_results.FIELDS}
    return [name for name in _tables.DATA_ARRAYS if name not in kept]


def list_functions() -> list[str]:
    """Functions that are here."""
    from . import __dict__ as names

    return sorted(name for name in _tables.FUNCTIONS if name in names)


def list_missing() -> list[str]:
    """Functions that raise by name."""
    return sorted(_tables.FUNCTIONS - set(list_functions()))
