"""What was compiled, for its author to read: as Python text that runs by itself, and as an account of each function.

In: a compilation. Out: `scripted.code` and `tsm.explain`. Holds: only what the compilation noted is said.
"""
