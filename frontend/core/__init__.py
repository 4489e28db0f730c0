"""The typed core language: its trees, the types of what they hold, conversions and the choice of operator rows.

In: what inference finds out. Out: typed trees, in which every decision of inference is written down.
Holds: nothing here walks a syntax tree or reports; start reading at typed.py.
"""
