"""Inference: syntax trees to typed trees, one function at a time.

In: a specialisation. Out: its typed statements and result type. Holds: every part of `FunctionInference` is one file in
a folder for its part of the language; base.py is what they share, parts.py what they call in one another, inference.py
puts them together.
"""
