"""Where what a page says comes from: the source records, their terms, and what they claim."""

from __future__ import annotations

from dataclasses import dataclass

from kg import void
from kg.site import wording
from kg.site.facts import Facts
from kg.site.view import Link, View


@dataclass(frozen=True, slots=True)
class Origin:
    """One source record, as a page tells it."""

    record: Link
    page: Link | None
    publisher: Link | None
    licence: Link | None
    attribution: Link | None
    date: str
    notes: tuple[str, ...]
    claim: str | None


def origins(thing: Facts, view: View) -> list[Origin]:
    """Return the records that *thing* was derived from."""
    iris = thing.iris("prov:wasDerivedFrom")
    excerpt = view.said(iris)
    return [told(excerpt.of(iri), view) for iri in iris]


def told(record: Facts, view: View) -> Origin:
    """Return what a page tells of one *record*."""
    snapshot, read = record.text("kg:snapshot"), record.text("kg:readAt")
    date = f"snapshot of {wording.day(snapshot)}" if snapshot else ""
    if read:
        date = f"read on {wording.day(read)}"
    publisher = record.iri_of("dct:publisher")
    source = record.iri_of("dct:source")
    notes = [
        note
        for name in ("kg:archive", "kg:modificationNote", "kg:readAtNote", "kg:nonAffiliation")
        for note in record.texts(name)
    ]
    return Origin(
        view.link(record.iri, record_name(record.iri, view)),
        _outside(source, view),
        _outside(publisher, view),
        view.link(record.iri_of("dct:license"), record.text("dct:rights")),
        view.link(attribution, "attribution")
        if (attribution := record.iri_of("cc:attributionURL"))
        else None,
        date,
        tuple(dict.fromkeys(notes)),
        record.text("kg:claim"),
    )


def record_name(iri: str, view: View) -> str:
    """Return what a record is called: by its source."""
    parts = (view.addresses.path(iri) or "").removeprefix("/record/").split("/")
    return f"{parts[0]} record" if len(parts) > 2 else wording.last_part(iri)


def origins_of(iri: str, view: View) -> list[Origin]:
    """Return the records of a thing that is known by its IRI alone."""
    return origins(view.said([iri]).of(iri), view)


def licences(thing: Facts, view: View) -> tuple[str, ...]:
    """Return the licences under which what the graph says of *thing* may be used.

    They are those of its records, or that of the archive where it has none.
    """
    excerpt = view.said(thing.iris("prov:wasDerivedFrom"))
    records = [excerpt.of(iri) for iri in thing.iris("prov:wasDerivedFrom")]
    found = dict.fromkeys(iri for record in records for iri in record.iris("dct:license"))
    return tuple(found) or (void.LICENCE,)


def _outside(iri: str | None, view: View) -> Link | None:
    return view.link(iri, wording.host(iri)) if iri is not None else None
