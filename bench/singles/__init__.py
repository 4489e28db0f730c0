"""Single operators measured beside PyTorch's: tables of cases, by room and dtype.

In: nothing. Out: CASES, every case by its name. Holds: a case is one expression that reads the same for `tsm` and for
`torch`, inputs that both take, and makes a new result; SLOW says why a case is known to take longer than PyTorch.
"""

from .case import Case
from .elements import ELEMENTS
from .layers import LAYERS
from .matrices import MATRICES
from .moves import MOVES
from .selection import SELECTION
from .slow import SLOW
from .sums import SUMS

CASES: dict[str, Case] = {
    case.name: case for case in (*ELEMENTS, *SUMS, *SELECTION, *MOVES, *MATRICES, *LAYERS)
}

__all__ = ["CASES", "SLOW", "Case"]
