"""The clients that people have, live: each gets what the store holds."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from urllib.parse import urlencode

import pandas as pd
import pytest
import rdflib
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from tests.server.test_server import ASK, COUNT, get, papers

PAPER = "https://w3id.org/paperkg/ns#Paper"
TITLE = "http://purl.org/dc/terms/title"
TITLES = f"SELECT ?paper ?title {{ ?paper a <{PAPER}> ; <{TITLE}> ?title }} ORDER BY ?title"


def test_rdflibs_sparql_store(address: str) -> None:
    graph = rdflib.Graph(SPARQLStore(f"{address}/sparql"))
    (row,) = graph.query(COUNT)
    assert int(row[0]) == papers(address) > 0
    title = rdflib.URIRef("http://purl.org/dc/terms/title")
    assert len(list(graph.triples((None, title, None)))) > 0
    assert graph.query("ASK { ?s ?p ?o }").askAnswer
    assert len(
        graph.query("CONSTRUCT WHERE { ?s a <https://w3id.org/paperkg/ns#Paper> }")
    ) == papers(address)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # within SPARQLWrapper
def test_sparqlwrapper(address: str) -> None:
    sparqlwrapper = pytest.importorskip("SPARQLWrapper")
    for method in ("GET", "POST"):
        for way in (sparqlwrapper.URLENCODED, sparqlwrapper.POSTDIRECTLY):
            if method == "GET" and way == sparqlwrapper.POSTDIRECTLY:
                continue
            wrapper = sparqlwrapper.SPARQLWrapper(f"{address}/sparql")
            wrapper.setMethod(method)
            wrapper.setRequestMethod(way)
            wrapper.setQuery(COUNT)
            wrapper.setReturnFormat(sparqlwrapper.JSON)
            solutions = wrapper.queryAndConvert()
            assert int(solutions["results"]["bindings"][0]["n"]["value"]) == papers(address)
            wrapper.setReturnFormat(sparqlwrapper.XML)
            assert str(papers(address)) in wrapper.queryAndConvert().toxml()
            wrapper.setReturnFormat(sparqlwrapper.CSV)
            assert wrapper.queryAndConvert() == f"n\r\n{papers(address)}\r\n".encode()
    wrapper.setQuery("DESCRIBE ?s { ?s a <https://w3id.org/paperkg/ns#Paper> }")
    wrapper.setReturnFormat(sparqlwrapper.RDFXML)
    assert len(wrapper.queryAndConvert()) > papers(address)
    wrapper.setReturnFormat(sparqlwrapper.TURTLE)
    text = wrapper.queryAndConvert().decode()
    assert len(rdflib.Graph().parse(data=text, format="turtle")) > papers(address)


def curl(*arguments: str) -> str:
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    run = subprocess.run(
        ["curl", "-sS", *arguments], capture_output=True, check=True, text=True, timeout=60
    )
    return run.stdout


def test_curl(address: str) -> None:
    sparql = f"{address}/sparql"
    assert json.loads(curl(sparql, "--data-urlencode", f"query={ASK}"))["boolean"] is True
    assert curl("-G", sparql, "--data-urlencode", f"query={COUNT}", "-H", "Accept: text/csv") == (
        f"n\n{papers(address)}\n"
    )
    direct = ("-H", "Content-Type: application/sparql-query", "--data-binary", ASK)
    assert json.loads(curl(sparql, *direct))["boolean"] is True
    assert curl(f"{address}/queries/class-counts?format=csv").startswith("class,")
    head = curl("-I", f"{sparql}?{urlencode({'query': ASK})}")
    assert head.startswith("HTTP/1.1 200")
    assert "\nETag: W/" in head


def titles(address: str) -> list[str]:
    rows = json.loads(get(address, query=TITLES))["results"]["bindings"]
    return [row["title"]["value"] for row in rows]


def test_pandas_reads_csv_from_the_address(address: str) -> None:
    url = f"{address}/sparql?{urlencode({'query': TITLES, 'format': 'csv'})}"
    for accept_encoding in ("identity", "gzip"):
        options = {"Accept-Encoding": accept_encoding}
        frame = pd.read_csv(url, storage_options=options)
        assert list(frame.columns) == ["paper", "title"]
        assert list(frame["title"]) == titles(address)
    frame = pd.read_csv(f"{address}/queries/class-counts?format=csv", index_col="class")
    assert frame.loc[PAPER, "things"] == papers(address)


SPARQLX = """
import asyncio, json, sys
from sparqlx import SPARQLWrapper

endpoint, count, construct = sys.argv[1:]
found = []
for method in ("GET", "POST", "POST-direct"):
    wrapper = SPARQLWrapper(sparql_endpoint=endpoint, query_method=method)
    found.append(wrapper.query(count, convert=True)[0]["n"])
    found.append(wrapper.query("ASK { ?s ?p ?o }", convert=True))
    found.append(len(wrapper.query(construct, convert=True)))
    found.append(b"".join(wrapper.query_stream(count, response_format="csv")).decode())

async def ask():
    async with SPARQLWrapper(sparql_endpoint=endpoint) as wrapper:
        return (await wrapper.aquery(count, convert=True))[0]["n"]

print(json.dumps([*found, asyncio.run(ask())]))
"""


def python_with_sparqlx() -> str:
    """A Python that has sparqlx, which needs a later one than the project."""
    if find_spec("sparqlx") is not None:
        return sys.executable
    if "PYTHON_WITH_SPARQLX" not in os.environ:
        pytest.skip("needs sparqlx: set PYTHON_WITH_SPARQLX to a Python that has it")
    return os.environ["PYTHON_WITH_SPARQLX"]


def test_sparqlx(address: str) -> None:
    construct = f"CONSTRUCT WHERE {{ ?s a <{PAPER}> }}"
    arguments = [python_with_sparqlx(), "-c", SPARQLX, f"{address}/sparql", COUNT, construct]
    run = subprocess.run(arguments, capture_output=True, check=True, text=True, timeout=120)
    number = papers(address)
    by_each_method = [number, True, number, f"n\r\n{number}\r\n"]
    assert json.loads(run.stdout.splitlines()[-1]) == [*by_each_method * 3, number]


@pytest.mark.parametrize("kind", ["sparql@", ""])
def test_comunica(address: str, kind: str) -> None:
    """Comunica, told that it is an endpoint and finding out by itself."""
    program = shutil.which("comunica-sparql")
    if program is None:
        pytest.skip("needs Comunica: npm install --global @comunica/query-sparql@3")
    arguments = [program, f"{kind}{address}/sparql", TITLES, "-t", "text/csv"]
    run = subprocess.run(arguments, capture_output=True, check=True, text=True, timeout=120)
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    assert [row["title"] for row in rows] == titles(address)
