"""The outline of a Markdown text: headings, numbers, anchors, a table of contents and checks of links."""

import re

HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
FENCE = re.compile(r"^\s*(```|~~~)")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


class Heading:
    def __init__(self, level, title, line):
        self.level = level
        self.title = title
        self.line = line
        self.anchor = None
        self.number = None

    def __repr__(self):
        return f"Heading({self.level}, {self.title!r}, line {self.line})"


def text_lines(text):
    """Lines outside of code blocks, with their numbers."""
    fence = None
    for number, line in enumerate(text.splitlines(), start=1):
        match = FENCE.match(line)
        if match and fence is None:
            fence = match.group(1)
        elif match and match.group(1) == fence:
            fence = None
        elif fence is None:
            yield number, line


def plain(title):
    """A title without marks of emphasis, code and links."""
    title = LINK.sub(r"\1", title)
    return re.sub(r"[*`]|\b_+|_+\b", "", title)


def slug(title):
    words = re.sub(r"[^\w\s-]", "", plain(title).lower())
    return re.sub(r"\s", "-", words.strip())


def parse(text):
    """All headings, each with an anchor of its own."""
    headings, used = [], {}
    for number, line in text_lines(text):
        match = HEADING.match(line)
        if match is None:
            continue
        heading = Heading(len(match.group(1)), plain(match.group(2)), number)
        base = slug(match.group(2))
        count = used.get(base, 0)
        heading.anchor = base if count == 0 else f"{base}-{count}"
        used[base] = count + 1
        headings.append(heading)
    return headings


def number(headings, start=2):
    """Gives numbers such as 2.1.3; headings above the level of start have none."""
    counts = []
    for heading in headings:
        depth = heading.level - start + 1
        if depth < 1:
            counts = []
            heading.number = None
            continue
        counts = counts[:depth] + [0] * (depth - len(counts))
        counts[-1] += 1
        heading.number = ".".join(str(count) for count in counts)
    return headings


def contents(headings, most=3, numbered=False):
    """A list of links, indented by level."""
    shown = [heading for heading in headings if heading.level <= most]
    if not shown:
        return ""
    top = min(heading.level for heading in shown)
    lines = []
    for heading in shown:
        indent = "  " * (heading.level - top)
        prefix = f"{heading.number} " if numbered and heading.number else ""
        lines.append(f"{indent}- [{prefix}{heading.title}](#{heading.anchor})")
    return "\n".join(lines)


def skipped_levels(headings):
    """Headings that are more than one level below the one before."""
    pairs = zip(headings, headings[1:])
    return [later for earlier, later in pairs if later.level > earlier.level + 1]


def broken_links(text):
    """Links to anchors that are not there, with their lines."""
    anchors = {heading.anchor for heading in parse(text)}
    found = []
    for number, line in text_lines(text):
        for _, target in LINK.findall(line):
            if target.startswith("#") and target[1:] not in anchors:
                found.append((number, target))
    return found
