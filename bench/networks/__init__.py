"""The programs that are measured, each once: plain Python over tsm that tsm scripts and CPython runs.

The PyTorch twin of a program is the same text with `torch` in the place of `tsm` (see twins.py), so both do the same
with weights of the same names.
"""
