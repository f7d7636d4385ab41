# Every library that a repaired wheel carries has its licence in it.
# usage: check_licences.py WHEEL
import re
import sys
import zipfile

# Beginning of a library's file name: the Debian package whose text goes with it (bindings/python/install.cmake).
PACKAGES = {"libpng16": "libpng16-16", "libpugixml": "libpugixml1v5", "libqhull_r": "libqhull-r8.0", "libfmt": "libfmt9", "libz-": "zlib1g"}


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        names = wheel.namelist()
        texts = {name: wheel.read(name) for name in names if name.startswith("rattleback/licences/")}
    libraries = [name.split("/")[1] for name in names if re.match(r"rattleback\.libs/.*\.so", name)]
    faults = []
    for library in libraries:
        package = next((package for start, package in PACKAGES.items() if library.startswith(start)), None)
        if package is None or len(texts.get(f"rattleback/licences/{package}.txt", b"")) < 200:
            faults.append(library)
    if faults or not any(name.endswith("licenses/LICENSE") for name in names):
        sys.exit(f"no licence text in the wheel for: {', '.join(faults) or 'the package itself'}")
    print(f"{len(libraries)} libraries carried, with their licences")


if __name__ == "__main__":
    main()
