"""The index of a source text, made in a process of its own that may end on the text: tree-sitter bounds neither memory nor stack."""
