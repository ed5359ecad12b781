"""paperkg: the knowledge graph of machine-learning papers that a researcher can own."""

__version__ = "0.1.0"
