"""Links to code: repositories, and the samples that were harvested from them."""

from __future__ import annotations

from kg import repos
from kg.findings import FindingKind
from kg.iris import key, short_hash
from kg.mapper.draft import Draft, Node, node
from kg.records.paper import Sample
from kg.records.parts import Reach


def code_link(
    draft: Draft, thing: str, url: str, field: str, reach: Reach | None, **said: object
) -> Node:
    """Return the link of *thing* to the repository at *url*, with what the record *said* of it.

    The key path of the link is *field*. An address that is no repository's is kept as text.
    """
    address = repos.parse(url)
    if address is None:
        draft.note(FindingKind.ODD_VALUE, field, f"{url[:80]!r} is no address of a repository")
    repo_key = address.key if address else key(url)
    status, spdx = (reach.status, reach.spdx) if reach else (None, None)
    return node(
        f"{thing}#code-{repo_key}",
        "CodeLink",
        repo=draft.repo(address) if address else None,
        repo_url=url,
        repo_path=address.path if address else None,
        reach=draft.concept("reach", status, f"{field}.reach.status"),
        # The link is a fragment already, and a fragment has no fragment.
        licence=draft.spdx(spdx, f"{thing}#license-{repo_key}", f"{field}.reach.spdx"),
        **said,
    )


def sample_link(draft: Draft, paper: str, sample: Sample, record: str) -> Node:
    """Return what ties a sample to *paper*, with the sample in it; both come from *record*."""
    field = "syntology.samples[]"
    address = repos.of_owner_name(sample.repo, sample.file_url)
    if address is None:
        draft.note(FindingKind.ODD_VALUE, f"{field}.repo", f"{sample.repo!r} is no repository")
    place = (address.key if address else key(sample.repo), sample.path or "", sample.entry or "")
    sample_key = f"{sample.code_sha256_prefix}-{short_hash(chr(10).join(place))}"
    iri = draft.minter.sample(sample_key)
    places = draft.places({"file_url": (sample.file_url, f"{field}.file_url")})
    if address is None:
        places["raw_repo"] = sample.repo
    codes = {
        name: draft.concept(scheme, getattr(sample, name), f"{field}.{name}")
        for name, scheme in (
            ("language", "programming-language"),
            ("status", "sample-status"),
            ("contract_check", "contract-check"),
            ("metamorphic_tier", "metamorphic-tier"),
        )
    }
    return node(
        f"{paper}#sample-{sample_key}",
        "SampleLink",
        sample=node(
            iri,
            "Sample",
            code_sha256_prefix=node(
                draft.minter.code(sample.code_sha256_prefix),
                "CodeContent",
                sha256_prefix=sample.code_sha256_prefix,
            ),
            repo=draft.repo(address) if address else None,
            path=sample.path,
            entry=sample.entry,
            verification_level=sample.verification_level,
            behaviour_fingerprint=sample.behaviour_fingerprint,
            inline_ok=sample.inline_ok,
            licence=draft.spdx(sample.licence, f"{iri}#license", f"{field}.licence"),
            records=record,
            **codes,
            **places,
        ),
        repo_kind=draft.concept("repo-kind", sample.repo_kind, f"{field}.repo_kind"),
        link_basis=draft.concept("link-basis", sample.link_basis, f"{field}.link_basis"),
        records=record,
    )
