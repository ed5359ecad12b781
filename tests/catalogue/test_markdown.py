from __future__ import annotations

import pyoxigraph as ox

from kg.catalogue import CannedQuery
from kg.catalogue.description import command_line
from kg.catalogue.markdown import in_markdown, listed_in_markdown

QUERY = CannedQuery.parse(
    "odd-one",
    """\
#+ title: A *title* with a | in it
#+ description: It says `this` and [that].
#+ parameter name:
#+   type: string
#+   values: one, two three
#+   required: yes
#+   description: Which.
#+   example: two three
SELECT ?name WHERE { VALUES (?name) { ("two three") } } # ```
""",
)


def test_what_markdown_would_read_is_escaped() -> None:
    page = listed_in_markdown([QUERY])
    assert "| [odd-one](#odd-one) | A \\*title\\* with a \\| in it |" in page
    assert "It says \\`this\\` and \\[that\\]." in page
    assert "| `name` | Which. Takes one or two three. | required | two three |" in page
    assert "Columns: `name`." in page


def test_the_command_is_quoted_for_a_shell() -> None:
    assert command_line(QUERY) == "kg query odd-one -p 'name=two three' --store DIR"
    assert f"```sh\n{command_line(QUERY)}\n```" in listed_in_markdown([QUERY])


def test_the_fence_is_longer_than_any_in_the_text() -> None:
    assert in_markdown(QUERY).endswith(f"````sparql\n{QUERY.text.rstrip()}\n````\n")


def test_a_value_that_is_none_of_the_choices_is_refused() -> None:
    parameter = QUERY.parameters[0]
    assert parameter.expects == "one or two three"
    assert ox.Store().query(QUERY.bind({"name": "one"}))
