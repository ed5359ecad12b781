"""The errors of paperkg.

::

    KgError                     whatever paperkg refuses, said in one sentence
     ├─ UsageError              wrong usage (exit 2)
     │   ├─ ParameterError      a canned query's parameter: unknown, missing or of the wrong type
     │   └─ QueryError          a query that is no SPARQL 1.1, with line and column
     │       └─ LimitError      a query that is too long, nests too deep or joins too much
     ├─ SourceError             an input that could not be read (exit 3)
     ├─ RecordError             a record that is refused, with file, record and field
     ├─ EmptyBuildError         a build of which nothing could be taken in (exit 1 or 3)
     ├─ CollisionError          two different things that would get one IRI
     ├─ StoreError              a store that could not be opened or written (exit 4)
     ├─ AnswerError             an answer that the format asked for cannot carry (exit 2)
     ├─ BusyError               a query that finds no worker; it may come again (exit 4)
     ├─ StoppedError            a query whose evaluation was stopped (exit 4)
     │   ├─ DeadlineError       … because its time was over
     │   ├─ MemoryLimitError    … because it took too much memory
     │   ├─ AnswerLimitError    … because its answer has too many rows or bytes
     │   ├─ WorkerDiedError     … because the process that evaluated it died
     │   └─ ServiceError        … because another server that it asks gave no answer
     ├─ EndpointError           an endpoint that could not be asked (exit 4)
     └─ ResourceError           a file of paperkg itself that is missing or broken (exit 70)

The command line turns each into a message and an exit code at one place (:mod:`kg.cli`).
"""

from __future__ import annotations

import traceback


class KgError(Exception):
    """The base of all errors that paperkg raises on purpose; ``str()`` is one sentence."""

    exit_code = 70


class UsageError(KgError):
    """What was asked for cannot be asked for."""

    exit_code = 2


class ParameterError(UsageError):
    """A parameter of a canned query is unknown, missing or not of its type."""

    def __init__(self, parameter: str, message: str) -> None:
        super().__init__(message)
        self.parameter = parameter


class QueryError(UsageError):
    """A text that is no SPARQL query; *line* and *column* count from 1 where they are known."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class LimitError(QueryError):
    """A query asks for more than is allowed, as its text shows.

    *limit* is the option that sets what is allowed, None where nothing does.
    """

    def __init__(
        self,
        message: str,
        *,
        limit: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message, line=line, column=column)
        self.limit = limit


class SourceError(KgError):
    """An input could not be read, or not to its end."""

    exit_code = 3

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


class RecordError(KgError):
    """A record is refused.

    *file* and *position* (``line 3`` or ``record 0``) say where it stands, *record* is its own
    identifier where it has one, *field* the key path, *reason* what is wrong and what to do.
    They are filled in where they are known: a field reader knows the field, the source the file.
    """

    exit_code = 1

    def __init__(
        self,
        reason: str,
        *,
        field: str | None = None,
        record: str | None = None,
        file: str | None = None,
        position: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field
        self.record = record
        self.file = file
        self.position = position

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.file, self.position, self.record) if part)
        what = f"{self.field}: {self.reason}" if self.field else self.reason
        return f"{where}: {what}" if where else what


class CollisionError(KgError):
    """Two different things would get one IRI; both are named."""

    exit_code = 1

    def __init__(self, iri: str, first: str, second: str) -> None:
        super().__init__(
            f"{first} and {second} would both become <{iri}>; rename one of them in the records"
        )
        self.iri = iri


class EmptyBuildError(KgError):
    """A build of which nothing could be taken in; *problems* are the first that were met."""

    def __init__(self, problems: list[str], exit_code: int) -> None:
        super().__init__("\n  ".join(["no record could be taken in:", *problems]))
        self.exit_code = exit_code


class StoreError(KgError):
    """A store could not be opened or written."""

    exit_code = 4


class AnswerError(KgError):
    """The answer to a query cannot be written in the format that was asked for."""

    exit_code = 2


class BusyError(KgError):
    """There is no room for a query now; *retry_after* is in how many seconds it may come again."""

    exit_code = 4

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class StoppedError(KgError):
    """The evaluation of a query was stopped before its answer was complete.

    *limit* is the option that sets the limit which the query went over, None where it is none.
    """

    exit_code = 4

    def __init__(self, message: str, *, limit: str | None = None) -> None:
        super().__init__(message)
        self.limit = limit


class DeadlineError(StoppedError):
    """The time of a query was over."""


class MemoryLimitError(StoppedError):
    """A query took more memory than a worker may."""


class AnswerLimitError(StoppedError):
    """The answer to a query has more rows or bytes than it may."""


class WorkerDiedError(StoppedError):
    """The process that evaluated a query died."""


class ServiceError(StoppedError):
    """A server that a query asks by SERVICE gave no answer that could be used."""


class EndpointError(KgError):
    """An endpoint could not be asked, or what it answered could not be read."""

    exit_code = 4


class ResourceError(KgError):
    """A file that paperkg itself brings is missing or broken."""


def without_frames(error: BaseException) -> BaseException:
    """Return *error* without the frames that it was raised in, which may hold the engine's objects.

    They would be dropped in another thread than theirs. The text of its traceback stays with it
    where it is no refusal of ours.
    """
    if not isinstance(error, KgError):
        error.add_note("".join(traceback.format_exception(error)))
    links: list[BaseException | None] = [error]
    while links:
        link = links.pop()
        if link is not None:
            link.__traceback__ = None
            links += [link.__cause__, link.__context__]
    return error
