"""Python objects as the compiler sees them: functions, classes, modules, enums and annotations.

In: live objects that scripts mention. Out: types, sources of functions and methods, the program's initial state.
Holds: objects are read once, when the script is compiled (D10); none is changed and none is called.
"""
