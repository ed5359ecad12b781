"""Canned queries as forms, a query of one's own, and search by name."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest

from kg.answers import Question
from kg.errors import BusyError, DeadlineError, KgError
from kg.evaluation import InProcess
from kg.protocol import Evaluation
from tests.site.parsing import Element
from tests.site.visiting import BROWSER, JSON, Visitor, in_memory

SQUAD = "question-answering-on-squad11-dev"
ASKED = f"/queries/leaderboard?leaderboard={SQUAD}&metric=EM"


def field(page: Element, name: str) -> Element:
    (found,) = [one for one in page if one.attributes.get("id") == f"p-{name}"]
    return found


def test_the_list_leads_to_a_form_for_each_query(site: Visitor) -> None:
    page = site.get("/queries").main
    names = {query.name for query in site.service.catalogue}
    addresses = set(page.links.values())
    assert {f"/queries/{name}" for name in names} <= addresses
    for name in names:
        assert site.get(f"/queries/{name}").main.all("form", class_="ask")


def test_a_form_has_an_input_of_the_type_of_each_parameter(site: Visitor) -> None:
    page = site.get("/queries/best-result").main
    assert field(page, "order").name == "select"
    assert [one.text for one in field(page, "order").all("option")] == [
        "choose",
        "higher",
        "lower",
        "known",
    ]
    limit = field(page, "limit")
    assert (limit.attributes["type"], limit.attributes["min"], limit.attributes["max"]) == (
        "number",
        "1",
        "100000",
    )
    assert "required" in field(page, "dataset").attributes
    assert "required" not in field(page, "task").attributes
    official = field(site.get("/queries/paper-code").main, "official")
    assert [one.text for one in official.all("option")] == ["any", "true", "false"]
    for one in page.all("input"):
        assert page.all("label", **{"for": one.attributes["id"]}), one
        assert page.by_id(one.attributes["aria-describedby"]).text


def test_things_and_codes_are_suggested_by_name(site: Visitor) -> None:
    page = site.get("/queries/leaderboard").main
    suggested = {
        one.attributes["value"]: one.text for one in page.by_id("l-leaderboard").all("option")
    }
    assert suggested[SQUAD] == "Question Answering on SQuAD1.1 dev"
    assert "EM" in {one.attributes["value"] for one in page.by_id("l-metric").all("option")}
    samples = site.get("/queries/paper-samples").main
    assert "ran_honours" in {
        one.attributes["value"] for one in samples.by_id("l-status").all("option")
    }


def test_an_empty_form_asks_nothing(site: Visitor) -> None:
    page = site.get("/queries/leaderboard").main
    assert not [one for one in page.all("section") if one.attributes.get("id") == "answer"]
    assert "VALUES" in page.by_id("sparql").text
    assert page.links["With the example"].startswith("/queries/leaderboard?leaderboard=")


def test_the_answer_stands_below_the_form_with_links_and_downloads(site: Visitor) -> None:
    page = site.get(ASKED).main
    answer = page.by_id("answer")
    assert [row[1] for row in answer.rows()][:2] == ["XLNet (single model)", "ELECTRA-1.75M"]
    assert "/paper/xlnet-generalized-autoregressive-pretraining" in answer.links.values()
    assert field(page, "metric").attributes["value"] == "EM"
    assert answer.links["CSV"] == f"{ASKED}&format=csv"
    assert site.find(answer.links["CSV"]) is None  # which is the protocol's
    sparql = page.by_id("sparql").text
    assert f"<https://w3id.org/paperkg/leaderboard/{SQUAD}>" in sparql
    assert "#+" not in sparql
    code = page.by_id("code").text
    assert f'graph.ask("leaderboard", leaderboard="{SQUAD}", metric="EM").to_dataframe()' in code
    assert "pandas.read_csv(" in code


def test_an_address_of_a_state_is_one_without_what_was_left_empty(site: Visitor) -> None:
    answer = site.get(f"/queries/leaderboard?leaderboard={SQUAD}&metric=&limit=")
    assert answer.status == 303
    assert answer.headers["location"] == f"/queries/leaderboard?leaderboard={SQUAD}"
    emptied = site.get("/queries/frameworks?task=&official=")
    assert emptied.headers["location"] == "/queries/frameworks"


def test_programs_get_what_they_always_got(site: Visitor) -> None:
    for accept in (JSON, "text/csv", "*/*", None):
        assert site.find(ASKED, accept) is None
    assert site.find(f"{ASKED}&format=json", BROWSER) is None


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/queries/leaderboard?metric=EM", "this is needed"),
        (f"/queries/leaderboard?leaderboard={SQUAD}&limit=0", "an integer from 1 to 100000"),
        (f"/queries/leaderboard?leaderboard={SQUAD}&limit=many", "an integer from 1 to 100000"),
        (f"/queries/leaderboard?leaderboard={SQUAD}&leaderboard=x", "this is given twice"),
        (f"/queries/leaderboard?leaderboard={SQUAD}&metrik=EM", "did you mean metric"),
        ("/queries/best-result?dataset=squad&metric=EM&order=up", "higher, lower or known"),
    ],
)
def test_what_is_wrong_is_said_at_the_input_and_nothing_is_asked(
    site: Visitor, address: str, words: str
) -> None:
    answer = site.get(address)
    assert answer.status == 400
    assert words in answer.main.text
    assert "Answer" not in [one.text for one in answer.main.all("h2")]


def test_what_the_graph_has_not_is_looked_for_by_name(site: Visitor) -> None:
    page = site.get("/queries/dataset-card?dataset=Stanford+Question+Answering+Dataset").main
    (near,) = page.all("div", class_="near")
    assert near.links["SQuAD"] == "?dataset=squad"
    nothing = site.get("/queries/dataset-card?dataset=qqqq").main
    assert "nothing that is called alike" in nothing.text


def test_a_query_that_is_given_up_says_so(site: Visitor) -> None:
    class Failing:
        def __init__(self, error: KgError) -> None:
            self._error = error

        async def __call__(self, question: Question) -> Evaluation:
            raise self._error

    visitor = Visitor(site.opened)
    for error, status, words in (
        (DeadlineError("the query took longer than 30 s (--time-limit)"), 504, "--time-limit"),
        (BusyError("too many queries wait", retry_after=1), 503, "too many"),
    ):
        visitor.evaluate = Failing(error)
        for address in (ASKED, "/editor?query=ASK+%7B%7D"):
            answer = visitor.get(address)
            assert answer.status == status
            assert words in answer.main.text


def test_only_the_beginning_of_a_long_answer_is_read(site: Visitor) -> None:
    class Counted:
        def __init__(self) -> None:
            self.asked: list[Question] = []

        async def __call__(self, question: Question) -> Evaluation:
            self.asked.append(question)
            return await InProcess(site.opened.store, site.opened.base)(question)

    visitor = Visitor(site.opened)
    visitor.evaluate = counted = Counted()
    text = "SELECT ?a ?b { ?a a kg:Measurement . ?b a kg:Authorship }"
    page = visitor.get(f"/editor?{urlencode({'query': text})}").main
    assert len(page.by_id("answer").rows()) == 500
    assert "These are the first rows" in page.text
    canned = visitor.get("/queries/author-papers?author=x&limit=100000").main
    assert canned.by_id("answer")
    assert "LIMIT 501" in counted.asked[-1].text
    assert "LIMIT 100000" in canned.by_id("sparql").text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT (1 AS ?one) {}", "one 1"),
        ("ASK { ?s a kg:Paper }", "Yes."),
        ("ASK { ?s a kg:Nothing }", "No."),
        ("CONSTRUCT { <urn:a> <urn:b> 'c' } {}", '<urn:a> <urn:b> "c" .'),
        ("SELECT ?x { ?x a kg:Nothing }", "There is no answer in this graph."),
    ],
)
def test_the_editor_works_as_a_plain_form(site: Visitor, query: str, words: str) -> None:
    page = site.get(f"/editor?{urlencode({'query': query})}").main
    assert page.one("textarea").raw == query
    assert words in page.by_id("answer").text
    assert "editor" in page.one("form", id="editor").attributes["action"]


def test_a_query_that_is_none_is_refused_with_its_place(site: Visitor) -> None:
    answer = site.get(f"/editor?query={quote('SELECT * { ?s ?p }')}")
    assert answer.status == 400
    assert "line 1" in answer.main.text


def test_the_examples_of_the_editor_are_the_catalogue(site: Visitor) -> None:
    page = site.get("/editor").main
    examples = page.one("ul", class_="examples").links
    assert len(examples) == len(list(site.service.catalogue))
    query = parse_qs(urlsplit(examples["Things per class"]).query)["query"][0]
    assert query == site.service.catalogue.get("class-counts").text


def test_the_editor_may_write_its_one_style_and_no_other_page_may(site: Visitor) -> None:
    assert "sha256-" in site.get("/editor").headers["content-security-policy"]
    for address in ("/", "/queries", "/paper/attention-is-all-you-need"):
        policy = site.get(address).headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "sha256-" not in policy
        assert "default-src 'none'" in policy


def test_what_the_editor_completes_is_json(site: Visitor) -> None:
    told = site.get("/editor/vocabulary", JSON).json
    assert told["prefixes"]["paper"] == "https://w3id.org/paperkg/paper/"


def test_search_is_a_page_and_json(site: Visitor) -> None:
    page = site.get("/search?q=attention+is").main
    assert page.links["Attention Is All You Need"] == "/paper/attention-is-all-you-need"
    told = site.get("/search?q=attention+is", JSON).json
    assert told["query"] == "attention is"
    assert told["hits"][0]["slug"] == "attention-is-all-you-need"
    assert site.get("/search?q=attention+is", "*/*").json == told
    only = site.get("/search?q=transformer&kind=method", JSON).json
    assert {hit["kind"] for hit in only["hits"]} == {"method"}


def test_search_says_what_is_wrong_and_where_there_is_no_index(site: Visitor) -> None:
    assert "is called so" in site.get("/search?q=qqqqqq").main.text
    assert site.get("/search?q=a&kind=person").status == 400
    without = Visitor(in_memory("", "https://e.org/"))
    assert without.get("/search?q=a", JSON).status == 503
    assert "no index of names" in without.get("/search?q=a").main.text


@pytest.mark.parametrize("plural", ["papers", "tasks", "datasets", "methods", "leaderboards"])
def test_all_things_of_a_class_can_be_browsed(site: Visitor, plural: str) -> None:
    kind = plural.removesuffix("s")
    query = f"SELECT ?s {{ ?s a kg:{kind.capitalize()} }}"
    expected = {site.path(iri) for iri in site.iris(query)}
    found = [one.attributes["href"] for one in site.get(f"/{plural}").main.all("a")]
    assert expected <= set(found)


def test_a_long_list_comes_in_pages_with_and_without_an_index() -> None:
    turtle = "".join(f"leaderboard:l{n:04} a kg:Leaderboard .\n" for n in range(120))
    visitor = Visitor(in_memory(turtle, "https://e.org/"))
    seen: list[str] = []
    address = "/leaderboards"
    for _ in range(3):
        page = visitor.get(address).main
        seen += page.one("tbody").links.values()
        address = f"/leaderboards{page.links.get('Next', '')}"
    assert seen == [f"/leaderboard/l{n:04}" for n in range(120)]
    assert address == "/leaderboards"


def test_pages_are_answered_side_by_side(site: Visitor) -> None:
    paths = ["/", "/papers", ASKED, "/paper/attention-is-all-you-need"] * 5
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda path: site.get(path).status, paths)) == {200}


def test_things_of_one_name_are_told_apart_in_a_list(site: Visitor) -> None:
    found = [one.text for one in site.get("/tasks").main.all("li") if "3D Semantic" in one.text]
    assert len(found) == 3
    assert len(set(found)) == 3
