"""The build: sources → index → mapper → sorted triples and a store, and the build's report.

The triples of the records stand in the default graph, beside a user's own statements, which stand
in named graphs too (:mod:`kg.statements`); the canned queries, as RDF, stand in a named graph of
their own, so that plain queries and counts see the records and the statements alone.

The input is read twice: the first pass fills the index of names, the second maps. What is refused
is reported and the rest goes on. All is made in a draft beside the snapshots; until the draft is
committed, the store that readers see is the old one.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

from kg import __version__, resources
from kg.conflicts import Conflicts, single_valued
from kg.errors import StoreError
from kg.filling import Changes, loading, updating
from kg.iris import DEFAULT_BASE
from kg.mapping import MappedInputs, Outcome, Task, mapped, silent
from kg.product import Written, write_product
from kg.snapshot import Snapshot, SnapshotFolder
from kg.stages import Progress
from kg.store import reason


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport(Outcome):
    """What a build did: how it went with the input, and the *snapshot* that it made.

    *triples* are those of the default graph, *graphs* has those of each named graph by its IRI,
    *classes* the nodes of the default graph by class IRI. *changes* are those of an update, None
    where everything was loaded.
    """

    snapshot: Snapshot
    triples: int
    graphs: dict[str, int]
    classes: dict[str, int]
    changes: Changes | None


def build(
    inputs: Sequence[str | Path],
    store_dir: str | Path,
    *,
    base: str = DEFAULT_BASE,
    strict: bool = False,
    exclude: Path | None = None,
    update: bool = False,
    progress: Progress | None = None,
) -> BuildReport:
    """Build a snapshot of the records of *inputs* in *store_dir* and make it the current one.

    *inputs* are what :class:`~kg.sources.Sources` takes, IRIs are minted below *base*. With
    *strict*, the first record refused or file unreadable is raised
    (:class:`~kg.errors.RecordError`, :class:`~kg.errors.SourceError`). Whatever is raised, the
    snapshot that was current stays so. Also raises :class:`~kg.errors.StoreError` if the store
    cannot be written, :class:`~kg.errors.CollisionError` if two things have one IRI,
    :class:`~kg.errors.EmptyBuildError` if nothing at all could be taken in,
    :class:`~kg.errors.SourceError` if an input changes meanwhile, and
    :class:`~kg.errors.UsageError` for a base that is none. *exclude* is a file of things to leave
    out (:mod:`kg.exclusions`). With *update* the new store is a copy of the current snapshot's in
    which what differs is changed: it holds the same as a fresh one, and is made sooner. Where there
    is no snapshot yet, all is loaded.
    """
    task = Task(inputs, base, strict, exclude, progress or silent)
    conflicts = Conflicts(single_valued(resources.ontology() / "shapes.ttl"))
    folder = SnapshotFolder(store_dir)
    try:
        with folder.new() as draft:
            old = folder.current() if update else None
            made = draft.snapshot
            work = made.path / "work"
            work.mkdir()
            with (
                made.report.open("wb") as report_file,
                mapped(
                    task,
                    work,
                    report_file,
                    leave_out=folder.path,
                ) as found,
            ):
                with (
                    found.stages.stage("updating" if old else "loading"),
                    updating(old, made) if old else loading(made) as filling,
                ):
                    written = write_product(
                        found.lines,
                        found.statements,
                        made,
                        conflicts,
                        filling=filling,
                        progress=task.progress,
                        base=base,
                    )
                if conflicts.found:
                    with found.stages.stage("tracing conflicts"):
                        found.trace(conflicts)
            shutil.rmtree(work)
            made.manifest_file.write_bytes(_manifest(made, base, found, written))
            task.progress("finishing", 0, None)
            snapshot = draft.commit()
    except OSError as error:
        raise StoreError(f"{error.filename or store_dir}: {reason(error)}") from error
    outcome = found.outcome()
    return BuildReport(
        **{told.name: getattr(outcome, told.name) for told in fields(outcome)},
        snapshot=snapshot,
        triples=written.triples,
        graphs=written.graphs,
        classes=written.classes,
        changes=written.changes,
    )


def _manifest(made: Snapshot, base: str, found: MappedInputs, written: Written) -> bytes:
    outcome = found.outcome()
    manifest = {
        "paperkg": __version__,
        "snapshot": made.id,
        "base": base,
        "created": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "inputs": [
            {
                "name": file.name,
                "sha256": file.sha256,
                "size": file.size,
            }
            | (
                {"records": file.records, "refused": found.passes.refused[file.name]}
                if file.statements is None
                else {"statements": file.statements}
            )
            for file in found.sources.files
        ],
        "records": {kind: asdict(count) for kind, count in sorted(outcome.records.items())},
        "triples": written.triples,
        "graphs": written.graphs,
        "classes": written.classes,
        "partitions": written.counts.as_json(),
        "joins": outcome.joins,
        "report": outcome.kinds,
        "stages": {
            name: {"seconds": round(stage.seconds, 3), "peak_memory": stage.peak_memory}
            for name, stage in outcome.stages.items()
        },
    }
    return json.dumps(manifest, ensure_ascii=False, indent=2).encode("utf-8") + b"\n"
