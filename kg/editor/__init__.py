"""The query editor of the page ``/editor``: Yasgui, told to know this graph and to ask nobody else.

``main.js`` and what stands beside it are its sources; ``hatch_build.py`` bundles them when paperkg
is built, which may have been done without it (:mod:`kg.site.static` knows). What it completes comes
from :func:`vocabulary`.
"""

from kg.editor.vocabulary import vocabulary

__all__ = ["vocabulary"]
