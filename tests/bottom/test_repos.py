from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import repos

ONE_REPOSITORY = [
    "https://github.com/CBLUEbenchmark/CBLUE",
    "http://github.com/cbluebenchmark/cblue/",
    "https://www.github.com/cbluebenchmark/cblue.git",
    "git@github.com:CBLUEbenchmark/CBLUE.git",
    "ssh://git@github.com/cbluebenchmark/cblue.git",
    "git://github.com/cbluebenchmark/cblue",
    "git+https://github.com/cbluebenchmark/cblue.git",
    "https://github.com/cbluebenchmark/cblue/tree/main/x",
    "https://github.com/cbluebenchmark/cblue/blob/master/f.py",
    "https://github.com/cbluebenchmark/cblue?tab=readme#top",
    "  https://github.com/cbluebenchmark/cblue ",
    "https://github.com:443/cbluebenchmark//cblue",
]


@pytest.mark.parametrize("address", ONE_REPOSITORY)
def test_every_spelling_of_one_repository_has_one_key(address: str) -> None:
    found = repos.parse(address)
    assert found is not None
    assert found.key == "github.com/cbluebenchmark/cblue"
    assert found.page == "https://github.com/cbluebenchmark/cblue"


def test_a_place_inside_a_repository_is_kept() -> None:
    found = repos.parse("https://github.com/a/b/tree/main/x%20y")
    assert found is not None
    assert found.path == "tree/main/x%20y"


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://gitlab.com/Group/Sub/Project/-/tree/main", "gitlab.com/Group/Sub/Project"),
        ("https://bitbucket.org/Owner/Name/src/master/", "bitbucket.org/Owner/Name"),
        ("https://huggingface.co/datasets/a/b/tree/main", "huggingface.co/datasets/a/b"),
        ("https://nlp.fast.ai/Classification/2018.html", "nlp.fast.ai/Classification/2018.html"),
        ("https://e.org:8080/r.git", "e.org:8080/r"),
        ("https://e.org/get?id=1", "e.org/get%3Fid=1"),
        ("https://e.org", "e.org"),
    ],
)
def test_other_hosts_keep_their_paths_and_their_case(address: str, key: str) -> None:
    found = repos.parse(address)
    assert found is not None
    assert found.key == key


@pytest.mark.parametrize(
    "address",
    [
        "8.0",
        "",
        "javascript:x",
        "https://github.com/owner",
        "https://e.org:x/r",
        "http://[::1",
        "U-Net GAN",
        "https://e.org:port/x",
        "github.com/a/b",
    ],
)
def test_what_is_no_address_is_none(address: str) -> None:
    assert repos.parse(address) is None


def test_a_samples_repository_has_the_host_of_its_file() -> None:
    here = repos.of_owner_name("Example/Net", "https://gitlab.com/Example/Net/-/blob/HEAD/a.py")
    there = repos.of_owner_name("Example/Net", None)
    assert here is not None
    assert there is not None
    assert (here.key, there.key) == ("gitlab.com/Example/Net", "github.com/example/net")


@given(st.text())
def test_any_text_is_an_address_with_legal_iris_or_none(text: str) -> None:
    for found in (
        repos.parse(f"https://e.org/{text}"),
        repos.parse(text),
        repos.of_owner_name(text, text),
    ):
        if found is not None:
            ox.NamedNode(found.page)
            ox.NamedNode(f"https://w3id.org/paperkg/repo/{found.key}")
            assert not set("?#") & set(found.key)


@pytest.mark.parametrize("repo", ["???", "owner", "", "//", "a b"])
def test_a_samples_repository_needs_an_owner_and_a_name(repo: str) -> None:
    assert repos.of_owner_name(repo, "https://github.com/a/b/blob/HEAD/c.py") is None


@pytest.mark.parametrize("file_url", ["http://[::1", "https://e.org:x/", "not an address"])
def test_a_files_broken_address_says_nothing_of_a_host(file_url: str) -> None:
    found = repos.of_owner_name("example/net", file_url)
    assert found is not None
    assert found.key == "github.com/example/net"
