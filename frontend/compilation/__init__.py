"""One compilation: what all functions of a program share while they are inferred and lowered.

In: entry points. Out: specialisations, names that are unique in the program, messages and notes.
Holds: a function is compiled once for each tuple of argument types; nothing outlives the compilation.
"""
