"""The description of the interface, held against the interface."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from kg import namespaces
from kg.catalogue import Catalogue, ParameterType
from kg.catalogue.iri_values import KINDS, Space
from kg.catalogue.parameters import Parameter
from kg.errors import ParameterError
from kg.evaluation import InProcess
from kg.iris import Minter
from kg.protocol import Request, handle
from kg.site.parameter_schemas import pattern
from tests.site.visiting import JSON, Visitor

SPACES = [None, *(Space(name) for name in KINDS), Space("framework", is_scheme=True)]
BASE = "https://w3id.org/paperkg/"


@pytest.fixture(scope="module")
def document(site: Visitor) -> Any:
    return site.get("/openapi.json", JSON).json


def test_every_canned_query_is_described_with_all_its_parameters(document: Any) -> None:
    for query in Catalogue.load():
        operation = document["paths"][f"/queries/{query.name}"]["get"]
        described = {one["name"]: one for one in operation["parameters"]}
        assert list(described) == [*(one.name for one in query.parameters), "format"]
        for one in query.parameters:
            assert described[one.name]["required"] == one.required
            assert described[one.name]["example"] is not None


def test_the_document_is_openapi_whose_references_lead_somewhere(document: Any) -> None:
    assert document["openapi"].startswith("3.1.")
    assert document["servers"] == [{"url": "http://127.0.0.1:7878"}]

    def references(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [one for part in value.values() for one in references(part)]
        return (
            [one for part in value for one in references(part)] if isinstance(value, list) else []
        )

    for reference in references(document):
        name = reference.removeprefix("#/components/schemas/")
        assert name in document["components"]["schemas"]
    operations = [path["get"]["operationId"] for path in document["paths"].values()]
    assert len(operations) == len(set(operations))


def test_examples_of_things_are_things_that_there_are(site: Visitor, document: Any) -> None:
    for path, item in document["paths"].items():
        for one in item["get"].get("parameters", []):
            if one["in"] == "path":
                for key in one["schema"]["examples"]:
                    assert re.search(one["schema"]["pattern"], key)
                    assert site.get(path.replace("{key}", key)).status == 200


def test_the_page_of_the_interface_has_a_form_for_each_operation(
    site: Visitor, document: Any
) -> None:
    page = site.get("/api").main
    actions = {form.attributes["action"] for form in page.all("form")}
    assert actions == {path for path in document["paths"] if "{" not in path} - {"/queries"}
    for one in page.all("input"):
        assert page.all("label", **{"for": one.attributes["id"]})


def takes(space: Space | None, text: str) -> bool:
    parameter = Parameter("x", ParameterType.IRI, "", "", space=space)
    try:
        parameter.term(text, Minter(BASE), namespaces.prefixes(BASE))
    except ParameterError:
        return False
    return True


words = st.text(
    st.sampled_from("aZ09.-_~:/?#@!$&'()*+,;=% <>[]{}|\\^`\"é\u00a0\u2003\ue000\U0001f600\x00\n")
    | st.characters(exclude_categories=["Cs"]),
    min_size=1,
    max_size=12,
)
made = st.builds(
    "".join,
    st.lists(
        st.sampled_from(
            [
                "paper",
                "kg",
                "dataset",
                ":",
                "//",
                "https://",
                "e.org",
                "/",
                "a",
                "B",
                "~12345678",
                "%4",
                "%41",
                "#",
                "?",
                "<",
                ">",
                "/paper/",
                "/sota/",
                "name/",
                " ",
                "urn",
            ]
        ),
        min_size=1,
        max_size=6,
    ),
)


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(SPACES), words | made)
@example(Space("Dataset"), "a:b")
@example(Space("Dataset"), ":")
@example(Space("Dataset"), "\ue000")
@example(Space("Paper"), "/paper/a b")
def test_what_the_description_allows_the_binder_takes(space: Space | None, text: str) -> None:
    assume(re.search(pattern(space), text))
    if space is not None and (space.is_scheme or space.name == "Metric"):
        # A name may look like an IRI that is none; such names are not worth a pattern.
        assume(not re.match(r"\s*(?:<|[A-Za-z][A-Za-z0-9+.-]*:)", text))
    assert takes(space, text), (space, text)


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(SPACES), words)
@example(Space("Dataset"), "A/b")
@example(Space("Dataset"), "x y")
def test_what_the_description_forbids_the_binder_refuses(space: Space | None, text: str) -> None:
    assume(not re.search(pattern(space), text))
    # Space around a value is cut off, and addresses are legal in more forms than are described.
    assume(
        text == text.strip() and "://" not in text and not text.lower().startswith(("urn:", "<"))
    )
    assert not takes(space, text), (space, text)


@pytest.mark.parametrize("query", ["class-counts", "frameworks"])
def test_the_formats_that_are_described_are_those_that_the_protocol_takes(
    site: Visitor, document: Any, query: str
) -> None:
    parameters = document["paths"][f"/queries/{query}"]["get"]["parameters"]
    (described,) = [one["schema"]["enum"] for one in parameters if one["name"] == "format"]
    evaluate = InProcess(site.opened.store, site.opened.base)

    async def status(name: str) -> int:
        asked = Request(
            "GET", f"/queries/{query}", f"format={name}".encode(), [("host", "127.0.0.1")]
        )
        response = await handle(asked, evaluate, site.service)
        await response.body.aclose()
        return response.status

    async def run() -> dict[str, int]:
        return {name: await status(name) for name in (*described, "ttl", "png")}

    found = asyncio.run(run())
    assert found == {**dict.fromkeys(described, 200), "ttl": 400, "png": 400}
    assert "" in described
