"""The command line beside the package: it draws pictures and writes pages, which the compiled part does not."""
from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core

if TYPE_CHECKING:
    import tempfile

    from ._simulation import Batch, Simulation


LAYERS = ("colour", "depth", "segmentation")
_MEMORY = "/dev/shm"


def find_program() -> Path:
    """The program `rattleback`: RATTLEBACK_PROGRAM, or that of the package."""
    program = Path(os.environ.get("RATTLEBACK_PROGRAM") or Path(__file__).parent / "bin" / "rattleback")
    if not program.exists():
        raise FileNotFoundError(f"this installation has no command line ({program} is missing)")
    return program


def make_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that is gone afterwards; in memory where there is such a place."""
    import tempfile

    return tempfile.TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None)


def run_program(arguments: Sequence[str | os.PathLike[str]]) -> str:
    """What the program prints; RuntimeError with its message where it fails."""
    import subprocess  # slow to load, and few need it

    done = subprocess.run([find_program(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"rattleback ended with status {done.returncode}")
    return done.stdout


def make_options(*, width: int, height: int, camera: str | None, time: float | None, follow: str | None, contacts: bool,
                 draft: bool, layer: str) -> list[str]:
    """Options of `rattleback render`."""
    for name, size in (("width", width), ("height", height)):
        if not 16 <= int(size) <= 8192:
            raise ValueError(f"render: {name} must be between 16 and 8192 pixels, got {size}")
    if layer not in LAYERS:
        raise ValueError(f"render: layer must be one of {', '.join(LAYERS)}, got {layer!r}")
    if contacts and layer != "colour":
        raise ValueError("render: contacts are drawn in colour; they have neither depth nor shape")
    options = ["--size", f"{int(width)}x{int(height)}", "--layer", layer]
    for name, value in (("--camera", camera), ("--time", None if time is None else repr(float(time))), ("--follow", follow)):
        options += [f"{name}={value}"] if value is not None else []
    return options + ["--contacts"] * contacts + ["--draft"] * draft


def draw(recording: str | os.PathLike[str], **options: Any) -> npt.NDArray[Any]:
    """A layer of one moment of a recording, (height, width, 3) or (height, width)."""
    said = make_options(**options)
    with make_folder() as folder:
        picture = Path(folder) / "picture.npy"
        run_program(["render", recording, "-o", picture, *said])
        return _load(picture)


def _load(path: Path) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.load(path, allow_pickle=False)
    return array


def draw_moment(simulation: _core.Simulation, **options: Any) -> npt.NDArray[Any]:
    """A layer of a simulation as it is now."""
    make_options(**options)  # mistakes before work
    with make_folder() as folder:
        file = Path(folder) / "now.rec"
        with _core.Recorder(file, simulation, contacts=bool(options.get("contacts"))) as recorder:
            recorder.append()
        return draw(file, **options)


def draw_worlds(batch: Batch, worlds: Sequence[int], **options: Any) -> npt.NDArray[Any]:
    """A layer of worlds of a batch, (n, height, width[, 3]): one recording with a frame a second for each, drawn by one process."""
    from ._simulation import Simulation

    said = make_options(**options) + ["--fps", "1"]
    if not worlds:
        raise ValueError("render: worlds is empty")
    simulation = Simulation(batch.model, solver=batch.solver, parameters=batch.parameters, dt=batch.dt)
    with make_folder() as folder:
        file, pictures = Path(folder) / "worlds.rec", Path(folder) / "pictures"
        with _core.Recorder(file, simulation) as recorder:
            for second, world in enumerate(worlds):
                simulation.restore(batch.snapshot(world))
                simulation.state.time = float(second)
                simulation.refresh()
                recorder.append()
        run_program(["render", file, "-o", f"{pictures}/", *said])
        return np.stack([_load(path) for path in sorted(pictures.glob("*.npy"))])


class Page:
    """A page with the moving scene; a notebook shows it inline. save() keeps it as one file."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        import html

        return f'<iframe srcdoc="{html.escape(self.html, quote=True)}" width="100%" height="560" style="border:0"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page: one file that needs nothing else."""
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<rattleback.Page: {len(self.html)} characters; save() writes it, a notebook shows it>"


def make_page(recordings: Sequence[str | os.PathLike[str]]) -> Page:
    """The viewer's page of up to four recordings."""
    with make_folder() as folder:
        page = Path(folder) / "page.html"
        run_program(["view", *recordings, "-o", page])
        return Page(page.read_text(encoding="utf-8"))
