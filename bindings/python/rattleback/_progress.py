"""A bar for long runs: how far, how fast, how long still. On a terminal or in a notebook it is drawn over itself, elsewhere line by line."""
from __future__ import annotations

import sys
import time


class Progress:
    """A bar that is told how much is done."""

    def __init__(self, total: float, unit: str = "") -> None:
        self._total, self._unit, self._start, self._shown = total, unit, time.monotonic(), -1

    def __call__(self, done: float, total: float | None = None) -> None:
        """So much is done of all."""
        whole = self._total if total is None else total
        share = min(1.0, done / whole) if whole > 0 else 1.0
        overwrites = sys.stderr.isatty() or "ipykernel" in sys.modules
        step = int(share * (100 if overwrites else 10))
        if step == self._shown:
            return
        self._shown = step
        spent = time.monotonic() - self._start
        left = spent * (1 - share) / share if share > 0 else 0.0
        bar = "#" * round(24 * share) + "." * (24 - round(24 * share))
        end = "\n" if share >= 1 or not overwrites else ""
        lead = "\r" if overwrites else ""
        sys.stderr.write(f"{lead}[{bar}] {done:g}/{whole:g}{self._unit} {spent:.1f} s, {left:.0f} s left {end}")
        sys.stderr.flush()
