"""The command line: python -m rattleback run | info | check | view | ..."""
import os
import sys
from pathlib import Path


def main() -> int:
    program = Path(__file__).parent / "bin" / "rattleback"
    if not program.exists():
        print(f"rattleback: this installation has no command line ({program} is missing)", file=sys.stderr)
        return 2
    os.execv(program, ["rattleback", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
