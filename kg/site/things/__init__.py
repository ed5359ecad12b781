"""The pages about things, one module a class."""
