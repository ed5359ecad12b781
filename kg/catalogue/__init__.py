"""Canned queries: ``queries/*.rq``, their parameters, and values bound into them as RDF terms.

A file is a plain SPARQL 1.1 query that any engine runs as it stands. Its comments that begin with
``#+`` say what it answers and which parameters it takes (:mod:`kg.catalogue.header`); the
parameters' example values stand in one VALUES block, and the binder puts other terms in their
place (:mod:`kg.catalogue.canned`).
"""

from kg.catalogue.canned import CannedQuery
from kg.catalogue.catalogue import Catalogue
from kg.catalogue.parameters import Parameter, ParameterType, Value

__all__ = ["CannedQuery", "Catalogue", "Parameter", "ParameterType", "Value"]
