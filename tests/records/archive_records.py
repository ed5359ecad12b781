"""Records in the shape of the archive's dumps, written from facts or made up: for tests."""

from __future__ import annotations

from typing import Any

PWC = "https://paperswithcode.com"

PAPER: dict[str, Any] = {
    "paper_url": f"{PWC}/paper/attention-is-all-you-need",
    "arxiv_id": "1706.03762",
    "nips_id": "7181",
    "openreview_id": "x1y2",
    "title": "Attention Is All You Need",
    "abstract": "Sequences are mapped to sequences\nby attention alone.",
    "short_abstract": "Attention alone.",
    "url_abs": "http://arxiv.org/abs/1706.03762v5",
    "url_pdf": "http://arxiv.org/pdf/1706.03762v5.pdf",
    "proceeding": "NeurIPS 2017 12",
    "authors": ["Ashish Vaswani", "Noam Shazeer"],
    "tasks": ["Machine Translation", "model"],
    "date": "2017-06-12",
    "conference": "attention-is-all-you-need-1",
    "conference_url_abs": "http://papers.nips.cc/paper/7181-attention-is-all-you-need",
    "conference_url_pdf": "http://papers.nips.cc/paper/7181-attention-is-all-you-need.pdf",
    "reproduces_paper": None,
    "methods": [
        {
            "name": "Transformer",
            "full_name": "Transformer",
            "description": "Layers of attention.",
            "introduced_year": 2017,
            "source_url": "http://arxiv.org/abs/1706.03762v5",
            "source_title": "Attention Is All You Need",
            "code_snippet_url": "https://github.com/example/tiny-transformer/blob/HEAD/t.py",
            "main_collection": {
                "name": "Transformers",
                "description": "Models made of attention.",
                "parent": "Sequence Models",
                "area": "Natural Language Processing",
            },
        }
    ],
}

LINK: dict[str, Any] = {
    "paper_url": f"{PWC}/paper/attention-is-all-you-need",
    "paper_title": "Attention Is All You Need",
    "paper_arxiv_id": "1706.03762",
    "paper_url_abs": "http://arxiv.org/abs/1706.03762v5",
    "paper_url_pdf": "http://arxiv.org/pdf/1706.03762v5.pdf",
    "repo_url": "https://github.com/Example/Tiny-Transformer/tree/main/x",
    "is_official": True,
    "mentioned_in_paper": False,
    "mentioned_in_github": True,
    "framework": "pytorch",
}

METHOD: dict[str, Any] = {
    "url": f"{PWC}/method/transformer",
    "name": "Transformer",
    "full_name": "The Transformer",
    "description": "Layers of attention.\r\nNo recurrence.",
    "paper": {
        "title": "Attention Is All You Need",
        "url": f"{PWC}/paper/attention-is-all-you-need",
    },
    "introduced_year": 2017,
    "source_url": "http://arxiv.org/abs/1706.03762v5",
    "source_title": "Attention Is All You Need",
    "code_snippet_url": "https://github.com/example/tiny-transformer/blob/HEAD/t.py",
    "num_papers": 15376,
    "collections": [
        {
            "collection": "Transformers",
            "area_id": "natural-language-processing",
            "area": "Natural Language Processing",
        }
    ],
}

DATASET: dict[str, Any] = {
    "url": f"{PWC}/dataset/example-corpus",
    "name": "Example Corpus",
    "full_name": "The Example Corpus",
    "homepage": "https://example.org/corpus",
    "description": "Made up.\r\nFor tests.",
    "short_description": "Made up.",
    "parent_dataset": "Older Corpus",
    "image": "https://example.org/i.png",
    "audio": "https://example.org/a.mp3",
    "thumbnail": "https://example.org/t.jpg",
    "default_image": "https://example.org/d.jpg",
    "verified_image": "https://example.org/v.jpg",
    "default_youtube_link": "https://example.org/watch?v=1",
    "paper": {
        "title": "Attention Is All You Need",
        "url": f"{PWC}/paper/attention-is-all-you-need",
    },
    "mention_count": 7,
    "introduced_date": "2017-07-10",
    "license_name": "Custom",
    "license_url": "https://example.org/licence",
    "verified_name": "Example Corpus",
    "verified_paper": {"title": "Another Paper", "url": "https://example.org/paper.pdf"},
    "warning": "Handle with care",
    "modalities": ["Texts"],
    "tasks": [{"task": "Machine Translation", "url": f"{PWC}/task/machine-translation"}],
    "languages": ["English"],
    "variants": ["Example Corpus", "Example Corpus v2"],
    "num_papers": 3,
    "data_loaders": [
        {
            "url": "https://example.org/loader",
            "repo": "https://github.com/example/loader",
            "frameworks": ["tf", "pytorch"],
        }
    ],
}

TABLE: dict[str, Any] = {
    "task": "Machine Translation",
    "description": "From one language into another.",
    "categories": ["Natural Language Processing"],
    "synonyms": ["MT"],
    "source_link": {"title": "A survey", "url": "https://example.org/survey"},
    "subtasks": [
        {
            "task": "Low-Resource Translation",
            "description": "With few examples.",
            "subtasks": [{"task": "Machine Translation", "datasets": []}],
        }
    ],
    "datasets": [
        {
            "dataset": "Example Corpus",
            "description": "Made up.",
            "dataset_links": [
                {"title": "Leaderboard", "url": f"{PWC}/sota/machine-translation-on-example-corpus"}
            ],
            "dataset_citations": [{"title": "The paper", "url": "https://example.org/citation"}],
            "subdatasets": [
                {
                    "subdataset": "Short",
                    "description": "Short sentences.",
                    "sota": {
                        "metrics": ["BLEU"],
                        "rows": [{"model_name": "M", "metrics": {"BLEU": "9"}}],
                    },
                }
            ],
            "sota": {
                "metrics": ["BLEU", "Parameters"],
                "rows": [
                    {
                        "model_name": "Transformer (big)",
                        "paper_title": "Attention Is All You Need",
                        "paper_url": "https://arxiv.org/abs/1706.03762v2",
                        "paper_date": "2017-06-12",
                        "metrics": {"BLEU": "28.4", "Parameters": "213M"},
                        "code_links": [
                            {
                                "title": "Official",
                                "url": "https://github.com/example/tiny-transformer",
                            }
                        ],
                        "model_links": [{"title": "Weights", "url": "https://example.org/weights"}],
                        "uses_additional_data": False,
                    },
                    {
                        "model_name": "Unknown",
                        "paper_title": "A paper that no record has",
                        "paper_url": "https://example.org/unknown.pdf",
                        "paper_date": "2018",
                        "metrics": {"BLEU": "27.3 ± 0.2"},
                        "code_links": [],
                        "model_links": [],
                        "uses_additional_data": True,
                    },
                ],
            },
        }
    ],
}

EVERY_KIND = (PAPER, LINK, METHOD, DATASET, TABLE)
