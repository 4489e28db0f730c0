"""Python source to typed SSA. Nothing is imported here, so that `import tsm` neither loads Lark nor builds a parser."""
