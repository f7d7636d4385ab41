#!/usr/bin/env python3
# Files with packs of 512 bits share nothing with the rest of the library, and nothing in it fuses products and sums
# (docs/decisions/002, 038). usage: wide_objects.py LIBRARY.a MAKER...: the functions that the rest may call, as nm -C
# writes them
import re
import subprocess
import sys
import tempfile
from pathlib import Path

library, makers = Path(sys.argv[1]).resolve(), sys.argv[2:]
WIDE = re.compile(r"%zmm\d|%k[1-7]|%[xy]mm(1[6-9]|2\d|3[01])")
FUSED = re.compile(r"\tvfn?m(add|sub)")


def run(*command, cwd=None):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=cwd).stdout


faults, wide = [], 0
with tempfile.TemporaryDirectory() as folder:
    run("ar", "x", str(library), cwd=folder)
    for file in sorted(Path(folder).iterdir()):
        code = run("objdump", "-d", "--no-show-raw-insn", str(file))
        if FUSED.search(code):
            faults.append(f"{file.name}: a product and a sum are fused")
        if not file.name.startswith("wide_"):
            if WIDE.search(code):
                faults.append(f"{file.name}: needs registers of 512 bits")
            continue
        wide += 1
        for line in run("nm", "-C", "--defined-only", str(file)).splitlines():
            kind, name = line.split(maxsplit=2)[1:]
            if kind in "TWiu" and name not in makers:  # functions; data has no instructions
                faults.append(f"{file.name}: {name} is seen by the rest of the library")
        # What runs before main() runs on every processor.
        if re.search(r"\s\.(init_array|ctors|preinit_array|fini_array|dtors)", run("objdump", "-h", str(file))):
            faults.append(f"{file.name}: has initialisers, which run unasked")
for fault in faults:
    print(fault)
print(f"{wide} files with packs of 512 bits, {len(faults)} faults")
sys.exit(1 if faults or wide == 0 else 0)
