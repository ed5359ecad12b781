"""The nodes of a paper record."""

from __future__ import annotations

import json
from collections import defaultdict

from kg import arxiv, repos
from kg.findings import FindingKind
from kg.iris import Minter, key, outside_iri, path_slug, short_hash, slug_key
from kg.mapper.draft import SITE, Draft, Node, node
from kg.mapper.provenance import SYNTOLOGY, site_record, syntology_record
from kg.records.paper import CodeLink, LinkedRepo, PaperRecord, Result, Sample, Syntology
from kg.values import decimal


def paper_nodes(draft: Draft, record: PaperRecord) -> list[Node]:
    """Return the nodes of a paper: itself with all its parts, its results, its source records."""
    return _PaperNodes(draft, record).all()


class _PaperNodes:
    def __init__(self, draft: Draft, record: PaperRecord) -> None:
        self._draft = draft
        self._record = record
        self._mint: Minter = draft.minter
        self._iri = self._mint.thing("paper", record.slug)
        self._site = (record.about and outside_iri(record.about.site or "")) or SITE
        self._archive_record = self._mint.record("codewithpapers", "paper", record.slug)
        self._syntology_record = self._mint.record(SYNTOLOGY, "paper", record.slug)
        self._task_slugs = defaultdict(set)
        for task in record.tasks:
            self._task_slugs[task.name].add(task.slug)

    def all(self) -> list[Node]:
        record = self._record
        nodes = [self._paper(), *self._results(), site_record(self._draft, record, self._site)]
        if record.syntology is not None:
            nodes.append(syntology_record(self._draft, record, record.syntology))
            nodes += self._definitions(record.syntology)
        return nodes

    def _paper(self) -> Node:
        draft, record = self._draft, self._record
        records = [self._archive_record]
        links = [self._code_link(link) for link in record.code_links]
        samples: list[Node] = []
        if record.syntology is not None:
            records.append(self._syntology_record)
            links += [self._linked_repo(repo) for repo in record.syntology.repos]
            samples = [self._sample_link(sample) for sample in record.syntology.samples]
        paper = draft.thing(
            "paper",
            record.slug,
            title=record.title,
            abstract=record.abstract,
            proceeding=record.proceeding,
            authors=[
                node(f"{self._iri}#author-{n}", "Authorship", position=str(n), name=name)
                for n, name in enumerate(record.authors, start=1)
            ],
            tasks=[draft.thing("task", task.slug, name=task.name) for task in record.tasks],
            methods=[
                draft.thing("method", thing.slug, name=thing.name) for thing in record.methods
            ],
            datasets_introduced=self._introduced("dataset"),
            methods_introduced=self._introduced("method"),
            code_links=links,
            samples=samples,
            records=records,
            **draft.placed("url", record.id, "url", self._site),
            **draft.dated(record.date, "date", ("date", "year_month", "year")),
        )
        raw = []
        for name in ("url_abs", "url_pdf"):
            placed = draft.placed(name, getattr(record, name), name)
            raw += [placed.pop("raw_url")] if "raw_url" in placed else []
            paper |= placed
        if raw:
            paper["raw_url"] = raw
        self._identify(paper)
        return paper

    def _introduced(self, kind: str) -> list[Node]:
        things = (
            self._record.datasets_introduced
            if kind == "dataset"
            else self._record.methods_introduced
        )
        return [
            self._draft.thing(kind, thing.slug, name=thing.name, full_name=thing.full_name)
            for thing in things
        ]

    def _identify(self, paper: Node) -> None:
        """Add the identifiers that need no look-up: arXiv, DOI, and pages that follow from them."""
        record = self._record
        if record.arxiv_id is None:
            return
        parsed = arxiv.parse(record.arxiv_id)
        if parsed is None:
            self._draft.note(
                FindingKind.ODD_VALUE, "arxiv_id", f"{record.arxiv_id!r} is no arXiv identifier"
            )
            paper["raw_arxiv_id"] = record.arxiv_id
            return
        page = arxiv.parse(record.url_abs or "")
        same = page is not None and page.id == parsed.id
        paper["arxiv_id"] = parsed.id
        paper["arxiv_version"] = parsed.version or (page.version if same and page else None)
        if paper["arxiv_version"] is None:
            del paper["arxiv_version"]
        paper["doi"] = parsed.doi
        paper["same_as"] = [parsed.iri, parsed.doi_iri]
        links = [
            f"https://huggingface.co/papers/{parsed.id}",
            f"https://api.semanticscholar.org/arXiv:{parsed.id}",
        ]
        known = paper.get("see_also")
        paper["see_also"] = [known, *links] if known else links

    def _code_link(self, link: CodeLink) -> Node:
        draft, field = self._draft, "code_links[]"
        address, iri = self._part("code", link.repo_url, f"{field}.repo_url")
        return node(
            iri,
            "CodeLink",
            repo=draft.repo(address) if address else None,
            repo_url=link.repo_url,
            repo_path=address.path if address else None,
            is_official=link.is_official,
            mentioned_in_paper=link.mentioned_in_paper,
            mentioned_in_github=link.mentioned_in_github,
            framework=draft.concept("framework", link.framework, f"{field}.framework"),
            reach=self._reach(link, field),
            licence=self._reach_licence(link, iri, field),
            records=self._archive_record,
        )

    def _linked_repo(self, link: LinkedRepo) -> Node:
        draft, field = self._draft, "syntology.repos[]"
        address, iri = self._part("code", link.url, f"{field}.url")
        return node(
            iri,
            "CodeLink",
            repo=draft.repo(address) if address else None,
            repo_url=link.url,
            repo_path=address.path if address else None,
            reach=self._reach(link, field),
            licence=self._reach_licence(link, iri, field),
            provenance=link.provenance,
            records=self._syntology_record,
        )

    def _part(self, part: str, url: str, field: str) -> tuple[repos.RepoAddress | None, str]:
        """Return the repository at an address, and the IRI of this paper's link to it."""
        address = repos.parse(url)
        if address is None:
            self._draft.note(
                FindingKind.ODD_VALUE, field, f"{url[:80]!r} is no address of a repository"
            )
        return address, f"{self._iri}#{part}-{address.key if address else key(url)}"

    def _reach(self, link: CodeLink | LinkedRepo, field: str) -> Node | None:
        status = link.reach.status if link.reach else None
        return self._draft.concept("reach", status, f"{field}.reach.status")

    def _reach_licence(
        self, link: CodeLink | LinkedRepo, iri: str, field: str
    ) -> str | Node | None:
        spdx = link.reach.spdx if link.reach else None
        # The link is a fragment already, and a fragment has no fragment.
        return self._draft.spdx(spdx, f"{iri}-license", f"{field}.reach.spdx")

    def _sample_link(self, sample: Sample) -> Node:
        draft, field = self._draft, "syntology.samples[]"
        address = repos.of_owner_name(sample.repo, sample.file_url)
        repo_key = address.key if address else key(sample.repo)
        sample_key = self._sample_key(sample, repo_key)
        iri = self._mint.sample(sample_key)
        if address is None:
            draft.note(FindingKind.ODD_VALUE, f"{field}.repo", f"{sample.repo!r} is no repository")
        code = node(
            self._mint.code(sample.code_sha256_prefix),
            "CodeContent",
            sha256_prefix=sample.code_sha256_prefix,
        )
        return node(
            f"{self._iri}#sample-{sample_key}",
            "SampleLink",
            sample=node(
                iri,
                "Sample",
                code_sha256_prefix=code,
                repo=draft.repo(address) if address else None,
                path=sample.path,
                entry=sample.entry,
                language=draft.concept(
                    "programming-language", sample.language, f"{field}.language"
                ),
                status=draft.concept("sample-status", sample.status, f"{field}.status"),
                contract_check=draft.concept(
                    "contract-check", sample.contract_check, f"{field}.contract_check"
                ),
                verification_level=sample.verification_level,
                metamorphic_tier=draft.concept(
                    "metamorphic-tier", sample.metamorphic_tier, f"{field}.metamorphic_tier"
                ),
                behaviour_fingerprint=sample.behaviour_fingerprint,
                inline_ok=sample.inline_ok,
                licence=draft.spdx(sample.licence, f"{iri}#license", f"{field}.licence"),
                records=self._syntology_record,
                **draft.placed("file_url", sample.file_url, f"{field}.file_url"),
            ),
            repo_kind=draft.concept("repo-kind", sample.repo_kind, f"{field}.repo_kind"),
            link_basis=draft.concept("link-basis", sample.link_basis, f"{field}.link_basis"),
            records=self._syntology_record,
        )

    @staticmethod
    def _sample_key(sample: Sample, repo_key: str) -> str:
        place = "\n".join((repo_key, sample.path or "", sample.entry or ""))
        return f"{sample.code_sha256_prefix}-{short_hash(place)}"

    def _definitions(self, syntology: Syntology) -> list[Node]:
        field = "syntology.repo_kind_vocabulary.*"
        concepts = (
            self._draft.concept("repo-kind", code, field, definition=definition)
            for code, definition in syntology.repo_kind_vocabulary
        )
        return [concept for concept in concepts if concept is not None]

    def _results(self) -> list[Node]:
        rows: dict[str, list[Result]] = defaultdict(list)
        places: dict[str, Node] = {}
        for row in self._record.results:
            task, dataset, board = self._leaderboard(row)
            iri = self._mint.result(
                self._mint.key_of("leaderboard", str(board["@id"])),
                slug_key(self._record.slug),
                row.model or "",
                extra=row.uses_additional_data == "true",
            )
            rows[iri].append(row)
            places[iri] = {"leaderboard": board, "task": task, "dataset": dataset}
        nodes = []
        for iri, same_key in rows.items():
            distinct = dict.fromkeys(same_key)
            for row in distinct:
                own = f"{iri}~{_metrics_hash(row)}" if len(distinct) > 1 else iri
                nodes.append(self._result(own, row, same_key.count(row), places[iri]))
        return nodes

    def _leaderboard(self, row: Result) -> tuple[Node | None, Node | None, Node]:
        draft, field = self._draft, "results[]"
        task = dataset = None
        if row.task is not None:
            own = frozenset(self._task_slugs.get(row.task, ()))
            task = draft.by_name("task", row.task, own, f"{field}.task")
        if row.dataset is not None:
            dataset = draft.by_name("dataset", row.dataset, frozenset(), f"{field}.dataset")
        slug = path_slug(row.leaderboard, "sota") if row.leaderboard else None
        if slug:
            iri = self._mint.thing("leaderboard", slug)
        else:
            iri = self._mint.nameless_leaderboard(
                str(task["@id"]) if task else None, str(dataset["@id"]) if dataset else None
            )
            if row.leaderboard is not None:
                draft.note(
                    FindingKind.ODD_VALUE,
                    f"{field}.leaderboard",
                    f"expected a path like /sota/some-slug: {row.leaderboard[:60]!r}",
                )
        board = node(
            iri,
            "Leaderboard",
            slug=slug,
            task=task,
            dataset=dataset,
            **draft.placed("url", row.leaderboard, f"{field}.leaderboard", self._site),
        )
        return task, dataset, board

    def _result(self, iri: str, row: Result, count: int, place: Node) -> Node:
        return node(
            iri,
            "Result",
            paper=self._iri,
            **place,
            model=row.model,
            rank_in_archive_order=row.rank,
            of=row.of,
            uses_additional_data=row.uses_additional_data,
            row_count=str(count) if count > 1 else None,
            metrics=[
                node(
                    f"{iri}#{key(name)}",
                    "Measurement",
                    metric=node(self._mint.metric(name), "Metric", name=name),
                    raw_value=raw,
                    value=decimal(raw),
                )
                for name, raw in row.metrics
            ],
            records=self._archive_record,
        )


def _metrics_hash(row: Result) -> str:
    text = json.dumps(dict(row.metrics), sort_keys=True, ensure_ascii=False)
    return short_hash(text)
