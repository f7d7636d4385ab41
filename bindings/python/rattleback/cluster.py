"""Rollouts and parameter sweeps over many processes or machines, by Ray where it is installed.

    jobs = [Job(seed=seed, parameters={"friction": mu}) for mu in (0.2, 0.5) for seed in range(100)]
    results = run_jobs(model, work, jobs, folder="sweep")     # work(model, job) -> dict of numbers and arrays

A job is a pure function of (model, seed, parameters, version): its result has the same bits on every worker. Each is kept in `folder` under
the hash of these as soon as it is done, so that a run that was killed goes on where it was, and a worker that dies loses the job it was at
and nothing else: Ray starts it again elsewhere.
"""
from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ._core import Model
from ._core import version as _version

Work = Callable[[Model, "Job"], "dict[str, Any]"]


class Job(NamedTuple):
    """What a result is a function of, beside the model and the work."""

    seed: int
    parameters: dict[str, float | int | str | bool] = {}

    def random(self) -> np.random.Generator:
        """Its own numbers: they depend on seed and parameters alone, not on worker or order."""
        digest = hashlib.sha256(json.dumps([self.seed, self.parameters], sort_keys=True).encode()).digest()
        return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "little")))


def find_name(model: Model, job: Job, label: str) -> str:
    """Under which a result is kept: a hash of model, job, work and version."""
    said = json.dumps([f"{model.fingerprint:016x}", job.seed, job.parameters, label, _version], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def _write(path: Path, result: dict[str, Any]) -> None:
    """Whole or not at all: a name of its own, then renamed."""
    buffer = io.BytesIO()
    arrays: dict[str, Any] = {key: np.asarray(value) for key, value in result.items()}
    np.savez(buffer, **arrays)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "wb") as file:
        file.write(buffer.getvalue())
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def _read(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as file:
        return {key: file[key] for key in file.files}


def run_job(model: Model, work: Work, job: Job, path: str | os.PathLike[str]) -> None:
    """One job, unless its result is there."""
    if not Path(path).exists():
        _write(Path(path), work(model, job))


def run_jobs(model: Model, work: Work, jobs: Iterable[Job], *, folder: str | os.PathLike[str], label: str = "",
             use_ray: bool | None = None, progress: Callable[[int, int], object] | None = None) -> list[dict[str, Any]]:
    """Results in the order of the jobs. Jobs whose results are in `folder` are not run again.

    folder: on all machines the same, for example of a network. label: says which work it is; change it with the work.
    use_ray: None: where Ray has been started (ray.init()). progress: called with (done, all)."""
    listed = list(jobs)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    name = label or f"{work.__module__}.{work.__qualname__}"
    paths = [place / f"{find_name(model, job, name)}.npz" for job in listed]
    left = [i for i, path in enumerate(paths) if not path.exists()]
    tell = progress or (lambda done, count: None)
    tell(len(listed) - len(left), len(listed))
    if _has_ray() if use_ray is None else use_ray:
        _run_on_ray(model, work, listed, paths, left, tell)
    else:
        for count, i in enumerate(left):
            run_job(model, work, listed[i], paths[i])
            tell(len(listed) - len(left) + count + 1, len(listed))
    return [_read(path) for path in paths]


def _has_ray() -> bool:
    try:
        import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return False
    return bool(ray.is_initialized())


def _run_on_ray(model: Model, work: Work, jobs: Sequence[Job], paths: Sequence[Path], left: Sequence[int],
                tell: Callable[[int, int], object]) -> None:
    import ray

    # Lost workers and machines: as often as it takes. What a job itself raises is raised here.
    remote = ray.remote(max_retries=-1, num_cpus=1)(run_job)
    shared, called = ray.put(model), ray.put(work)
    waiting = [remote.remote(shared, called, jobs[i], str(paths[i].resolve())) for i in left]
    done = len(jobs) - len(left)
    while waiting:
        ready, waiting = ray.wait(waiting)
        ray.get(ready)
        done += len(ready)
        tell(done, len(jobs))
