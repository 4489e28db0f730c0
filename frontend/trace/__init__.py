"""The second front end: a running function, recorded as IR.

In: a Python callable and example arguments. Out: a `Program`. Holds: tracer.py is the only listener at the dispatcher.
"""
