"""The site: what a person sees of a graph in a browser, and what a program that follows links gets.

Pages are written on the server and work without scripts; things answer at their IRIs as HTML,
Turtle, JSON-LD or N-Triples. Whatever is looked up for them is bounded by construction; a query
that a stranger writes is evaluated where the protocol has all such queries evaluated.
"""

from kg.site.site import Site

__all__ = ["Site"]
