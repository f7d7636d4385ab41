# The tests inside MuJoCo's wheel, on rattleback.mujoco: how many pass, that no fewer do than before, and why each of the others does not.
# usage: run_mujoco_tests.py [--list]   in the environment of tools/python --gymnasium; --list: the rows of the table in docs/python.md
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

# File: tests that pass today.
PASSING = {"bindings": 111, "rollout": 65, "renderer": 14, "thread_safety": 6, "memory_leak": 1}
# Why a test does not pass: every one that fails must be here.
REASONS = {
    "asks for MuJoCo's memory: its arena, rows of constraints in it, counts of references": [
        "array_keeps_struct_alive", "can_raise_error", "realloc_con_efc", "realloc_con_efc_failure_clears_counts", "realloc_island",
        "realloc_island_keeps_dual_and_metric_arrays", "mj_step", "unallocated_arena_arrays_are_filled", "mjcb_control_not_leak_memory",
        "mjdata_holds_ref_to_model", "set_mju_user_malloc_and_free_reset", "tendon_j_colind_ragged_view"],
    "`MjSpec`, MuJoCo's own model builder": ["bind_sequence_assignment", "multi_model0", "multi_model1", "multi_model2", "multi_model3"],
    "reads files of the package `mujoco` itself": ["xml_dependencies"],
    "plugins": ["copy_mjdata_with_plugin", "deepcopy_mjdata_with_plugin", "load_plugin"],
    "texts: schemas, logs, docstrings to the letter": [
        "docstrings", "mj_printSchema0", "mj_printSchema1", "mj_printSchema2", "mj_printSchema3", "mjtopic_time_cmp_logs_compile_time"],
    "textures, and geoms of scenes": ["mj_loadTexture", "mj_embedAssets", "texture_size", "mjv_scene"],
    "writes results, or arrays of the model that are read-only here": [
        "indexer_bool_views_mutate_in_place", "named_indexing_ragged2d_after_first_joint", "named_indexing_ragged2d_cdof",
        "flg_gravcomp_and_surfacevel_properties"],
    "counts contacts at a distance of exactly 0, which MuJoCo lists and leaves without force; here they are none": [
        "mj_contact_list", "mj_struct_list_equality", "mjcontact_can_copy", "mjdata_can_copy"],
    "buffers of delayed inputs and sensors": ["init_sensor_history_pedagogical", "mj_read_ctrl_and_init_ctrl_delay", "mj_read_sensor_and_init_sensor_delay"],
    "actuators of several inputs are one for each here": ["named_indexing_actuator_moment", "named_indexing_mimo_actuators"],
    "rests of plastic springs, which are part of the solver's memory here": ["named_indexing_plastic"],
    "callbacks that the engine does not ask": ["mjcb_sensor"],
}
INSTALL = "import rattleback.mujoco\nrattleback.mujoco.install()\n"


def run_file(source, folder, name):
    """How many pass, of how many, and the names of those that fail, without `test_`."""
    shutil.copy(source / f"{name}_test.py", folder)
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{name}_test.py"], cwd=folder, text=True, capture_output=True,
                         check=False)
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error|skipped)", run.stdout.splitlines()[-1])}
    return counts.get("passed", 0), sum(counts.values()), re.findall(r"^(?:FAILED|ERROR) \S+::test_(\w+)", run.stdout, re.M)


def list_reasons(failed):
    """Rows of the table: why tests do not pass; and those for which nobody has said why."""
    rows, rest = [], set(failed)
    for reason, names in REASONS.items():
        found = [name for name in names if name in rest]
        rest -= set(found)
        if found:
            rows.append(f"| MuJoCo's tests {', '.join(f'`{name}`' for name in found)} | no | | | | {reason} |")
    return rows, sorted(rest)


def main():
    source, faults, failed = Path(find_spec("mujoco").origin).parent, [], []
    print("| file of MuJoCo's wheel | passed | of |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "conftest.py").write_text(INSTALL)
        for name, expected in PASSING.items():
            passed, count, names = run_file(source, folder, name)
            print(f"| {name}_test.py | {passed} | {count} |", flush=True)
            failed += names
            if passed < expected:
                faults.append(f"{name}_test.py: {expected} passed before")
    rows, unknown = list_reasons(failed)
    if "--list" in sys.argv[1:]:
        print("\n".join(rows))
    faults += [f"test_{name} fails, and nothing says why" for name in unknown]
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
