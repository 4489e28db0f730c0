"""Python source, or a running function, to typed SSA: program.py and trace/tracer.py are the doors.

In: functions, modules, text. Out: `ir.graph.Program`s. Holds: each package imports only those before it: parser, core,
prelude, objects, compilation, infer, lower; listing and trace stand beside. Nothing is imported here, so that `import
tsm` neither loads Lark nor builds a parser.
"""
