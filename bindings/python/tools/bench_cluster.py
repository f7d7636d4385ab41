# Growth with workers: jobs per second of a sweep on local Ray clusters of several sizes, and in one process without Ray; the results' bits are compared.
# usage: bench_cluster.py [--jobs N] [--steps N] [--workers 1,2,4]   in the environment of tools/python --cluster, PYTHONPATH with the package
import argparse
import os
import tempfile
import time
from pathlib import Path

import ray

import rattleback as rb
from rattleback.cluster import Job, run_jobs
from rattleback.tasks import make_model


def hop(model, job):
    """A hopper under random inputs."""
    simulation, random = rb.Simulation(model), job.random()
    for _ in range(int(job.parameters["steps"]) // 10):
        simulation.control.input[:] = random.uniform(-1, 1, size=model.actuator_count)
        simulation.run_steps(10)
    return {"hash": simulation.state.hash()}


def measure(model, jobs, use_ray):
    """(seconds, hashes)"""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        results = run_jobs(model, hop, jobs, folder=folder, label="hop", use_ray=use_ray)
        return time.perf_counter() - start, [int(result["hash"]) for result in results]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=64)
    parser.add_argument("--steps", type=int, default=50000)
    parser.add_argument("--workers", default="1,2,4")
    options = parser.parse_args()
    model = make_model("Hopper")
    jobs = [Job(seed=seed, parameters={"steps": options.steps}) for seed in range(options.jobs)]
    print(f"load {os.getloadavg()[0]:.1f}, {len(os.sched_getaffinity(0))} cores; {options.jobs} jobs of {options.steps} steps")
    print("| workers | jobs/s | growth | same bits |\n|---|---|---|---|")
    seconds, expected = measure(model, jobs, False)
    print(f"| none (this process) | {len(jobs) / seconds:.2f} | | |", flush=True)
    first = None
    for count in [int(word) for word in options.workers.split(",")]:
        ray.init(num_cpus=count, include_dashboard=False, configure_logging=False, log_to_driver=False,
                 runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(Path(__file__).parent)])}})
        try:
            run_jobs(model, hop, [Job(seed=-1 - i, parameters={"steps": 10}) for i in range(2 * count)], folder=tempfile.mkdtemp(), label="warm", use_ray=True)
            seconds, found = measure(model, jobs, True)
        finally:
            ray.shutdown()
        first = first or seconds
        print(f"| {count} | {len(jobs) / seconds:.2f} | {first / seconds:.2f} | {'yes' if found == expected else 'NO'} |", flush=True)


if __name__ == "__main__":
    main()
