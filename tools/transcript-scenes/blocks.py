"""The blocks of a page that are tied to a scene, and what in them may differ from one time to the next."""
import difflib
import re

TIE = re.compile(r"<!-- (scene|file): (\S+) -->")
FENCE = "```"

# (kind, where it stands; the group is what differs). Of the first kinds each value of one text stands for one of the other
# throughout a block: two people have not the same id, and one has not two.
ONE_TO_ONE = {"id", "port", "post", "record"}
MASKS = [
    (kind, re.compile(pattern))
    for kind, pattern in [
        # A neighbour may have told by then where somebody far is, or not.
        ("far", r"^\S+ +\S{4}  relayed +\d+ +-((?: +\S+)?)$"),
        ("id", r"#([a-z0-9]{4})\b"),
        ("id", r"^\S+ +([a-z0-9]{4})  (?=connected|connecting|relayed)"),
        # The way that was dialled first.
        ("way", r"(?<=  )(10\.77\.\d+\.\d+:\d{4,5}|\[fe80:[0-9a-f:]+\]:\d{4,5})(?=  |$)"),
        ("port", r"\b10\.77\.\d+\.\d+:(\d{4,5})\b"),
        ("address", r"\[(fe80:[0-9a-f:]+)%eth0\]"),
        ("port", r"\bport (\d{4,5})\b"),
        ("record", r"\b([0-9a-f]{64}|[0-9a-f]{4}…[0-9a-f]{4})\b"),
        ("date", r"\b(\d{4}-\d\d-\d\d \d\d:\d\d)\b"),
        ("date", r"(?:first seen |known since )(today|\d{1,2} [A-Z][a-z]{2}(?: \d{4})?)\b"),
        ("time", r"\b(\d\d:\d\d)\b"),
        ("date", r"holds until (\d{4}-\d\d-\d\d)\b"),
        ("records", r": (\d+) in, "),
        ("records", r" in, (\d+) out\b"),
        ("age", r"(?<=  )(now|\d+ (?:s|min|h|d))(?=  )"),
        ("post", r"\b([0-9a-f]{6})\b"),
        ("took", r"\b(\d+(?:\.\d+)? ms)\b"),
        ("space", r"\b(\d+) (?=MB free)"),
        ("digits", r"^  ((?:\d{5} ){3}\d{5})$"),
        ("words", r"^  ((?:[a-z]{3,8} ){3}[a-z]{3,8})$"),
    ]
]

OF_SOME_WIDTH = "‹(?:age|took|far|way)›|ADDRESS"


class Block:
    """What stands between two fences: lines `first` up to `end` of a page."""

    def __init__(self, scene, first, lines, files):
        self.scene, self.first, self.lines = scene, first, lines
        # The files that the page shows, by their names.
        self.files = files

    @property
    def end(self):
        return self.first + len(self.lines)


def blocks(page, name):
    """All blocks that a comment ties to a scene; the comment stands in the line before the fence."""
    found, files, lines = [], {}, page.split("\n")
    for number, line in enumerate(lines):
        if not (tie := TIE.fullmatch(line)):
            continue
        first = number + 2
        if not lines[number + 1].startswith(FENCE):
            raise SystemExit(f"{name}:{number + 2}: a block has to follow {line}")
        inside = lines[first : lines.index(FENCE, first)]
        if tie[1] == "file":
            files[tie[2]] = "\n".join(inside) + "\n"
        else:
            found.append(Block(tie[2], first, inside, files))
    return found


class Masked:
    """A line with its values taken out; `text` is what has to be alike."""

    def __init__(self, line):
        spans = []
        for kind, mask in MASKS:
            for match in mask.finditer(line):
                if all(match.end(1) <= start or match.start(1) >= end for start, end, _ in spans):
                    spans.append((match.start(1), match.end(1), kind))
        self.values, self.parts, at = [], [], 0
        for start, end, kind in sorted(spans):
            self.parts.append(line[at:start])
            self.values.append((kind, line[start:end]))
            at = end
        self.parts.append(line[at:])
        text = self.parts[0]
        for (kind, _), part in zip(self.values, self.parts[1:]):
            text += f"‹{kind}›{part}"
        # Of some kinds a longer value takes of the blanks between columns.
        self.text = re.sub(rf" {{2,}}({OF_SOME_WIDTH})", r"  \1", re.sub(rf"({OF_SOME_WIDTH}) {{2,}}", r"\1  ", text))

    def with_values(self, values):
        return self.parts[0] + "".join(value + part for value, part in zip(values, self.parts[1:]))


class Names:
    """Which value of what was played is which of the page."""

    def __init__(self):
        self.written = {}
        self.played = {}

    def agree(self, played, written):
        """Whether two lines that are alike mean the same by their values; if so that is kept."""
        pairs = [
            ((kind, value), (kind, other))
            for (kind, value), (_, other) in zip(played.values, written.values)
        ]
        for value, other in pairs:
            if value[0] in ONE_TO_ONE and (
                self.written.get(value, other) != other or self.played.get(other, value) != value
            ):
                return False
        for value, other in pairs:
            self.written.setdefault(value, other)
            self.played.setdefault(other, value)
        return True

    def write(self, played):
        return played.with_values([self.written.get(value, value)[1] for value in played.values])


def merged(written, played):
    """What the page should show: its own lines where only values differ, and else what was played."""
    ours, theirs = [Masked(line) for line in written], [Masked(line) for line in played]
    names, result = Names(), [None] * len(theirs)
    matcher = difflib.SequenceMatcher(
        None, [line.text for line in ours], [line.text for line in theirs], autojunk=False
    )
    for our, their, length in matcher.get_matching_blocks():
        for offset in range(length):
            if names.agree(theirs[their + offset], ours[our + offset]):
                result[their + offset] = written[our + offset]
    return [names.write(line) if kept is None else kept for line, kept in zip(theirs, result)]
