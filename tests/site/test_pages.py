"""What a person reads on the pages of the sample records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kg.site import markdown
from tests.site.parsing import Element
from tests.site.visiting import Visitor, in_memory

EXAMPLE = "/paper/example-paper-a-tiny-transformer-for-n-geq-3"
UNSAID = "\N{EN DASH}"
SQUAD = "/leaderboard/question-answering-on-squad11-dev"


def json_ld(page: Element) -> Any:
    (found,) = page.all("script", type="application/ld+json")
    return json.loads(found.raw)


def section(page: Element, title: str) -> Element:
    (found,) = [
        one
        for one in page.all("section")
        if any(child.name == "h2" and child.text == title for child in one)
    ]
    return found


def test_the_first_page_counts_and_leads_to_questions_with_answers(site: Visitor) -> None:
    page = site.get("/").main
    counts = {item.text for item in page.one("ul", class_="counts").all("li")}
    assert {"17 papers", "20 leaderboards", "18 code samples"} & counts
    questions = page.one("ul", class_="questions").links
    assert len(questions) >= 6
    for address in questions.values():
        assert site.get(address).main.all("table"), address
    assert "/dataset/" not in str(questions)
    assert "not affiliated" in page.text
    assert "CC BY-SA 4.0" in page.links


def test_a_paper_has_its_authors_in_order_and_its_abstract(site: Visitor) -> None:
    page = site.get("/paper/attention-is-all-you-need").main
    authors = page.one("ol", class_="authors").all("li")
    assert [one.text for one in authors][:3] == ["Ashish Vaswani", "Noam Shazeer", "Niki Parmar"]
    assert [one.attributes["id"] for one in authors][:2] == ["author-1", "author-2"]
    assert authors[0].links["Ashish Vaswani"] == "/queries/author-papers?author=Ashish+Vaswani"
    assert "12 June 2017" in page.text
    assert "NeurIPS, December 2017" in page.text
    assert page.by_id("abstract").one("p").text.startswith("Sets out the Transformer")
    assert page.links["arXiv:1706.03762v7"] == "https://arxiv.org/abs/1706.03762v7"
    assert page.links["doi:10.48550/arxiv.1706.03762"].startswith("https://doi.org/")


def test_the_code_of_a_paper_has_the_official_repository_first(site: Visitor) -> None:
    code = site.get("/paper/attention-is-all-you-need").main.by_id("code")
    rows = code.rows()
    assert rows[0][:3] == ["tensorflow/tensor2tensor visit", "official", "yes"]
    assert [row[1] for row in rows] == ["official", UNSAID, UNSAID, "no", "no"]
    assert code.links["tensorflow/tensor2tensor"] == "/repo/github.com/tensorflow/tensor2tensor"


def test_the_results_of_a_paper_have_their_place_on_each_leaderboard(site: Visitor) -> None:
    results = site.get("/paper/bert-pre-training-of-deep-bidirectional").main.by_id("results")
    (row,) = [row for row in results.rows() if row[1] == "SQuAD1.1 dev" and "LARGE" in row[2]]
    assert row[4] == "6 of 6"
    assert "84.1 EM" in row[3]
    assert SQUAD in [one.attributes["href"] for one in results.all("a") if one.text == "6 of 6"]


def test_samples_have_their_status_and_the_claim_that_travels_with_it(site: Visitor) -> None:
    samples = site.get(EXAMPLE).main.by_id("samples")
    rows = samples.rows()
    assert rows[0][0].startswith("gelu")
    assert [row[2] for row in rows] == ["2", "2", "1", "1", "1", "0", "0", "0"]
    assert "3 ran, drafted contract wrong" in samples.text
    assert "not the function, and not the paper" in samples.text
    assert samples.all("blockquote")


def test_a_paper_is_cited_in_words_and_as_bibtex(site: Visitor) -> None:
    cite = site.get("/paper/attention-is-all-you-need").main.by_id("cite")
    assert "Attention Is All You Need. NeurIPS 2017. arXiv:1706.03762." in cite.text
    assert "@inproceedings{vaswani2017attention," in cite.text


def test_a_paper_names_its_records_their_licence_and_their_notes(site: Visitor) -> None:
    provenance = site.get(EXAMPLE).main.by_id("provenance")
    assert "CC BY-SA 4.0" in provenance.text
    assert "codewithpapers record" in provenance.links
    record = site.get(provenance.links["codewithpapers record"]).main
    assert "Licence" in record.text
    assert EXAMPLE in record.links.values()


def test_a_paper_known_by_others_only_says_so() -> None:
    turtle = 'paper:a a kg:Paper ; dct:title "A" ; kg:firstAuthorName "Ann" .'
    page = Visitor(in_memory(turtle, "https://e.org/")).get("/paper/a").main
    assert "No record of its own describes this paper" in page.text
    assert "Ann, and others, whom no record names" in page.text.replace("Ann and", "Ann, and")


def test_a_paper_tells_search_engines_what_it_is(site: Visitor) -> None:
    told = json_ld(site.get("/paper/attention-is-all-you-need").html)
    assert told["@type"] == "ScholarlyArticle"
    assert told["url"] == "http://127.0.0.1:7878/paper/attention-is-all-you-need"
    assert told["author"][0] == {"@type": "Person", "name": "Ashish Vaswani"}
    assert told["datePublished"] == "2017-06-12"


def test_a_leaderboard_stands_in_the_archives_order(site: Visitor) -> None:
    page = site.get(SQUAD).main
    rows = page.rows()
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert [row[1] for row in rows][:2] == ["XLNet (single model)", "ELECTRA-1.75M"]
    assert rows[0][2:5] == ["89.7", "95.1", "yes"]
    assert page.links["XLNet (single model)"].startswith(
        "/result/question-answering-on-squad11-dev/"
    )


def test_the_metric_of_a_leaderboard_is_an_address(site: Visitor) -> None:
    page = site.get(SQUAD).main
    tabs = page.one("nav", class_="tabs").links
    assert tabs == {"EM": "?metric=EM", "F1": "?metric=F1"}
    chosen = site.get(f"{SQUAD}?metric=F1").main
    (current,) = chosen.all("a", aria_current="true")
    assert current.text == "F1"
    assert "F1 over time" in chosen.one("figure").text


def test_the_chart_joins_what_was_best_and_says_by_what_it_goes(site: Visitor) -> None:
    figure = site.get(SQUAD).main.one("figure")
    assert len(figure.all("circle")) == 6
    assert len(figure.all("path", class_="best")) == 1
    assert "order has it" in figure.text
    lower = site.get(f"{SQUAD}?metric=EM&better=lower").main.one("figure")
    assert "lower being better, as you chose" in lower.text


def test_what_a_metric_says_of_its_order_wins() -> None:
    turtle = """
    leaderboard:l a kg:Leaderboard .
    metric:m a kg:Metric ; rdfs:label "WER" ; kg:higherIsBetter false .
    result:a a kg:Result ; kg:leaderboard leaderboard:l ; kg:archiveRank 1 ; kg:modelName "A" ;
      dct:issued "2020-01-01"^^xsd:date ; kg:measurement <https://e.org/result/a#m> .
    <https://e.org/result/a#m> kg:metric metric:m ; kg:rawValue "5%" ; kg:value 5.0 .
    result:b a kg:Result ; kg:leaderboard leaderboard:l ; kg:archiveRank 2 ; kg:modelName "B" ;
      dct:issued "2021-01-01"^^xsd:date ; kg:measurement <https://e.org/result/b#m> .
    <https://e.org/result/b#m> kg:metric metric:m ; kg:rawValue "7%" ; kg:value 7.0 .
    """
    page = Visitor(in_memory(turtle, "https://e.org/")).get("/leaderboard/l").main
    assert "lower being better, as the metric says" in page.text
    assert len(page.all("circle", class_="best")) == 1
    assert [row[2] for row in page.rows()] == ["5%", "7%"]


def test_a_long_leaderboard_comes_in_pages() -> None:
    rows = "".join(
        f"result:r{n} a kg:Result ; kg:leaderboard leaderboard:l ; kg:archiveRank {n} ;"
        f' kg:modelName "M{n}" .\n'
        for n in range(1, 251)
    )
    visitor = Visitor(in_memory(f"leaderboard:l a kg:Leaderboard .\n{rows}", "https://e.org/"))
    first = visitor.get("/leaderboard/l").main
    assert len(first.rows()) == 100
    assert first.links["Next"] == "?page=2"
    last = visitor.get("/leaderboard/l?page=3").main
    assert [row[0] for row in last.rows()][-1] == "250"
    assert "Next" not in last.links
    assert visitor.get("/leaderboard/l?page=999999999").main.rows() == last.rows()


def test_a_result_leads_to_its_paper_elsewhere_where_the_graph_has_none() -> None:
    turtle = """
    leaderboard:l a kg:Leaderboard .
    result:a a kg:Result ; kg:leaderboard leaderboard:l ; kg:archiveRank 1 ; kg:modelName "A" ;
      kg:paperTitle "https://example.org/abs/1" .
    result:b a kg:Result ; kg:leaderboard leaderboard:l ; kg:archiveRank 2 ; kg:modelName "B" ;
      kg:paperTitle "Bees" ; kg:paperPage <https://example.org/bees> .
    result:c a kg:Result ; kg:leaderboard leaderboard:l ; kg:archiveRank 3 ; kg:modelName "C" ;
      kg:paperTitle "javascript:alert(1)" .
    """
    page = Visitor(in_memory(turtle, "https://e.org/")).get("/leaderboard/l").main
    assert [row[3] for row in page.rows()] == ["example.org/abs/1", "Bees", "javascript:alert(1)"]
    assert page.links["example.org/abs/1"] == "https://example.org/abs/1"
    assert page.links["Bees"] == "https://example.org/bees"
    assert "javascript:alert(1)" not in page.links
    # Nobody links code to any of them.
    assert [cell.text for cell in page.one("thead").all("th")][-1] == "Date"
    assert "Code" not in [cell.text for cell in page.one("thead").all("th")]


def test_a_leaderboard_in_a_list_has_the_scores_of_its_first_result() -> None:
    turtle = """
    task:t a kg:Task ; rdfs:label "T" .
    leaderboard:l a kg:Leaderboard ; kg:task task:t .
    metric:m a kg:Metric ; rdfs:label "Accuracy" . metric:n a kg:Metric ; rdfs:label "Parameters" .
    result:a a kg:Result ; kg:leaderboard leaderboard:l ; kg:archiveRank 1 ; kg:modelName "A" ;
      kg:measurement <https://e.org/result/a#m>, <https://e.org/result/a#n> .
    <https://e.org/result/a#m> kg:metric metric:m ; kg:rawValue "95.4" .
    <https://e.org/result/a#n> kg:metric metric:n ; kg:rawValue "" .
    """
    page = Visitor(in_memory(turtle, "https://e.org/")).get("/task/t").main
    assert [row[2:] for row in page.by_id("leaderboards").rows()] == [["A", "95.4 Accuracy"]]


def test_a_task_has_its_leaderboards_and_its_papers_newest_first(site: Visitor) -> None:
    page = site.get("/task/question-answering").main
    assert page.by_id("leaderboards").rows()[0][:3] == [
        "Question Answering on SQuAD1.1 dev",
        "6",
        "XLNet (single model)",
    ]
    papers = page.by_id("papers").rows()
    assert [row[1][-4:] for row in papers] == sorted((row[1][-4:] for row in papers), reverse=True)
    assert papers[0][0].startswith("ELECTRA")


def test_the_tree_of_tasks_leads_up_and_down() -> None:
    turtle = """
    task:a a kg:Task ; rdfs:label "A" ; skos:broader task:b ; skos:altLabel "Also A" .
    task:b a kg:Task ; rdfs:label "B" ; skos:broader task:a .
    """
    visitor = Visitor(in_memory(turtle, "https://e.org/"))
    page = visitor.get("/task/a").main
    assert page.links["B"] == "/task/b"
    assert "Also called Also A" in page.text
    assert {"Part of", "Narrower tasks"} <= {one.text for one in page.all("h2")}


def test_a_dataset_has_its_facts_and_its_loaders(site: Visitor) -> None:
    page = site.get("/dataset/xnli").main
    facts = {
        one.all("dt")[0].text: one.all("dd")[0].text
        for one in page.by_id("facts").all("div")
        if one.all("dt")
    }
    assert {"Homepage", "Licence", "Language", "Modality", "Introduced by"} <= facts.keys()
    assert "Bulgarian" in facts["Language"] or "bulgarian" in facts["Language"]
    assert page.by_id("loaders").rows()


def test_what_a_dataset_lacks_takes_no_room() -> None:
    turtle = """
    dataset:d a kg:Dataset ; rdfs:label "D" ; kg:variantName "D", "D-mini" ;
      kg:dataLoader <https://e.org/dataset/d#loader-1> ;
      prov:wasDerivedFrom <https://e.org/record/r> .
    <https://e.org/dataset/d#loader-1> a kg:DataLoader ; foaf:page <https://example.org/load> .
    <https://e.org/record/r> a kg:Record ; kg:papersWithSamples 0 ; kg:samplesRan 0 .
    """
    page = Visitor(in_memory(turtle, "https://e.org/")).get("/dataset/d").main
    assert "VariantsD-mini" in page.by_id("facts").text.replace("Variants D", "VariantsD")
    assert [cell.text for cell in page.by_id("loaders").all("th")][:2] == ["Address", "Repository"]
    assert "Frameworks" not in page.by_id("loaders").text
    assert "The record counts no samples" in page.by_id("samples").text
    assert not page.by_id("samples").all("dd")


def test_datasets_of_one_name_are_told_apart_by_what_they_are_part_of() -> None:
    turtle = """
    dataset:a a kg:Dataset ; rdfs:label "Test" ; kg:subdatasetOf dataset:c .
    dataset:b a kg:Dataset ; rdfs:label "Test" .
    dataset:c a kg:Dataset ; rdfs:label "Whole" .
    """
    page = Visitor(in_memory(turtle, "https://e.org/")).get("/datasets").main
    listed = {item.text for item in page.one("ul", class_="found").all("li")}
    assert listed == {"Test part of Whole", "Test /dataset/b", "Whole"}


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"$\text{CC-News}$", "CC-News"),
        (r"$x_{i}^2 \leq 3$", "x<sub>i</sub><sup>2</sup> ≤ 3"),
        (r"\(\lambda=0.1\)", "λ=0.1"),
        (r"$\frac{1}{2}$", r"$\frac{1}{2}$"),
        (r"$x_{i_j}$", "$x_{i_j}$"),
        (r"$\hat{y}<b>$", r"$\hat{y}&lt;b&gt;$"),
        (r"$a<b>c$", "a&lt;b&gt;c"),
        (r"$x_<$", "x<sub>&lt;</sub>"),
    ],
)
def test_small_formulas_are_text_and_others_stay_as_they_are_written(
    written: str, shown: str
) -> None:
    class_ = "tex" if "$" in shown else "formula"
    found = markdown.html(f"It is {written}.", lambda href: None)
    assert f'It is <span class="{class_}">{shown}</span>.' in found


def test_a_dataset_is_told_in_croissants_words(site: Visitor) -> None:
    told = json_ld(site.get("/dataset/squad").html)
    assert told["@type"] == "sc:Dataset"
    assert told["name"] == "SQuAD"
    assert told["creator"]
    required = {"name", "description", "license", "url", "creator", "datePublished"}
    assert ("conformsTo" in told) == (required <= told.keys())


def test_what_croissant_requires_is_not_claimed_where_it_lacks() -> None:
    full = """
    dataset:d a kg:Dataset ; rdfs:label "D" ; dct:description "About **D**." ;
      dct:license <http://spdx.org/licenses/MIT> ; dct:issued "2020"^^xsd:gYear .
    paper:p a kg:Paper ; dct:title "P" ; kg:introduces dataset:d ; kg:firstAuthorName "Ann" .
    """
    visitor = Visitor(in_memory(full, "https://e.org/"))
    told = json_ld(visitor.get("/dataset/d").html)
    assert told["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert told["description"] == "About D."
    assert told["creator"] == {"@type": "Person", "name": "Ann"}
    without = Visitor(
        in_memory(full.replace('dct:issued "2020"^^xsd:gYear', "a kg:Dataset"), "https://e.org/")
    )
    assert "conformsTo" not in json_ld(without.get("/dataset/d").html)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the library's own dependencies
def test_what_conforms_to_croissant_is_read_by_its_own_library(site: Visitor) -> None:
    croissant = pytest.importorskip("mlcroissant", reason="needs mlcroissant")
    for name in ("squad", "xnli", "c4"):
        told = json_ld(site.get(f"/dataset/{name}").html)
        assert told["conformsTo"] == "http://mlcommons.org/croissant/1.0"
        assert croissant.Dataset(jsonld=told).metadata.name == told["name"]


def test_a_method_has_the_papers_that_use_it(site: Visitor) -> None:
    page = site.get("/method/transformer").main
    assert any("Attention" in row[0] for row in page.by_id("papers").rows())
    assert "Attention Is All You Need" in section(page, "Introduced by").links


def test_a_sample_says_what_was_seen_and_what_that_does_not_say(site: Visitor) -> None:
    paper = site.get(EXAMPLE).main
    address = paper.by_id("samples").links["gelu"]
    page = site.get(address).main
    assert page.one("h1").text == "gelu"
    axes = {one.all("dt")[0].text: one.all("dd")[0].text for one in page.one("dl").all("div")}
    assert axes["Status"].startswith("ran, drafted contract wrong")
    assert "It says nothing about a paper" in axes["Status"]
    assert axes["Verification level"].startswith("2")
    assert "no statement about a paper" in page.by_id("claim").text
    assert EXAMPLE in page.by_id("papers").links.values()


def test_the_same_code_elsewhere_is_a_click_away(site: Visitor) -> None:
    query = "SELECT ?code { ?s kg:code ?code } GROUP BY ?code HAVING (COUNT(?s) > 1)"
    (code,) = site.iris(query)
    page = site.get(site.path(code)).main
    assert len(page.rows()) == 2
    first, *_ = [href for href in page.links.values() if href.startswith("/sample/")]
    assert len(site.get(first).main.by_id("same").rows()) == 1


def test_a_result_has_its_scores_as_they_were_reported(site: Visitor) -> None:
    board = site.get(SQUAD).main
    page = site.get(board.links["XLNet (single model)"]).main
    assert [row[:3] for row in page.by_id("scores").rows()] == [
        ["EM", "89.7", "89.7"],
        ["F1", "95.1", "95.1"],
    ]
    assert "Place 1 of 6" in page.text


def test_a_metric_has_its_leaderboards(site: Visitor) -> None:
    em = site.get(SQUAD).main.links["EM"]
    assert em.startswith(("/metric/", "?"))
    address = next(
        href for href in site.get(SQUAD).main.links.values() if href.startswith("/metric/em")
    )
    page = site.get(address).main
    assert "Whether higher or lower is better is not said" in page.text
    assert any("SQuAD1.1 dev" in row[0] for row in page.rows())


def test_a_repository_has_its_papers_and_samples(site: Visitor) -> None:
    page = site.get("/repo/github.com/huggingface/datasets").main
    assert "Loads the datasets" in page.text
    page = site.get("/repo/github.com/tensorflow/tensor2tensor").main
    assert page.by_id("papers").rows()[0][2] == "official"


def test_what_a_page_has_no_place_for_is_told_all_the_same() -> None:
    turtle = 'paper:a a kg:Paper ; dct:title "A" ; rdfs:comment "Mine" ; kg:nipsId "17" .'
    page = Visitor(in_memory(turtle, "https://e.org/")).get("/paper/a").main
    further = page.by_id("further").text
    assert "commentMine" in further
    assert "NeurIPS identifier17" in further


def test_a_thing_of_no_known_class_has_a_page(site: Visitor) -> None:
    visitor = Visitor(in_memory('<https://e.org/x/y> rdfs:label "Why" .', "https://e.org/"))
    page = visitor.get("/x/y").main
    assert page.one("h1").text == "Why"


@pytest.mark.parametrize(
    "path",
    [
        "/paper/a",
        "/dataset/a",
        "/task/a",
        "/method/a",
        "/leaderboard/a",
        "/repo/a",
        "/sample/a",
        "/result/a",
        "/metric/a",
        "/record/a",
        "/code/a",
    ],
)
def test_a_thing_of_which_next_to_nothing_is_said_has_a_page(path: str) -> None:
    kind = path.split("/")[1]
    class_ = {"code": "CodeContent"}.get(kind, kind.capitalize())
    visitor = Visitor(in_memory(f"<https://e.org{path}> a kg:{class_} .", "https://e.org/"))
    assert visitor.get(path).main.one("h1").text


def test_the_real_paper_is_complete(seeds: Visitor) -> None:
    page = seeds.get("/paper/cblue-a-chinese-biomedical-language").main
    assert len(page.one("ol", class_="authors").all("li")) == 23
    assert len(page.by_id("code").rows()) == 2
    assert len(page.by_id("results").rows()) == 7
    assert len(page.by_id("samples").rows()) == 16
    assert "12 unverified" in page.by_id("samples").text
    assert "not a correctness claim about the paper" in page.by_id("samples").text
    assert len(section(page, "Tasks").all("li")) == 10
    assert len(section(page, "Introduces").all("li")) == 6
    assert not page.all("section", id="further")
    assert (
        "https://tianchi.aliyun.com/dataset/dataDetail?dataId=95414&lang=en-us"
        in page.links.values()
    )


def test_the_real_dataset_is_complete(seeds: Visitor) -> None:
    page = seeds.get("/dataset/blue").main
    assert "Biomedical Language Understanding Evaluation" in page.text
    assert "133 papers in the archive" in page.text
    (introducing,) = [one for one in page.links if one.startswith("Transfer Learning in")]
    assert page.links[introducing] == "/paper/transfer-learning-in-biomedical-natural"
    assert (
        page.links["Public domain"]
        == "https://github.com/ncbi-nlp/BLUE_Benchmark/blob/master/LICENSE.txt"
    )
    assert len(section(page, "Tasks").all("li")) == 3
    assert not page.all("section", id="further")
