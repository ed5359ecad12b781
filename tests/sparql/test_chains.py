from __future__ import annotations

import subprocess
import sys

import pytest

from kg.errors import QueryError
from kg.sparql import check
from kg.sparql.chains import LONGEST

LONG = {
    "negations": "SELECT * {{ FILTER({}true) }}".format("!" * 20_000),
    "sums": "SELECT (1{} AS ?x) {{}}".format("+1" * 20_000),
    "spaced sums": "SELECT (1{} AS ?x) {{}}".format(" + 1" * 20_000),
    "conjunctions": "ASK {{ FILTER(true{}) }}".format(" && true" * 20_000),
    "differences": "SELECT * {{ ?s ?p ?o {}}}".format("MINUS { ?s ?p ?o } " * 3_000),
    "options": "SELECT * {{ ?s ?p ?o {}}}".format("OPTIONAL { ?s ?p ?o } " * 4_000),
    "bindings": "SELECT * {{ {}}}".format(" ".join(f"BIND({n} AS ?x{n})" for n in range(3_000))),
    "unions": "SELECT * {{ {}}}".format(" UNION ".join(["{ ?s ?p ?o }"] * 3_000)),
    "counts": "SELECT {} {{}}".format(" ".join(f"(COUNT(*) AS ?x{n})" for n in range(4_000))),
    "paths": "ASK {{ ?s {} ?o }}".format("/".join(["a"] * 3_000)),
}


@pytest.mark.parametrize("name", LONG)
def test_a_chain_that_would_crash_the_engine_is_refused(name: str) -> None:
    with pytest.raises(QueryError, match="operators and clauses") as refused:
        check(LONG[name], {})
    assert refused.value.line == 1


@pytest.mark.parametrize("one", ["!", "1 + ", "MINUS { ?s ?p ?o } ", "BIND(1 AS ?x{n}) "])
def test_what_is_just_not_refused_does_not_crash_it(one: str) -> None:
    times = LONGEST - 10 if "BIND" not in one else LONGEST // 2 - 10
    chain = "".join(one.replace("{n}", str(n)) for n in range(times))
    text = f"ASK {{ FILTER({chain}1) }}" if one in ("!", "1 + ") else f"ASK {{ ?s ?p ?o {chain} }}"
    script = "import sys, kg.sparql; kg.sparql.check(sys.stdin.read(), {})"
    run = subprocess.run(
        [sys.executable, "-c", script], input=text, text=True, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr[-500:]


def test_data_and_lists_are_no_chains() -> None:
    values = " ".join(["-1"] * 5_000)
    members = ", ".join(["<http://e.org/x>"] * 5_000)
    check(f"SELECT * {{ VALUES ?x {{ {values} }} FILTER(?x IN ({members})) }}", {})
