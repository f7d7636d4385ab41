"""The command line: python -m rattleback run | info | check | view | ..."""
import os
import sys

from ._program import find_program


def main() -> int:
    """Becomes the program `rattleback`."""
    try:
        program = find_program()
    except FileNotFoundError as missing:
        print(f"rattleback: {missing}", file=sys.stderr)
        return 2
    os.execv(program, ["rattleback", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
