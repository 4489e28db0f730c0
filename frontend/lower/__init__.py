"""Lowering: typed trees to SSA, and the last look at what comes out.

In: typed bodies of specialisations. Out: `ir.graph.Function`s. Holds: nothing is inferred here.
"""
