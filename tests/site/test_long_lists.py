"""Popular things: their pages stay small, and lead to the whole of each list in pages."""

from __future__ import annotations

import pytest

from kg.site.things import related
from tests.site.visiting import Visitor, in_memory

BASE = "https://e.org/"
PAPERS = 5_003
OTHERS = 130


def _graph(papers: int, others: int) -> str:
    lines = [
        'task:t a kg:Task ; rdfs:label "T" . method:m a kg:Method ; rdfs:label "M" .'
        ' dataset:d a kg:Dataset ; rdfs:label "D" . metric:acc a kg:Metric ; rdfs:label "Acc" .'
        " leaderboard:l a kg:Leaderboard ; kg:task task:t ; kg:dataset dataset:d ."
    ]
    lines += [
        (
            f'paper:p{n} a kg:Paper ; dct:title "P{n}" ; kg:task task:t ; kg:method method:m ;'
            f' dct:issued "{1500 + n // 12}-{n % 12 + 1:02}-01"^^xsd:date .'
            f" result:r{n} a kg:Result ; kg:leaderboard leaderboard:l ; kg:task task:t ;"
            f' kg:dataset dataset:d ; kg:paper paper:p{n} ; kg:modelName "M{n}" ;'
            f" kg:archiveRank {n + 1} ; kg:measurement <{BASE}result/r{n}#m> ."
            f' <{BASE}result/r{n}#m> kg:metric metric:acc ; kg:rawValue "{n}" ; kg:value {n}.0 .'
        )
        for n in range(papers)
    ]
    lines += [
        (
            f"leaderboard:l{n} a kg:Leaderboard ; kg:task task:t ; kg:dataset dataset:d ."
            f' dataset:d{n:03} a kg:Dataset ; rdfs:label "D{n:03}" ; kg:task task:t ;'
            f" kg:subdatasetOf dataset:d ."
            f' task:t{n:03} a kg:Task ; rdfs:label "T{n:03}" ; skos:broader task:t .'
        )
        for n in range(others)
    ]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def popular() -> Visitor:
    return Visitor(in_memory(_graph(PAPERS, OTHERS), BASE))


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        (
            "/task/t",
            {
                "All 5,003 papers": "/papers?task=t",
                "All 131 leaderboards": "/leaderboards?task=t",
                "All 130 datasets": "/datasets?task=t",
                "All 130 tasks": "/tasks?task=t",
            },
        ),
        (
            "/dataset/d",
            {
                "All 5,003 papers": "/papers?dataset=d",
                "All 131 leaderboards": "/leaderboards?dataset=d",
                "All 130 datasets": "/datasets?dataset=d",
            },
        ),
        ("/method/m", {"All 5,003 papers": "/papers?method=m"}),
        ("/leaderboard/l", {"Next": "?page=2"}),
        ("/metric/acc", {}),
    ],
)
def test_a_page_is_small_however_popular_its_thing_is(
    popular: Visitor, path: str, whole: dict[str, str]
) -> None:
    answer = popular.get(path)
    page = answer.main
    assert len(answer.body) < 150_000
    for table in page.all("table"):
        assert len(table.rows()) <= 100
    for chips in page.all("ul", class_="chips"):
        assert len(chips.all("li")) <= 50
    assert whole.items() <= page.links.items()


def test_a_chart_draws_no_more_than_can_be_told_apart(popular: Visitor) -> None:
    # Each of its results is better than all before it.
    assert len(popular.get("/leaderboard/l?better=higher").main.all("circle")) == 800


def test_a_whole_list_is_had_in_pages_and_in_order(popular: Visitor) -> None:
    first = popular.get("/papers?task=t").main
    assert first.one("h1").links == {"T": "/task/t"}
    assert "5,003 papers, newest first" in first.text
    assert [row[0] for row in first.rows()][:2] == ["P5002", "P5001"]
    assert first.links["Next"] == "?task=t&page=2"
    last = popular.get("/papers?task=t&page=101").main
    assert [row[0] for row in last.rows()] == ["P2", "P1", "P0"]
    assert "Next" not in last.links
    boards = popular.get("/leaderboards?dataset=d").main.rows()
    assert boards[0][1] == str(PAPERS)
    pages = [popular.get(f"/datasets?task=t&page={n}").main for n in (1, 2, 3)]
    listed = [item.text for page in pages for item in page.one("ul", class_="found").all("li")]
    assert listed == [f"D{n:03}" for n in range(OTHERS)]


def test_a_list_beyond_what_is_counted_still_has_all_its_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(related, "READ", 100)
    visitor = Visitor(in_memory(_graph(220, 0), BASE))
    page = visitor.get("/task/t").main
    assert "more than 100 papers" in page.text
    assert page.links["All papers (more than 100)"] == "/papers?task=t"
    found: list[str] = []
    address = "/papers?task=t"
    for number in range(1, 6):
        listed = visitor.get(address).main
        found += [row[0] for row in listed.rows()]
        assert f"Page {number}" in listed.text
        address = f"/papers{listed.links['Next']}" if number < 5 else ""
    assert "Next" not in listed.links
    assert sorted(found) == sorted(f"P{n}" for n in range(220))
    assert "in no particular order" in listed.text


def test_things_that_are_alike_stand_on_one_page_each() -> None:
    turtle = "".join(
        f"paper:p{n} a kg:Paper ; kg:task task:t ;"
        f' dct:issued "2020-01-01"^^xsd:date, "{2000 + n % 3}"^^xsd:gYear .'
        for n in range(170)
    )
    visitor = Visitor(in_memory(f"task:t a kg:Task . {turtle}", BASE))
    pages = [visitor.get(f"/papers?task=t&page={n}").main for n in range(1, 5)]
    found = [row[0] for page in pages for row in page.rows()]
    assert sorted(found) == sorted(f"p{n}" for n in range(170))


def test_leaderboards_are_the_same_from_whichever_side_they_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, popular: Visitor
) -> None:
    addresses = ("/leaderboards?task=t", "/leaderboards?dataset=d", "/datasets?task=t&page=2")
    found = []
    for many in (1, 1_000_000):
        monkeypatch.setattr(related, "_MANY", many)
        found.append([sorted(popular.get(one).main.links) for one in addresses])
    assert found[0] == found[1]


def test_a_short_list_has_no_other_address(popular: Visitor) -> None:
    page = popular.get("/task/t001").main
    assert not [text for text in page.links if text.startswith("All ")]


@pytest.mark.parametrize("query", ["task=nothing", "method=", "dataset=%3Cx%3E"])
def test_the_list_of_what_there_is_not_is_not_found(popular: Visitor, query: str) -> None:
    assert popular.get(f"/papers?{query}").status == 404


def test_a_list_is_of_one_thing(popular: Visitor) -> None:
    assert popular.get("/leaderboards?task=t&dataset=d").status == 400


def test_a_thing_without_a_slug_has_its_lists_too() -> None:
    turtle = "".join(
        f"paper:p{n} a kg:Paper ; kg:task <{BASE}task/name/%C3%A4-b~1234> ." for n in range(60)
    )
    visitor = Visitor(in_memory(f"<{BASE}task/name/%C3%A4-b~1234> a kg:Task . {turtle}", BASE))
    page = visitor.get("/task/name/%C3%A4-b~1234").main
    address = page.links["All 60 papers"]
    assert len(visitor.get(f"{address}&page=2").main.rows()) == 10
