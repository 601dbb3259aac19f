"""The benchmark of works reads the files of known pairs, and counts what is right."""

import json
from pathlib import Path

from benchmarks.works import dblp_acm, dblp_scholar, hf_arxiv, invented, measure

DITTO = "COL title VAL {} COL authors VAL a quill , b ferns COL venue VAL jam COL year VAL {} "


def test_lists_between_signs(tmp_path: Path) -> None:
    """Two lists and their pairs: one is found, one of another title is missed."""
    head = "id%title%authors%venue%year\n"
    (tmp_path / "dblp.csv").write_text(
        f"{head}1%Less Sugar in Pots%Ada Quill, Bo Ferns%Jam%2001\n2%Lids%Cy Moss%Jam%2001\n"
    )
    (tmp_path / "acm.csv").write_text(
        f"{head}7%Less sugar in pots.%Ada Quill%Jam%2001.0\n8%Tins of Tarn%Cy Moss%Jam%\n"
    )
    (tmp_path / "gt.csv").write_text("D1%D2\n1%7\n2%8\n")
    line = next(measure("x", dblp_acm(tmp_path)))
    assert "precision 1.0000 (1 of 1), recall 0.5000" in line


def test_pairs_with_labels(tmp_path: Path) -> None:
    """Only the pairs that are given are judged, and a year that is not printed does not matter."""
    sugar, again = DITTO.format("less sugar in pots", "2001"), DITTO.format("less sugar in pots", "")
    other = DITTO.format("tins of tarn and more", "2001")
    (tmp_path / "test.txt").write_text(f"{sugar}\t{again}\t1\n{sugar}\t{other}\t0\n", encoding="utf-8")
    known = dblp_scholar(tmp_path)
    assert (known.records.height, len(known.same), len(known.asked or ())) == (3, 1, 2)
    assert "precision 1.0000 (1 of 1), recall 1.0000" in next(measure("x", known))


def test_hidden_ids(tmp_path: Path) -> None:
    """The ids of Hugging Face are the truth and are not read; a column may be left out, too."""
    (tmp_path / "hf").mkdir()
    (tmp_path / "arxiv").mkdir()
    paper = {"title": "Less Sugar in Pots", "summary": "We boil.", "authors": ["Ada Quill"], "arxiv_id": "2605.00001v2"}
    (tmp_path / "arxiv" / "may.json").write_text(json.dumps({"papers": [paper]}), encoding="utf-8")
    entry = {"id": "2605.00001", "publishedAt": "2026-05-02T00:00:00Z", "authors": [{"name": "Ada Quill"}]}
    day = [{"paper": {**entry, "title": "Less sugar in pots", "summary": "We boil."}}, "an error"]
    (tmp_path / "hf" / "day.json").write_text(json.dumps(day), encoding="utf-8")
    known = hf_arxiv(tmp_path)
    assert known.records["arxiv_id"].to_list() == ["2605.00001", None]
    assert "recall 1.0000" in next(measure("x", known))
    assert "recall 0.0000, with 1 for review 1.0000" in next(measure("x", hf_arxiv(tmp_path, "authors")))


def test_invented_papers() -> None:
    """Papers that are printed twice are found again."""
    assert "precision 1.0000 (40 of 40), recall 1.0000" in next(measure("x", invented(200)))
