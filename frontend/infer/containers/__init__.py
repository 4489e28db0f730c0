"""Inference of containers: what lists, dicts, sets, deques, modules of modules and tensors do as such.

In: displays, methods, subscripts, unpacking. Out: operator rows, and calls of the prelude where instances decide.
Holds: a container never changes its element type.
"""
