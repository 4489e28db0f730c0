"""What PyTorch has and tsm has not: names that libraries import, and what to write instead.

In: the name of a module and of something in it. Out: a stand-in for a name that only has to be there, or an error
with a hint. Holds: `table` is the one list; nothing that is absent ever computes anything.
"""

from .modules import AbsentModule, install, missing, of_module
from .stand_in import StandIn

__all__ = ["AbsentModule", "StandIn", "install", "missing", "of_module"]
