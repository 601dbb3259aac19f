"""The lines of one entry of a text dump, below its head: title, authors, labelled fields, abstract.

Each is on its own line, or they are glued: ``Title: Foam in Large TanksAda Quill, Bo FernsComments: 8 pagesSubjects:
Optics (physics.optics)``, where the abstract may follow on the same line. A line without a label may be a field that is
expected there, or a stray line: then the other entries of the page decide. Finding where entries begin does not belong
here.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from parsers.arxiv.authors import looks_like_authors
from parsers.arxiv.items import SUBJECTS
from parsers.arxiv.paragraphs import TORN

TITLE: Final = "Title:"
LABELS: Final = ("Authors:", "Comments:", "Journal-ref:", "Report-no:", "DOI:", "Subjects:")
"""The labels that can begin a line of an entry, besides the title, with which every entry must begin."""

# A label directly after a word was glued; a label word in a title follows a space or an opening bracket.
_GLUED_LABEL = re.compile(r"(?<=[^\s(\[{])(?P<label>Authors|Comments|Journal-ref|Report-no|DOI|Subjects):(?=\s|$)")

_SURELY_PROSE: Final = 120  # characters
_IN_ABSTRACT = re.compile(
    r"(?:Key ?words(?: and phrases)?|Index terms) ?[:.—-] ?\S.*"
    r"|(?:[-–•*]|\(?(?:\d{1,2}|[ivx]{1,4})[.)]|\([a-z]\)) [^\W\d_].*",
    re.IGNORECASE,
)
_ENDS_IN_ADDRESS = re.compile(r"[^\W\d_].*\s(?:this https? URL|https?://\S+)\W*$")
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_OF_PROSE: Final = 8
_FEWEST_WORDS: Final = (5, 4)  # without the end of a sentence: in the first paragraph, in others
_CLOSERS: Final = ")]}\"'”’»*"
_SENTENCE_ENDS: Final = frozenset(".!?…:;,$。！？")


class Paragraph(NamedTuple):
    """A paragraph of an abstract, with the number of its line; ``is_sure`` if it can be nothing else."""

    number: int
    text: str
    is_sure: bool


@dataclass(slots=True)
class PartialEntry:
    """The parts of one entry read so far.

    ``glued`` is true if labels were glued to the title, so that authors may be, too; ``fields`` holds values by label,
    ``own`` the numbers of the lines that belong to the entry, without those that ``settle`` decides on. ``unlabelled``
    are the lines, with their numbers, that may be the authors. ``labels_authors`` is true if the authors have a label,
    as on older pages.
    """

    title: str | None = None
    glued: bool = False
    fields: dict[str, str] = field(default_factory=dict)
    unlabelled: list[tuple[int, str]] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    labels_authors: bool = False

    def read(self, lines: Sequence[tuple[int, str]]) -> int | None:
        """Read the numbered lines; return the number of the first one that belongs to another entry, if any."""
        for number, text in lines:
            if TORN in text:  # unknown which part is the page's
                continue
            if self.title is None:
                taken = text == "-" or self._take_title(number, text)
            elif "Subjects" not in self.fields:
                taken = self._take_field(number, text) or self._take_glued(number, text)
                if not taken and not self.fields and looks_like_authors(text):
                    self.unlabelled.append((number, text))
            elif self._begins_another(text):
                return number
            else:
                taken = self._take_field(number, text)
                if not taken:
                    self._take_paragraph(number, text)
            if taken:
                self.own.append(number)
        return None

    def settle(self, *, prints_authors: bool, prints_abstracts: bool) -> None:
        """Decide on possibly stray lines: by what the page prints of its entries, and by the lines next to them.

        If two lines may be the authors, neither is; a first paragraph that ends no sentence must continue in the next
        one.
        """
        if prints_authors and len(self.unlabelled) == 1 and "Authors" not in self.fields:
            number, self.fields["Authors"] = self.unlabelled[0]
            self.own.append(number)
        if not prints_abstracts:
            self.paragraphs = [paragraph for paragraph in self.paragraphs if paragraph.is_sure]
        elif len(self.paragraphs) > 1 and not self.paragraphs[0].is_sure and self.paragraphs[1].text[0].isupper():
            del self.paragraphs[0]
        self.own += [paragraph.number for paragraph in self.paragraphs]

    @property
    def lacks(self) -> str | None:
        """The required label that this entry lacks, None if it is complete."""
        if self.title is None:
            return "Title"
        return None if "Subjects" in self.fields else "Subjects"

    def _take_title(self, number: int, text: str) -> bool:
        """Read ``Title:`` and the text glued to it; the abstract begins after ``Subjects:``."""
        if not text.startswith(TITLE):
            return False
        self.glued = self._take_labelled(number, text, len(TITLE))
        return True

    def _take_labelled(self, number: int, text: str, start: int) -> bool:
        """Read the text after ``start``, each value with its label if it has one; True if any has."""
        label = ""
        for found in _GLUED_LABEL.finditer(text, start):
            if label or found.start() > start:
                self._put(number, label, text[start : found.start()].strip())
            start, label = found.end(), found["label"]
            if label == "Subjects":
                break
        self._put(number, label, text[start:].strip())
        return bool(label)

    def _put(self, number: int, label: str, value: str) -> None:
        """Keep the value of a label; the text before the first label is the title."""
        if not label:
            self.title = value or None
        elif label == "Subjects":
            self._take_subjects(number, value)
        elif value:
            self.fields.setdefault(label, value)
            self.labels_authors |= label == "Authors"

    def _take_subjects(self, number: int, value: str) -> bool:
        """Keep the subjects, and the text after them on the line as first paragraph of the abstract."""
        found = SUBJECTS.match(value)
        if found is None:
            return False
        self.fields["Subjects"] = found[0]
        if rest := value[found.end() :].strip():
            self.paragraphs.append(Paragraph(number, rest, is_sure=True))
        return True

    def _take_field(self, number: int, text: str) -> bool:
        """Read a line that begins with one of the labels, before the abstract."""
        if self.paragraphs or not text.startswith(LABELS):
            return False
        label, _, value = text.partition(":")
        if label in self.fields:
            return False
        if label == "Subjects":
            return self._take_subjects(number, value.strip())
        glued = _GLUED_LABEL.search(value) if "Subjects:" in value else None
        self._put(number, label, value[: glued.start() if glued else None].strip())
        if glued:
            self._take_labelled(number, value, glued.start())
        return True

    def _take_glued(self, number: int, text: str) -> bool:
        """Read a line below a title that breaks before a link: the rest of the title with labels glued to it."""
        first = _GLUED_LABEL.search(text)
        if first is None:
            return False
        begun = text[: first.start()].strip()
        if self.fields:
            label = next(reversed(self.fields))
            self.fields[label] = f"{self.fields[label]} {begun}"
        elif not looks_like_authors(begun):
            return False
        else:
            self.fields["Authors"] = begun
        self._take_labelled(number, text, first.start())
        return True

    def _begins_another(self, text: str) -> bool:
        """True if a label appears where only the abstract can continue: the title above it is lost."""
        if not text.startswith(LABELS):
            return False
        label, _, value = text.partition(":")
        if label == "Subjects":
            return SUBJECTS.fullmatch(value.strip()) is not None
        return bool(self.paragraphs) or label in self.fields

    def _take_paragraph(self, number: int, text: str) -> None:
        """Keep a line if it looks like a paragraph: long, the end of a sentence, an address, a few words of prose.

        Below another paragraph also keywords and list items.
        """
        if len(text) >= _SURELY_PROSE:
            is_sure = text.count(" ", 0, 1000) >= _WORDS_OF_PROSE
        else:
            is_sure = text.rstrip(_CLOSERS)[-1:] in _SENTENCE_ENDS and not text.isupper()
            is_sure = is_sure or (bool(self.paragraphs) and _IN_ABSTRACT.fullmatch(text) is not None)
        if is_sure or self._reads_like_prose(text):
            self.paragraphs.append(Paragraph(number, text, is_sure))

    def _reads_like_prose(self, text: str) -> bool:
        """True if a line that ends no sentence ends in an address, or has a few words, most in lower case."""
        if _ENDS_IN_ADDRESS.match(text):
            return True
        words = _WORD.findall(text)
        small = sum(word[0].islower() for word in words)
        return len(words) >= _FEWEST_WORDS[bool(self.paragraphs)] and small * 2 >= len(words)


def settle_page(readings: Collection[PartialEntry], *, titles_only: bool) -> None:
    """Settle the entries of a page: it prints the authors of all of them on separate lines, or of none.

    ``titles_only``: the page announces titles without abstracts. A page without a sure paragraph has no abstracts at
    all.
    """
    apart = [reading for reading in readings if not reading.glued]
    prints_authors = sum(bool(reading.unlabelled) for reading in apart) * 2 >= len(apart)
    sure = any(paragraph.is_sure for reading in readings for paragraph in reading.paragraphs)
    for reading in readings:
        reading.settle(prints_authors=prints_authors, prints_abstracts=sure and not titles_only)
