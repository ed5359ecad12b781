"""What a user should know although there is an answer."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Final

_PACKAGE: Final = str(Path(__file__).parents[1]) + os.sep


class GraphWarning(UserWarning):
    """An answer that may not be what it seems: cut short, refused in part, or not well typed."""


def warn(message: str) -> None:
    """Warn with the place of the caller's code, the nearest that is not in paperkg."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(message, GraphWarning, stacklevel=depth)
