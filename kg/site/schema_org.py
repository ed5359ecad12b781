"""What search engines and data tools read in a page: schema.org's words in JSON-LD.

A dataset is told with the context of Croissant (MLCommons, version 1.0), which is schema.org with
more; files and records, of which the graph knows nothing, are left out. That it conforms to
Croissant is said only of one that has all that its specification requires of the description of a
dataset: name, description, licence, address, creator and date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kg.site import markdown
from kg.site.facts import Facts
from kg.site.view import View

_CROISSANT: Final = "http://mlcommons.org/croissant/1.0"
_OF_CROISSANT: Final = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
# The context that the specification of Croissant 1.0 has (appendix 1), which its tools expect.
_CONTEXT: Final[dict[str, object]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{name: f"cr:{name}" for name in _OF_CROISSANT},
}
_REQUIRED: Final = ("name", "description", "license", "url", "creator", "datePublished")
_LONGEST: Final = 5000
"""Characters of a description that Google Dataset Search takes."""


def paper(thing: Facts, view: View, page: str) -> dict[str, object]:
    """Return a paper as a ScholarlyArticle, whose page here has the address *page*."""
    return _full(
        {
            "@context": "https://schema.org",
            "@type": "ScholarlyArticle",
            "@id": thing.iri,
            "url": page,
            "name": thing.text("dct:title"),
            "headline": thing.text("dct:title"),
            "abstract": thing.text("dct:abstract"),
            "author": people(thing),
            "datePublished": thing.text("dct:issued"),
            "publication": thing.text("kg:venue"),
            "identifier": [
                *(f"arXiv:{text}" for text in thing.texts("kg:arxivId")),
                *(f"doi:{text}" for text in thing.texts("bibo:doi")),
            ],
            "sameAs": thing.iris("schema:sameAs"),
            "keywords": [view.name(iri) for iri in thing.iris("kg:task")],
        }
    )


def dataset(
    thing: Facts, view: View, page: str, introduced_by: Sequence[Facts], citation: str | None
) -> dict[str, object]:
    """Return a dataset as a Dataset of schema.org and Croissant.

    Its creators are the authors of the papers that it is *introduced_by*; *citation* is how the
    first of them is cited.
    """
    description = thing.text("dct:description") or thing.text("kg:shortDescription")
    licences = [
        part.iri_of("foaf:page") or part.text("rdfs:label") or part.iri
        for part in thing.parts("dct:license")
    ]
    landing = thing.iri_of("dcat:landingPage")
    told = _full(
        {
            "@context": _CONTEXT,
            "@type": "sc:Dataset",
            "@id": thing.iri,
            "name": thing.text("rdfs:label"),
            "alternateName": [
                text
                for text in (*thing.texts("kg:fullName"), *thing.texts("kg:variantName"))
                if text != thing.text("rdfs:label")
            ],
            "description": markdown.words(description)[:_LONGEST] if description else None,
            "url": landing or page,
            "mainEntityOfPage": page,
            "license": licences,
            "creator": [person for one in introduced_by for person in people(one)],
            "datePublished": thing.text("dct:issued"),
            "inLanguage": [view.name(iri) for iri in thing.iris("kg:language")],
            "keywords": [
                view.name(iri) for p in ("kg:modality", "kg:task") for iri in thing.iris(p)
            ],
            "citeAs": citation,
            "sameAs": [*thing.iris("foaf:page"), *thing.iris("schema:sameAs")],
        }
    )
    if all(told.get(name) for name in _REQUIRED):
        told["conformsTo"] = _CROISSANT
    return told


def people(paper: Facts) -> list[dict[str, object]]:
    """Return the authors of a paper in their order."""
    authors = sorted(paper.parts("kg:authorship"), key=lambda one: one.number("kg:position") or 0)
    names = [author.text("kg:authorName") for author in authors] or paper.texts(
        "kg:firstAuthorName"
    )
    return [{"@type": "Person", "name": name} for name in names if name]


def _full(told: Mapping[str, object]) -> dict[str, object]:
    """Return what is told with nothing empty, and one value for a list of one."""
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value
        for name, value in told.items()
        if value
    }
