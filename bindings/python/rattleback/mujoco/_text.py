"""A model as MJCF text, element by element: what the compiled model does not list is read there, and what a program writes to MuJoCo's
model arrays is written there. The model is then built anew, as if the file had said so."""
from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _core
from .._math import to_matrix

Array = npt.NDArray[Any]
_PIECE = 60_000  # letters of one text of <custom>


class Place(NamedTuple):
    """Where the numbers of an array stand: an attribute of each element of a kind, with its default."""

    kind: str
    attribute: str
    default: tuple[float, ...] = ()


# What is only read from the text, because the compiled model has it in another form or not at all.
READ = {
    "geom_friction": Place("geom", "friction", (1, 0.005, 0.0001)), "geom_condim": Place("geom", "condim", (3,)),
    "geom_solref": Place("geom", "solref", (0.02, 1)), "geom_solimp": Place("geom", "solimp", (0.9, 0.95, 0.001, 0.5, 2)),
    "geom_solmix": Place("geom", "solmix", (1,)), "geom_priority": Place("geom", "priority", (0,)),
    "jnt_solref": Place("joint", "solreflimit", (0.02, 1)), "jnt_solimp": Place("joint", "solimplimit", (0.9, 0.95, 0.001, 0.5, 2)),
    "site_rgba": Place("site", "rgba", (0.5, 0.5, 0.5, 1)), "site_group": Place("site", "group", (0,)),
    "cam_pos": Place("camera", "pos", (0, 0, 0)), "cam_quat": Place("camera", "quat", (1, 0, 0, 0)),
    "cam_fovy": Place("camera", "fovy", (45,)), "light_pos": Place("light", "pos", (0, 0, 0)),
    "light_dir": Place("light", "dir", (0, 0, -1)), "light_diffuse": Place("light", "diffuse", (0.7, 0.7, 0.7)),
    "light_ambient": Place("light", "ambient", (0, 0, 0)), "light_specular": Place("light", "specular", (0.3, 0.3, 0.3)),
    "mat_rgba": Place("material", "rgba", (1, 1, 1, 1)), "mat_specular": Place("material", "specular", (0.5,)),
    "mat_shininess": Place("material", "shininess", (0.5,)), "mat_reflectance": Place("material", "reflectance", (0,)),
    "mat_emission": Place("material", "emission", (0,)), "hfield_size": Place("hfield", "size", (0, 0, 0, 0)),
    "hfield_nrow": Place("hfield", "nrow", (0,)), "hfield_ncol": Place("hfield", "ncol", (0,)),
    "tendon_rgba": Place("tendon", "rgba", (0.5, 0.5, 0.5, 1)), "tendon_width": Place("tendon", "width", (0.003,)),
    "eq_solref": Place("equality", "solref", (0.02, 1)), "eq_solimp": Place("equality", "solimp", (0.9, 0.95, 0.001, 0.5, 2)),
}
# What can be written, too.
WRITTEN = {
    **{name: READ[name] for name in ("geom_friction", "geom_condim", "geom_solref", "geom_solimp", "geom_solmix", "geom_priority", "jnt_solref",
                                     "jnt_solimp", "site_rgba", "cam_pos", "cam_quat", "cam_fovy", "light_pos", "light_dir", "light_diffuse",
                                     "mat_rgba", "eq_solref", "eq_solimp")},
    "body_pos": Place("body", "pos"), "body_quat": Place("body", "quat"), "body_gravcomp": Place("body", "gravcomp"),
    "body_mass": Place("inertial", "mass"), "body_inertia": Place("inertial", "diaginertia"), "body_ipos": Place("inertial", "pos"),
    "body_iquat": Place("inertial", "quat"), "jnt_stiffness": Place("joint", "stiffness"), "jnt_range": Place("joint", "range"),
    "jnt_axis": Place("joint", "axis"), "jnt_pos": Place("joint", "pos"), "jnt_margin": Place("joint", "margin"),
    "dof_damping": Place("dof", "damping"), "dof_armature": Place("dof", "armature"), "dof_frictionloss": Place("dof", "frictionloss"),
    "geom_pos": Place("geom", "pos"), "geom_quat": Place("geom", "quat"), "geom_size": Place("geom", "size"),
    "geom_rgba": Place("geom", "rgba"), "geom_margin": Place("geom", "margin"), "geom_gap": Place("geom", "gap"),
    "geom_contype": Place("geom", "contype"), "geom_conaffinity": Place("geom", "conaffinity"), "geom_group": Place("geom", "group"),
    "site_pos": Place("site", "pos"), "site_quat": Place("site", "quat"), "site_size": Place("site", "size"),
    "tendon_stiffness": Place("tendon", "stiffness"), "tendon_damping": Place("tendon", "damping"),
    "tendon_range": Place("tendon", "range"), "tendon_frictionloss": Place("tendon", "frictionloss"),
    "actuator_gear": Place("actuator", "gear"), "actuator_gainprm": Place("actuator", "gainprm"),
    "actuator_biasprm": Place("actuator", "biasprm"), "actuator_ctrlrange": Place("actuator", "ctrlrange"),
    "actuator_forcerange": Place("actuator", "forcerange"), "wrap_prm": Place("stop", "coef"), "hfield_data": Place("hfield", "elevation"),
}
_OPTIONS = {"gravity", "wind", "magnetic", "density", "viscosity", "impratio", "cone", "integrator"}
_WORDS = {"cone": ("pyramidal", "elliptic"), "integrator": ("Euler", "RK4", "implicit", "implicitfast")}


def write_numbers(values: Any) -> str:
    """As text that reads back the same."""
    return " ".join(str(int(x)) if float(x).is_integer() and abs(x) < 1e15 else repr(float(x)) for x in np.ravel(values))


class Text:
    """The elements of a model's MJCF text, in the model's order."""

    def __init__(self, model: _core.Model, before: Text | None = None) -> None:
        """before: that of the model that this one was made of; it knows what stands for 1 in the terrains, and how far they were lowered [m]."""
        self.root = ElementTree.fromstring(_core.write_mjcf(model))
        self._poses = np.array(model.shapes.pose)
        world = self.root.find("worldbody")
        bodies = [world] + list(world.iter("body")) if world is not None else []
        self.elements: dict[str, list[Any]] = {"body": bodies, "inertial": [body.find("inertial") for body in bodies]}
        for kind, tags in (("joint", ("joint", "freejoint")), ("geom", ("geom",)), ("site", ("site",)), ("camera", ("camera",)),
                           ("light", ("light",))):
            self.elements[kind] = [child for body in bodies for child in body if child.tag in tags]
        for kind, section in (("actuator", "actuator"), ("tendon", "tendon"), ("equality", "equality"), ("sensor", "sensor"), ("key", "keyframe")):
            self.elements[kind] = [child for part in self.root.findall(section) for child in part]
        for kind in ("material", "texture", "mesh", "hfield"):
            self.elements[kind] = [child for part in self.root.findall("asset") for child in part.findall(kind)]
        scales = [float(field.get("size", "0 0 1 0").split()[2]) for field in self.elements["hfield"]]
        self.scales: list[float] = scales if before is None else before.scales
        self.lows: list[float] = [0.0] * len(scales) if before is None else before.lows
        self.given: frozenset[str] = frozenset() if before is None else before.given  # names of the file that look like those that we give
        self.elements["pair"] = list(self.root.findall("contact/pair"))
        self.elements["exclude"] = list(self.root.findall("contact/exclude"))
        for kind in ("numeric", "text", "tuple"):  # without what we say there about models that MJCF has no words for
            self.elements[kind] = [child for child in self.root.findall(f"custom/{kind}") if not child.get("name", "").startswith("rattleback")]
        self.elements["stop"] = [stop for tendon in self.elements["tendon"] for stop in tendon]
        sizes = {"free": 6, "ball": 3}
        joints = self.elements["joint"]
        # For each degree of freedom its joint: numbers of all directions of a joint are one attribute.
        self.elements["dof"] = [joint for joint in joints
                                for _ in range(6 if joint.tag == "freejoint" else sizes.get(joint.get("type", "hinge"), 1))]

    def find_names(self, kind: str) -> list[str]:
        """Names of the elements of a kind; empty where one has none."""
        return [element.get("name", "") for element in self.elements[kind]]

    def read(self, place: Place) -> Array:
        """An array by its place."""
        width = len(place.default)
        rows = np.tile(np.array(place.default, dtype=np.float64), (len(self.elements[place.kind]), 1))
        for row, element in zip(rows, self.elements[place.kind]):
            given = [float(word) for word in element.get(place.attribute, "").split()][:width]
            row[: len(given)] = given
        return rows[:, 0] if width == 1 else rows

    def write(self, name: str, old: Array, new: Array) -> None:
        """What differs between two states of an array of the model."""
        place = WRITTEN[name]
        if name == "hfield_data":
            self._write_terrain(new)
            return
        elements = self.elements[place.kind]
        if len(elements) != len(new):
            raise ValueError(f"MjModel.{name} cannot be written: the model's text lists {len(elements)} elements, the model {len(new)}")
        for index in np.flatnonzero((old != new).reshape(len(new), -1).any(axis=1)):
            element = elements[index]
            if element is None or element.tag == "worldbody":
                raise ValueError(f"MjModel.{name}[{index}] cannot be written: there is nothing to change there")
            element.set(place.attribute, write_numbers(new[index]))
            if name.endswith("_range") and place.kind in ("joint", "tendon"):
                element.set("limited", "true" if new[index][0] < new[index][1] else "false")

    def _split_terrain(self) -> list[tuple[Any, float, tuple[int, int]]]:
        """Fields with their scales and sizes."""
        sizes = [(int(field.get("nrow", "0")), int(field.get("ncol", "0"))) for field in self.elements["hfield"]]
        return list(zip(self.elements["hfield"], self.scales, sizes))

    def _read_patch(self) -> dict[str, Any]:
        """What MJCF has no words for: JSON in one text, or cut into several, `rattleback`, `rattleback_1`, ..."""
        texts = {text.get("name"): text.get("data", "") for text in self.root.findall("custom/text")}
        pieces: list[str] = []
        while (name := "rattleback" + (f"_{len(pieces)}" if pieces else "")) in texts:
            pieces.append(texts[name])
        said: dict[str, Any] = json.loads("".join(pieces) or "{}")
        return said

    def _write_patch(self, said: dict[str, Any]) -> None:
        """The other way, in pieces that every reader of XML takes."""
        custom = self.root.find("custom")
        custom = custom if custom is not None else ElementTree.SubElement(self.root, "custom")
        for text in custom.findall("text"):
            if re.fullmatch(r"rattleback(_\d+)?", text.get("name", "")):
                custom.remove(text)
        whole = json.dumps(said)
        for i, begin in enumerate(range(0, len(whole), _PIECE)):
            ElementTree.SubElement(custom, "text", {"name": "rattleback" + (f"_{i}" if i else ""), "data": whole[begin : begin + _PIECE]})

    def read_terrain(self) -> Array:
        """Heights between 0 and 1, as MuJoCo keeps them: the last row of the file first."""
        said = self._read_patch().get("height_fields", {})
        parts: list[Array] = []
        for field, scale, size in self._split_terrain():
            exact = said.get(field.get("name", ""), {}).get("heights")
            written = np.array([float(word) for word in field.get("elevation", "").split()]).reshape(size)[::-1].ravel() if exact is None else None
            parts.append(((np.array(exact) if written is None else written) + self.lows[len(parts)]) / scale)
        return np.concatenate([np.zeros(0), *parts])

    def _write_terrain(self, heights: Array) -> None:
        """The other way, in metres: MJCF stretches heights to lie between 0 and 1, so that they stand where we say what it has no words for."""
        said, begin = self._read_patch(), 0
        for i, (field, scale, (rows, columns)) in enumerate(self._split_terrain()):
            part = heights[begin : begin + rows * columns] * scale
            begin += part.size
            low = min(float(part.min(initial=0)), 0.0)  # heights are not negative: the geoms go down instead
            self._lower(said, field.get("name", ""), low - self.lows[i])
            self.lows[i] = low
            said.setdefault("height_fields", {}).setdefault(field.get("name", ""), {})["heights"] = [float(x) for x in part - low]
        self._write_patch(said)

    def _lower(self, said: dict[str, Any], terrain: str, way: float) -> None:
        """Moves the geoms of a height field along their own z axes [m], there where we say it."""
        for geom, pose in zip(self.elements["geom"], self._poses):
            if geom.get("hfield") == terrain and way != 0:
                place = pose[:3] + way * to_matrix(pose[3:])[:, 2]
                said.setdefault("shapes", {}).setdefault(geom.get("name", ""), {})["position"] = [float(x) for x in place]

    def write_option(self, name: str, value: Any) -> None:
        """An attribute of <option>."""
        if name not in _OPTIONS:
            raise ValueError(f"MjOption.{name} cannot be changed")
        words = _WORDS.get(name)
        self._option().set(name, words[int(value)] if words else write_numbers(value))

    def write_flags(self, disabled: int, names: dict[int, str]) -> None:
        """The switches of <flag>, which the compiled model may refuse."""
        option = self._option()
        flag = option.find("flag")
        if flag is None:
            flag = ElementTree.SubElement(option, "flag")
        for bit, name in names.items():
            flag.set(name, "disable" if disabled & bit else "enable")

    def _option(self) -> Any:
        option = self.root.find("option")
        return option if option is not None else ElementTree.SubElement(self.root, "option")

    def to_text(self) -> str:
        """As MJCF."""
        return ElementTree.tostring(self.root, encoding="unicode")


def read_looks(source: Any, text: Text, vis: Any, stat: Any) -> None:
    """<visual> and <statistic> of a file, scales of its terrains, and which names are its own, which the compiled model does not keep; included files are not looked at."""
    try:
        root = ElementTree.parse(source).getroot()
    except (ElementTree.ParseError, OSError, UnicodeError):
        return  # a URDF of our own reading, or text that only the importer understands
    text.given = frozenset(name for element in root.iter() if re.fullmatch(r"[a-z]+ \d+", name := element.get("name", "")))
    scales = {field.get("name", ""): field.get("size", "").split() for field in root.findall("asset/hfield")}
    for i, name in enumerate(text.find_names("hfield")):
        if len(scales.get(name, [])) == 4:
            text.scales[i] = float(scales[name][2])
    targets = [(element, getattr(vis, "global_" if element.tag == "global" else element.tag, None)) for element in root.findall("visual/*")]
    for element, target in [*targets, *((element, stat) for element in root.findall("statistic"))]:
        for name, word in element.items():
            held = getattr(target, name, None)
            if isinstance(held, np.ndarray):
                held[...] = [float(part) for part in word.split()]
            elif isinstance(held, (int, float)):
                setattr(target, name, type(held)(float(word)))


def write_assets(text: str, assets: Mapping[str, bytes | str], folder: str) -> None:
    """Files by name into a folder; those without a directory also where the model's meshdir, texturedir and assetdir look."""
    contents = {name: content.encode() if isinstance(content, str) else content for name, content in assets.items()}
    plain = [os.path.basename(name) for name in contents]
    if len(set(plain)) < len(plain):
        raise ValueError(f"Repeated file name in assets dict: {max(plain, key=plain.count)}")
    texts = [text.encode(), *(content for name, content in contents.items() if name.endswith(".xml"))]
    found = {match.decode() for part in texts for match in re.findall(rb"""(?:mesh|texture|asset)dir\s*=\s*["']([^"']*)["']""", part)}
    for name, content in contents.items():
        for directory in ["", *(found if os.sep not in os.path.normpath(name) else ())]:
            place = os.path.normpath(os.path.join(folder, directory, name))
            if not place.startswith(folder + os.sep):  # outside of it: as if it were beside the model
                place = os.path.join(folder, os.path.basename(name))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(content)
