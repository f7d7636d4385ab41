"""Sweeps that can be killed and go on, in this process; on a Ray cluster of several processes where Ray is installed."""
import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

import rattleback as rb
from rattleback.cluster import Job, find_name, run_jobs

JOBS = [Job(seed=seed, parameters={"push": push}) for push in (0.5, 1.0) for seed in range(6)]


def swing(model, job):
    """An arm that is pushed by random torques."""
    sim = rb.Simulation(model)
    random = job.random()
    for _ in range(50):
        sim.control.input[:] = job.parameters["push"] * random.normal(size=2)
        sim.step()
    return {"q": sim.state.q.copy(), "hash": sim.state.hash()}


def test_a_sweep_goes_on_where_it_was(arm, tmp_path):
    seen = []
    first = run_jobs(arm, swing, JOBS[:5], folder=tmp_path, use_ray=False)
    both = run_jobs(arm, swing, JOBS, folder=tmp_path, use_ray=False, progress=lambda done, count: seen.append((done, count)))
    assert seen[0] == (5, 12) and seen[-1] == (12, 12) and len(list(tmp_path.iterdir())) == 12
    assert all(np.array_equal(a["q"], b["q"]) for a, b in zip(first, both)) and len({int(r["hash"]) for r in both}) == 12
    assert find_name(arm, JOBS[0], "a") != find_name(arm, JOBS[0], "b") != find_name(arm, JOBS[1], "b")
    # A result that was not finished when its process was killed has another name: it is not taken for one.
    (tmp_path / "half.part").write_bytes(b"x")
    assert len(run_jobs(arm, swing, JOBS, folder=tmp_path, use_ray=False)) == 12


def slow_swing(model, job):
    """Takes its time, and says which process it is in."""
    time.sleep(0.3)
    return {**swing(model, job), "process": os.getpid()}


def deadly_swing(model, job):
    """Kills its worker when it is run for the first time."""
    mark = Path(os.environ["RATTLEBACK_MARK"]) / f"{job.seed}-{job.parameters['push']}"
    if job.seed % 3 == 0 and not mark.exists():
        mark.write_text("killed here")
        os.kill(os.getpid(), signal.SIGKILL)
    return swing(model, job)


def test_a_ray_cluster_gives_the_same_bits_and_loses_nothing_when_workers_are_killed(arm, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RATTLEBACK_MARK", str(tmp_path))
    alone = run_jobs(arm, swing, JOBS, folder=tmp_path / "alone", use_ray=False)
    ray.init(num_cpus=3, include_dashboard=False, configure_logging=False, log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(Path(__file__).parent)]),
                                       "RATTLEBACK_MARK": str(tmp_path)}})
    try:
        spread = run_jobs(arm, slow_swing, JOBS, folder=tmp_path / "spread")
        assert len({int(result["process"]) for result in spread}) >= 2  # several workers had a part
        killed = run_jobs(arm, deadly_swing, JOBS, folder=tmp_path / "killed")
    finally:
        ray.shutdown()
    assert len([path for path in tmp_path.iterdir() if path.is_file()]) == 4  # so many workers died
    for one, two, three in zip(alone, spread, killed):
        assert np.array_equal(one["q"], two["q"]) and one["hash"] == two["hash"] == three["hash"]
