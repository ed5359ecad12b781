"""What the canned queries answer about the collection, and wrong twins of the queries."""

# ruff: noqa: E501 - a solution stands on one line, like the row that it is

from __future__ import annotations

from typing import TypeAlias

Rows: TypeAlias = list[tuple[str, ...]]

# name, values → the whole answer
ANSWERS: list[tuple[str, dict[str, str], Rows]] = [
    (
        'best-result', {'dataset': 'x', 'metric': 'metric:f1', 'order': 'higher'},
        [
            ('higher', '101', '101', 'Seven', 'NER', '', '', 'Delta', 'paper/d', 'leaderboard/ner-on-x', 'result/7'),
            ('higher', '100', '100', 'Eight', 'NER', '2022-01', '', 'Alpha', 'paper/a', 'leaderboard/ner-on-x', 'result/8'),
            ('higher', '100', '100', 'One', 'NER', '2021-05-01', 'true', 'Alpha', 'paper/a', 'leaderboard/ner-on-x', 'result/1'),
            ('higher', '50', '50', 'Nine', 'RE', '2020-12-31', 'false', 'Epsilon', 'paper/e', 'leaderboard/re-on-x', 'result/9'),
            ('higher', '9.5', '9.5', 'Six', 'NER', '2021', '', 'Gamma', 'paper/c2', 'leaderboard/ner-on-x', 'result/6'),
            ('higher', '9.5', '9.5', 'Three', 'NER', '2021', 'false', 'Gamma', 'paper/c', 'leaderboard/ner-on-x', 'result/3'),
            ('higher', '9.5', '9.50', 'Two', 'NER', '2021-05', 'false', 'Beta', 'paper/b', 'leaderboard/ner-on-x', 'result/2'),
            ('higher', '5', '', '', '', '2019', 'false', '', '', 'leaderboard/ner-on-x', 'result/bare'),
            ('higher', '', '', '', 'NER', '', '', '', '', '', 'leaderboard/ner-on-x'),
            ('higher', '', '', '', 'RE', '', '', '', '', '', 'leaderboard/re-on-x'),
            ('higher', '', '', 'Five', 'NER', '2022', 'false', 'Epsilon', 'paper/e', 'leaderboard/ner-on-x', 'result/5'),
            ('higher', '', 'over 9000', 'Four', 'NER', '', '', 'Unknown', '', 'leaderboard/ner-on-x', 'result/4'),
        ],
    ),
    (
        'best-result', {'dataset': 'x', 'metric': 'metric:f1', 'order': 'known', 'limit': '2'},
        [
            ('higher', '101', '101', 'Seven', 'NER', '', '', 'Delta', 'paper/d', 'leaderboard/ner-on-x', 'result/7'),
            ('higher', '100', '100', 'Eight', 'NER', '2022-01', '', 'Alpha', 'paper/a', 'leaderboard/ner-on-x', 'result/8'),
        ],
    ),
    (
        'best-result', {'dataset': 'x', 'metric': 'metric:error', 'order': 'lower'},
        [
            ('lower', '1', '1', 'Eight', 'NER', '2022-01', '', 'Alpha', 'paper/a', 'leaderboard/ner-on-x', 'result/8'),
            ('lower', '2', '2', 'Three', 'NER', '2021', 'false', 'Gamma', 'paper/c', 'leaderboard/ner-on-x', 'result/3'),
            ('lower', '3', '3', 'One', 'NER', '2021-05-01', 'true', 'Alpha', 'paper/a', 'leaderboard/ner-on-x', 'result/1'),
            ('lower', '', 'n/a', 'Nine', 'RE', '2020-12-31', 'false', 'Epsilon', 'paper/e', 'leaderboard/re-on-x', 'result/9'),
        ],
    ),
    (
        'best-result', {'dataset': 'x', 'metric': 'metric:error', 'order': 'known'},
        [
            ('', '1', '1', 'Eight', 'NER', '2022-01', '', 'Alpha', 'paper/a', 'leaderboard/ner-on-x', 'result/8'),
            ('', '', 'n/a', 'Nine', 'RE', '2020-12-31', 'false', 'Epsilon', 'paper/e', 'leaderboard/re-on-x', 'result/9'),
            ('', '3', '3', 'One', 'NER', '2021-05-01', 'true', 'Alpha', 'paper/a', 'leaderboard/ner-on-x', 'result/1'),
            ('', '2', '2', 'Three', 'NER', '2021', 'false', 'Gamma', 'paper/c', 'leaderboard/ner-on-x', 'result/3'),
        ],
    ),
    (
        'best-result', {'dataset': 'x', 'metric': 'metric:f1', 'order': 'higher', 'task': 're'},
        [
            ('higher', '50', '50', 'Nine', 'RE', '2020-12-31', 'false', 'Epsilon', 'paper/e', 'leaderboard/re-on-x', 'result/9'),
            ('higher', '', '', '', 'RE', '', '', '', '', '', 'leaderboard/re-on-x'),
        ],
    ),
    (
        'state-of-the-art', {'leaderboard': 'ner-on-x', 'metric': 'metric:f1', 'order': 'higher'},
        [
            ('2019', '5', '', '', 'false', '', '', 'result/bare'),
            ('2021', '9.5', '9.5', 'Six', '', 'Gamma', 'paper/c2', 'result/6'),
            ('2021', '9.5', '9.5', 'Three', 'false', 'Gamma', 'paper/c', 'result/3'),
            ('2021-05-01', '100', '100', 'One', 'true', 'Alpha', 'paper/a', 'result/1'),
        ],
    ),
    (
        'state-of-the-art', {'leaderboard': 'ner-on-x', 'metric': 'metric:f1', 'order': 'known'},
        [
            ('2019', '5', '', '', 'false', '', '', 'result/bare'),
            ('2021', '9.5', '9.5', 'Six', '', 'Gamma', 'paper/c2', 'result/6'),
            ('2021', '9.5', '9.5', 'Three', 'false', 'Gamma', 'paper/c', 'result/3'),
            ('2021-05-01', '100', '100', 'One', 'true', 'Alpha', 'paper/a', 'result/1'),
        ],
    ),
    (
        'state-of-the-art', {'leaderboard': 'ner-on-x', 'metric': 'metric:error', 'order': 'lower'},
        [
            ('2021', '2', '2', 'Three', 'false', 'Gamma', 'paper/c', 'result/3'),
            ('2022-01', '1', '1', 'Eight', '', 'Alpha', 'paper/a', 'result/8'),
        ],
    ),
    (
        'state-of-the-art', {'leaderboard': 'ner-on-x', 'metric': 'metric:error', 'order': 'higher'},
        [
            ('2021', '2', '2', 'Three', 'false', 'Gamma', 'paper/c', 'result/3'),
            ('2021-05-01', '3', '3', 'One', 'true', 'Alpha', 'paper/a', 'result/1'),
        ],
    ),
    (
        'state-of-the-art', {'leaderboard': 'ner-on-x', 'metric': 'metric:error', 'order': 'known'},
        [
        ],
    ),
    (
        'no-additional-data', {'leaderboard': 'ner-on-x'},
        [
            ('2', 'Three', 'Error', '2', '2', 'false', 'Gamma', 'paper/c', 'result/3'),
            ('2', 'Three', 'F1', '9.5', '9.5', 'false', 'Gamma', 'paper/c', 'result/3'),
            ('10', 'Two', 'F1', '9.50', '9.5', 'false', 'Beta', 'paper/b', 'result/2'),
            ('', '', 'F1', '', '5', 'false', '', '', 'result/bare'),
            ('', 'Five', '', '', '', 'false', 'Epsilon', 'paper/e', 'result/5'),
        ],
    ),
    (
        'no-additional-data', {'leaderboard': 'ner-on-x', 'metric': 'metric:f1', 'unsaid': 'true'},
        [
            ('2', 'Four', 'F1', 'over 9000', '', '', 'Unknown', '', 'result/4'),
            ('2', 'Three', 'F1', '9.5', '9.5', 'false', 'Gamma', 'paper/c', 'result/3'),
            ('3', 'Six', 'F1', '9.5', '9.5', '', 'Gamma', 'paper/c2', 'result/6'),
            ('10', 'Two', 'F1', '9.50', '9.5', 'false', 'Beta', 'paper/b', 'result/2'),
            ('', '', 'F1', '', '5', 'false', '', '', 'result/bare'),
            ('', 'Eight', 'F1', '100', '100', '', 'Alpha', 'paper/a', 'result/8'),
            ('', 'Seven', 'F1', '101', '101', '', 'Delta', 'paper/d', 'result/7'),
        ],
    ),
    (
        'task-papers', {'task': 'ner'},
        [
            ('2021-05-01', 'Alpha', 'ACL 2022 5', 'true', 'true', 'paper/a'),
            ('2021-05', 'Beta', 'ACL 2022', 'true', 'true', 'paper/b'),
            ('2021', 'Gamma', 'ACL 2021 8', 'false', 'true', 'paper/c'),
            ('2021', 'Gamma', 'ACL 2021 8', 'true', 'false', 'paper/c2'),
            ('', '', '', 'true', 'true', 'paper/bare'),
            ('', 'Delta', 'Somewhere', 'true', 'false', 'paper/d'),
        ],
    ),
    (
        'task-papers', {'task': 'ner', 'year': '2021'},
        [
            ('2021-05-01', 'Alpha', 'ACL 2022 5', 'true', 'true', 'paper/a'),
            ('2021-05', 'Beta', 'ACL 2022', 'true', 'true', 'paper/b'),
            ('2021', 'Gamma', 'ACL 2021 8', 'false', 'true', 'paper/c'),
            ('2021', 'Gamma', 'ACL 2021 8', 'true', 'false', 'paper/c2'),
        ],
    ),
    (
        'venue-papers', {'venue': 'ACL'},
        [
            ('2022', '5', 'Alpha', '2021-05-01', 'true', 'paper/a'),
            ('2022', '', 'Beta', '2021-05', 'true', 'paper/b'),
            ('2021', '8', 'Gamma', '2021', 'false', 'paper/c'),
            ('2021', '8', 'Gamma', '2021', 'true', 'paper/c2'),
            ('', '', '', '', 'true', 'paper/bare'),
        ],
    ),
    (
        'venue-papers', {'venue': 'ACL', 'year': '2022'},
        [
            ('2022', '5', 'Alpha', '2021-05-01', 'true', 'paper/a'),
            ('2022', '', 'Beta', '2021-05', 'true', 'paper/b'),
        ],
    ),
    (
        'author-papers', {'author': 'Ada'},
        [
            ('2021-05-01', 'Alpha', '1', 'ACL 2022 5', 'paper/a'),
            ('2021-05', 'Beta', '2', 'ACL 2022', 'paper/b'),
            ('2020-12-31', 'Epsilon', '1', 'EACL 2022 5', 'paper/e'),
            ('', '', '3', '', 'paper/bare'),
            ('', 'Delta', '1', 'Somewhere', 'paper/d'),
        ],
    ),
    (
        'permissive-code', {},
        [
            ('', '', 'http://spdx.org/licenses/MIT', '', 'paper/bare', 'repo/bare'),
            ('Alpha', 'https://e.org/1', 'http://spdx.org/licenses/MIT', 'pytorch', 'paper/a', 'repo/1'),
            ('Epsilon', '', 'http://spdx.org/licenses/MIT', 'jax', 'paper/e', 'repo/0'),
            ('Gamma', '', 'http://spdx.org/licenses/Apache-2.0', 'tf', 'paper/c2', 'repo/3'),
        ],
    ),
    (
        'permissive-code', {'task': 'ner'},
        [
            ('', '', 'http://spdx.org/licenses/MIT', '', 'paper/bare', 'repo/bare'),
            ('Alpha', 'https://e.org/1', 'http://spdx.org/licenses/MIT', 'pytorch', 'paper/a', 'repo/1'),
            ('Gamma', '', 'http://spdx.org/licenses/Apache-2.0', 'tf', 'paper/c2', 'repo/3'),
        ],
    ),
    (
        'permissive-code', {'framework': 'tf'},
        [
            ('Gamma', '', 'http://spdx.org/licenses/Apache-2.0', 'tf', 'paper/c2', 'repo/3'),
        ],
    ),
    (
        'frameworks', {},
        [
            ('tf', 'TensorFlow', '2', '3', 'vocab/framework/tf'),
            ('pytorch', 'PyTorch', '2', '1', 'vocab/framework/pytorch'),
            ('jax', 'JAX', '1', '1', 'vocab/framework/jax'),
            ('none', 'none', '1', '1', 'vocab/framework/none'),
            ('', '', '0', '0', 'vocab/framework/bare'),
            ('mxnet', 'MXNet', '0', '0', 'vocab/framework/mxnet'),
        ],
    ),
    (
        'frameworks', {'task': 'ner', 'official': 'true'},
        [
            ('tf', 'TensorFlow', '2', '2', 'vocab/framework/tf'),
            ('pytorch', 'PyTorch', '1', '1', 'vocab/framework/pytorch'),
            ('', '', '0', '0', 'vocab/framework/bare'),
            ('jax', 'JAX', '0', '0', 'vocab/framework/jax'),
            ('mxnet', 'MXNet', '0', '0', 'vocab/framework/mxnet'),
            ('none', 'none', '0', '0', 'vocab/framework/none'),
        ],
    ),
    (
        'frameworks', {'official': 'false'},
        [
            ('pytorch', 'PyTorch', '1', '1', 'vocab/framework/pytorch'),
            ('tf', 'TensorFlow', '1', '1', 'vocab/framework/tf'),
            ('', '', '0', '0', 'vocab/framework/bare'),
            ('jax', 'JAX', '0', '0', 'vocab/framework/jax'),
            ('mxnet', 'MXNet', '0', '0', 'vocab/framework/mxnet'),
            ('none', 'none', '0', '0', 'vocab/framework/none'),
        ],
    ),
    (
        'papers-that-ran', {},
        [
            ('Alpha', '1', '2', '3', 'paper/a'),
            ('Beta', '1', '2', '2', 'paper/b'),
            ('', '1', '1', '3', 'paper/bare'),
            ('Epsilon', '0', '1', '1', 'paper/e'),
        ],
    ),
    (
        'papers-that-ran', {'task': 'ner'},
        [
            ('Alpha', '1', '2', '3', 'paper/a'),
            ('Beta', '1', '2', '2', 'paper/b'),
            ('', '1', '1', '3', 'paper/bare'),
        ],
    ),
    (
        'papers-that-ran', {'honouring': 'false'},
        [
            ('Epsilon', '0', '1', '1', 'paper/e'),
        ],
    ),
    (
        'papers-that-ran', {'honouring': 'true', 'task': 'ner'},
        [
            ('Alpha', '1', '2', '3', 'paper/a'),
            ('Beta', '1', '2', '2', 'paper/b'),
            ('', '1', '1', '3', 'paper/bare'),
        ],
    ),
    (
        'same-code', {},
        [
            ('3', '22', 'repo/1', 'a.py', 'g', 'https://e.org/a.py', 'sample/2'),
            ('3', '22', 'repo/1', 'b.py', 'g', '', 'sample/3'),
            ('3', '22', 'repo/2', 'a.py', 'g', '', 'sample/5'),
            ('2', '11', 'repo/1', 'a.py', 'f', '', 'sample/4'),
            ('2', '11', 'repo/2', 'a.py', 'f', '', 'sample/1'),
            ('2', '', '', '', '', '', 'sample/7'),
            ('2', '', '', '', '', '', 'sample/8'),
        ],
    ),
    (
        'same-code', {'places': '3'},
        [
            ('3', '22', 'repo/1', 'a.py', 'g', 'https://e.org/a.py', 'sample/2'),
            ('3', '22', 'repo/1', 'b.py', 'g', '', 'sample/3'),
            ('3', '22', 'repo/2', 'a.py', 'g', '', 'sample/5'),
        ],
    ),
    (
        'dataset-card', {'dataset': 'x'},
        [
            ('name', 'X', ''),
            ('full name', 'The X', ''),
            ('introduced', '2021', ''),
            ('introduced by', 'Alpha', 'paper/a'),
            ('licence', 'CC BY 4.0', 'http://creativecommons.org/licenses/by/4.0/'),
            ('modality', 'Texts', 'vocab/modality/texts'),
            ('language', 'English', 'vocab/language/en'),
            ('task', 'NER', 'task/ner'),
            ('task', 'RE', 'task/re'),
            ('variant', 'X', ''),
            ('variant', 'X-small', ''),
            ('papers', '9', ''),
            ('leaderboard', 'ner-on-x', 'leaderboard/ner-on-x'),
            ('leaderboard', 're-on-x', 'leaderboard/re-on-x'),
            ('data loader', 'https://e.org/load', 'dataset/x#loader-1'),
            ('homepage', 'https://e.org/x', 'https://e.org/x'),
            ('description', 'About X.', ''),
        ],
    ),
    (
        'datasets', {'task': 'ner'},
        [
            ('Y', '', '100', 'CC BY 4.0', '', 'dataset/y'),
            ('X', 'The X', '9', 'CC BY 4.0', '2021', 'dataset/x'),
            ('', '', '', '', '', 'dataset/bare'),
            ('W', '', '', '', '', 'dataset/name/w'),
        ],
    ),
    (
        'datasets', {'language': 'en'},
        [
            ('Y', '', '100', 'CC BY 4.0', '', 'dataset/y'),
            ('X', 'The X', '9', 'CC BY 4.0', '2021', 'dataset/x'),
            ('Z', '', '9', 'CC BY', '', 'dataset/z'),
            ('', '', '', '', '', 'dataset/bare'),
        ],
    ),
    (
        'datasets', {'modality': 'texts'},
        [
            ('X', 'The X', '9', 'CC BY 4.0', '2021', 'dataset/x'),
            ('Z', '', '9', 'CC BY', '', 'dataset/z'),
        ],
    ),
    (
        'datasets', {'licence': 'CC BY 4.0'},
        [
            ('Y', '', '100', 'CC BY 4.0', '', 'dataset/y'),
            ('X', 'The X', '9', 'CC BY 4.0', '2021', 'dataset/x'),
        ],
    ),
    (
        'datasets', {'language': 'en', 'licence': 'CC BY', 'modality': 'texts', 'task': 'ner-1'},
        [
            ('Z', '', '9', 'CC BY', '', 'dataset/z'),
        ],
    ),
    (
        'subtasks', {'task': 'ner'},
        [
            ('NER', '1', 'NLP', 'task/ner-1', 'task/nlp'),
            ('NER', '1', 'Tagging', 'task/ner-1', 'task/tag'),
            ('RE', '1', 'NER', 'task/re', 'task/ner'),
            ('', '0', 'NER', 'task/bare', 'task/ner'),
            ('', '0', '', 'task/bare-2', 'task/bare'),
            ('NLP', '0', 'RE', 'task/nlp', 'task/re'),
        ],
    ),
    (
        'subtasks', {'task': 'seq'},
        [
            ('NER', '1', 'NLP', 'task/ner-1', 'task/nlp'),
            ('NER', '1', 'Tagging', 'task/ner-1', 'task/tag'),
            ('Tagging', '0', 'Sequences', 'task/tag', 'task/seq'),
        ],
    ),
    (
        'paper-methods', {'paper': 'b'},
        [
            ('Adam', 'false', '2', 'method/adam'),
            ('BERT', 'false', '5', 'method/bert'),
            ('ReLU', 'false', '2', 'method/relu'),
        ],
    ),
    (
        'paper-methods', {'paper': 'a'},
        [
            ('Adam', 'false', '2', 'method/adam'),
            ('BERT', 'true', '5', 'method/bert'),
        ],
    ),
    (
        'paper-methods', {'paper': 'bare'},
        [
            ('', 'false', '1', 'method/bare'),
            ('BERT', 'false', '5', 'method/bert'),
        ],
    ),
    (
        'methods-together', {'method': 'bert'},
        [
            ('Adam', '2', '2', 'method/adam'),
            ('ReLU', '2', '2', 'method/relu'),
            ('', '1', '1', 'method/bare'),
            ('GELU', '1', '2', 'method/gelu'),
        ],
    ),
    (
        'provenance', {'thing': 'paper:a'},
        [
            ('https://e.org/1', 'https://e.org/', 'http://creativecommons.org/licenses/by-sa/4.0/', 'CC BY-SA 4.0', 'https://e.org/attribution', 'archive', '2025-07-28', '', '', 'None.', 'Changed.', 'record/1'),
            ('https://e.org/2', '', '', '', '', '', '', '2026-01-01T00:00:00Z', 'No claim.', '', '', 'record/2'),
        ],
    ),
    (
        'provenance', {'thing': 'paper:b'},
        [
            ('https://e.org/2', '', '', '', '', '', '', '2026-01-01T00:00:00Z', 'No claim.', '', '', 'record/2'),
            ('', '', '', '', '', '', '', '', '', '', '', 'record/bare'),
        ],
    ),
    (
        'provenance', {'thing': 'result:1#f1'},
        [
            ('https://e.org/1', 'https://e.org/', 'http://creativecommons.org/licenses/by-sa/4.0/', 'CC BY-SA 4.0', 'https://e.org/attribution', 'archive', '2025-07-28', '', '', 'None.', 'Changed.', 'record/1'),
        ],
    ),
    (
        'provenance', {'thing': 'paper:a#author-1'},
        [
            ('https://e.org/1', 'https://e.org/', 'http://creativecommons.org/licenses/by-sa/4.0/', 'CC BY-SA 4.0', 'https://e.org/attribution', 'archive', '2025-07-28', '', '', 'None.', 'Changed.', 'record/1'),
            ('https://e.org/2', '', '', '', '', '', '', '2026-01-01T00:00:00Z', 'No claim.', '', '', 'record/2'),
        ],
    ),
    (
        'provenance', {'thing': 'dataset:x#loader-1'},
        [
            ('https://e.org/1', 'https://e.org/', 'http://creativecommons.org/licenses/by-sa/4.0/', 'CC BY-SA 4.0', 'https://e.org/attribution', 'archive', '2025-07-28', '', '', 'None.', 'Changed.', 'record/1'),
            ('https://e.org/3', '', '', '', '', '', '', '', '', '', '', 'record/3'),
        ],
    ),
    (
        'identifiers', {'thing': 'paper:a'},
        [
            ('arXiv', '2105.00001', 'ns#arxivId'),
            ('DOI', '10.48550/arxiv.2105.00001', 'http://purl.org/ontology/bibo/doi'),
            ('same as', 'https://e.org/a', 'http://www.w3.org/2002/07/owl#sameAs'),
            ('same as', 'https://arxiv.org/abs/2105.00001', 'http://schema.org/sameAs'),
            ('page', 'https://e.org/paper/a', 'http://xmlns.com/foaf/0.1/page'),
            ('see also', 'https://e.org/see-a', 'http://www.w3.org/2000/01/rdf-schema#seeAlso'),
            ('see also', 'https://e.org/see-b', 'http://www.w3.org/2000/01/rdf-schema#seeAlso'),
        ],
    ),
    (
        'oddities', {},
        [
            ('paper without abstract', '6', 'paper/b'),
            ('paper without arXiv identifier', '6', 'paper/b'),
            ('paper known from another record only', '5', 'paper/bare'),
            ('sample without licence', '5', 'sample/2'),
            ('dataset known by name only', '2', 'dataset/bare'),
            ('dataset without licence', '2', 'dataset/bare'),
            ('paper without date', '2', 'paper/bare'),
            ('score that is no number', '2', 'result/4#f1'),
            ('paper or dataset whose date is no date', '1', 'paper/d'),
            ('paper whose proceeding is no venue', '1', 'paper/d'),
            ('paper without code', '1', 'paper/c'),
            ('paper without title', '1', 'paper/bare'),
            ('result of an unknown paper', '1', 'result/4'),
            ('result that stands there several times', '1', 'result/2'),
            ('result without score', '1', 'result/5'),
            ('task known by name only', '1', 'task/name/odd'),
            ('code link without licence', '0', ''),
        ],
    ),
    (
        'leaderboard', {'leaderboard': 'ner-on-x', 'metric': 'metric:f1'},
        [
            ('1', 'One', 'F1', '100', '100', 'true', 'Alpha', 'paper/a', 'result/1'),
            ('2', 'Four', 'F1', 'over 9000', '', '', 'Unknown', '', 'result/4'),
            ('2', 'Three', 'F1', '9.5', '9.5', 'false', 'Gamma', 'paper/c', 'result/3'),
            ('3', 'Six', 'F1', '9.5', '9.5', '', 'Gamma', 'paper/c2', 'result/6'),
            ('10', 'Two', 'F1', '9.50', '9.5', 'false', 'Beta', 'paper/b', 'result/2'),
            ('', '', 'F1', '', '5', 'false', '', '', 'result/bare'),
            ('', 'Eight', 'F1', '100', '100', '', 'Alpha', 'paper/a', 'result/8'),
            ('', 'Seven', 'F1', '101', '101', '', 'Delta', 'paper/d', 'result/7'),
        ],
    ),
    (
        'paper-results', {'paper': 'bare'},
        [
            ('', '', '', '', '', '', '', '', '', '', 'result/bare-2'),
        ],
    ),
    (
        'paper-samples', {'paper': 'bare'},
        [
            ('', '', '', '', '', '', '', '', '', '', '', 'sample/7'),
            ('', '', '', '', '', '', '', '', '', '', '', 'sample/8'),
            ('f', 'ran_honours', '', '', '', '', 'http://spdx.org/licenses/MIT', '', 'a.py', '', '', 'sample/1'),
        ],
    ),
]  # fmt: skip

# name, what stands in the file, what a wrong twin has in its place: the answer must change.
TWINS: list[tuple[str, str, str]] = [
    ("best-result", "(!BOUND(?key)) ?key", "(!BOUND(?key)) DESC(?key)"),
    ("best-result", "(!BOUND(?key)) ?key", "?key"),
    ("best-result", "(!BOUND(?key)) ?key", "(!BOUND(?key)) STR(?key)"),
    ("best-result", "?key ?model", "?key DESC(?model)"),
    ("best-result", "FILTER (?measured = ?metric)", ""),
    ("best-result", "kg:dataset ?dataset", "kg:dataset ?any"),
    ("best-result", 'BIND (IF(?higher, -?value', 'BIND (IF(!?higher, -?value'),
    ("best-result", '?order = "known", ?higherIsBetter', '?order = "known", true'),
    ("best-result", "COALESCE(?issuedItself, ?paperIssued)", "?issuedItself"),
    ("best-result", "COALESCE(?issuedItself, ?paperIssued)", "?paperIssued"),
    ("state-of-the-art", "STR(?otherIssued) <= STR(?issued)", "STR(?otherIssued) < STR(?issued)"),
    ("state-of-the-art", "STR(?otherIssued) <= STR(?issued)", "STR(?otherIssued) >= STR(?issued)"),
    ("state-of-the-art", "?isBetter || ?isEarlier", "?isBetter"),
    ("state-of-the-art", "?otherValue > ?value", "?otherValue >= ?value"),
    ("state-of-the-art", "?otherValue > ?value", "?otherValue < ?value"),
    ("state-of-the-art", "?otherValue > ?value", "STR(?otherValue) > STR(?value)"),
    ("state-of-the-art", "?measured = ?metric && ", ""),
    ("state-of-the-art", "?other kg:leaderboard ?leaderboard", "?other kg:leaderboard ?any"),
    ("state-of-the-art", "ORDER BY STR(?issued)", "ORDER BY DESC(STR(?issued))"),
    ("state-of-the-art", "STR(?issued) ?model", "STR(?issued) DESC(?model)"),
    ("state-of-the-art", "COALESCE(?issuedItself, ?paperIssued)", "?paperIssued"),
    ("no-additional-data", "!?additionalData, ?unsaid", "!?additionalData, false"),
    ("no-additional-data", "!?additionalData, ?unsaid", "true, ?unsaid"),
    ("no-additional-data", "ORDER BY (!BOUND(?rank)) ?rank", "ORDER BY (!BOUND(?rank)) DESC(?rank)"),
    ("no-additional-data", "ORDER BY (!BOUND(?rank)) ?rank", "ORDER BY ?rank"),
    ("no-additional-data", "ORDER BY (!BOUND(?rank)) ?rank", "ORDER BY (!BOUND(?rank)) STR(?rank)"),
    ("no-additional-data", "?rank ?model ?result", "?rank DESC(?model) ?result"),
    ("no-additional-data", "?result ?metricName", "?result DESC(?metricName)"),
    ("task-papers", "DESC(?date)", "?date"),
    ("task-papers", "DESC(?date) ?title", "DESC(?date) DESC(?title) DESC(?paper)"),
    ("task-papers", "SUBSTR(STR(?issued), 1, 4)", "STR(?issued)"),
    ("task-papers", "kg:task ?task", "kg:task ?any"),
    ("venue-papers", "DESC(?venueYear)", "?venueYear"),
    ("venue-papers", "(!BOUND(?venueMonth)) ?venueMonth", "?venueMonth"),
    ("venue-papers", "?title ?paper", "?title DESC(?paper)"),
    ("venue-papers", "?paper kg:venue ?venue", "?paper kg:venue ?any"),
    ("author-papers", "DESC(?date)", "?date"),
    ("author-papers", "kg:position ?position", "kg:position 1"),
    ("author-papers", "?paper kg:firstAuthorName ?author", "?paper kg:nobody ?author"),
    ("permissive-code", "kg:isOfficial true", "kg:isOfficial ?any"),
    ("permissive-code", "spdx:MIT, ", ""),
    ("permissive-code", "spdx:MIT, ", "spdx:MIT, spdx:GPL-3.0, "),
    ("permissive-code", "ORDER BY ?title", "ORDER BY DESC(?title)"),
    ("frameworks", "DESC(?papers) DESC(?repos)", "DESC(?papers)"),
    ("frameworks", "DESC(?papers)", "?papers"),
    ("frameworks", "COUNT(DISTINCT ?repo)", "COUNT(?repo)"),
    ("frameworks", "DESC(?repos) ?code", "DESC(?repos) DESC(?code)"),
    ("frameworks", "skos:inScheme vocab:framework", "skos:inScheme ?any"),
    ("papers-that-ran", '?status != "unverified"', "true"),
    ("papers-that-ran", '?status = "ran_honours"', '?status != "unverified"'),
    ("papers-that-ran", "DESC(?honoured)", "?honoured"),
    ("papers-that-ran", "DESC(?samples)", "?samples"),
    ("papers-that-ran", "?ran > 0", "?ran > 1"),
    ("same-code", "?foundIn >= ?places", "?foundIn > ?places"),
    ("same-code", "DESC(?foundIn)", "?foundIn"),
    ("same-code", "?code ?sha256Prefix ?repo ?filePath", "?code ?sha256Prefix ?repo DESC(?filePath)"),
    ("same-code", "?code ?sha256Prefix ?repo", "?code ?sha256Prefix DESC(?repo)"),
    ("dataset-card", "ORDER BY ?order ?value", "ORDER BY ?order DESC(?value)"),
    ("dataset-card", "ORDER BY ?order", "ORDER BY STR(?order)"),
    ("dataset-card", "kg:dataset ?dataset", "kg:dataset ?any"),
    ("dataset-card", "?object kg:introduces ?dataset", "?object kg:introduces ?any"),
    ("dataset-card", "isIRI(?object)", "true"),
    ("datasets", "DESC(?papers)", "DESC(STR(?papers))"),
    ("datasets", "DESC(?papers)", "?papers"),
    ("datasets", "DESC(?papers) ?name", "DESC(?papers) DESC(?name)"),
    ("datasets", "?licence = ?licenceName", "STRSTARTS(?licence, ?licenceName)"),
    ("subtasks", "skos:broader+ ?task", "skos:broader ?task"),
    ("subtasks", "FILTER (?subtask != ?task)", ""),
    ("subtasks", "DESC(?papers)", "?papers"),
    ("subtasks", "?subtask ?aboveName", "?subtask DESC(?aboveName)"),
    ("subtasks", "DESC(?papers) ?name", "DESC(?papers) DESC(?name)"),
    ("paper-methods", "ORDER BY ?name", "ORDER BY DESC(?name)"),
    ("paper-methods", "COUNT(?user)", "COUNT(?nobody)"),
    ("paper-methods", "kg:introduces ?method", "kg:introduces ?any"),
    ("methods-together", "COUNT(DISTINCT ?paper)", "COUNT(?paper)"),
    ("methods-together", "COUNT(DISTINCT ?user)", "COUNT(DISTINCT ?paper)"),
    ("methods-together", "DESC(?together)", "?together"),
    ("methods-together", "DESC(?together) ?name", "DESC(?together) DESC(?name)"),
    ("methods-together", "FILTER (?companion != ?method)", ""),
    ("provenance", "ORDER BY ?record", "ORDER BY DESC(?record)"),
    ("provenance", "|^kg:measurement/prov:wasDerivedFrom", ""),
    ("provenance", "|^kg:authorship/prov:wasDerivedFrom", ""),
    ("provenance", "|^kg:dataLoader/prov:wasDerivedFrom", ""),
    ("identifiers", "ORDER BY ?order", "ORDER BY DESC(?order)"),
    ("identifiers", "?order STR(?identifier)", "?order DESC(STR(?identifier))"),
    ("identifiers", "(3 \"same as\" owl:sameAs) ", ""),
    ("oddities", "DESC(?things)", "?things"),
    ("oddities", "DESC(?things) ?oddity", "DESC(?things) DESC(?oddity)"),
    ("oddities", "MIN(STR(?thing))", "MAX(STR(?thing))"),
    ("oddities", "COALESCE(?counted, 0)", "?counted"),
]  # fmt: skip
