"""Source text to syntax trees, and what a tree says by itself: the scope of each name, and which are read again.

In: text, or a function object whose text is found. Out: nodes of syntax.py with their places in the file.
Holds: every text gives a tree or a located ScriptSyntaxError; start reading at parse.py.
"""
