import unittest

from outline import broken_links, contents, number, parse, plain, skipped_levels, slug

GUIDE = """# Guide

Some text about it.

## Install

```
# not a heading
```

### On Linux
### On macOS
## Use
#hashtag
#### Details ####
"""


def headings(*levels):
    return parse("\n".join("#" * level + " T" for level in levels))


class ParseTest(unittest.TestCase):
    def test_headings(self):
        found = [(heading.level, heading.title) for heading in parse(GUIDE)]
        self.assertEqual(found, [(1, "Guide"), (2, "Install"), (3, "On Linux"), (3, "On macOS"), (2, "Use"), (4, "Details")])

    def test_lines(self):
        self.assertEqual([heading.line for heading in parse(GUIDE)], [1, 5, 11, 12, 13, 15])

    def test_other_fences(self):
        text = "~~~\n# a\n```\n# b\n~~~\n# c"
        self.assertEqual([heading.title for heading in parse(text)], ["c"])

    def test_seven_marks_are_no_heading(self):
        self.assertEqual(parse("####### deep"), [])

    def test_nothing(self):
        self.assertEqual(parse(""), [])


class AnchorTest(unittest.TestCase):
    def test_slug(self):
        self.assertEqual(slug("Getting Started"), "getting-started")
        self.assertEqual(slug("What's new in 2.0?"), "whats-new-in-20")
        self.assertEqual(slug("snake_case and kebab-case"), "snake_case-and-kebab-case")

    def test_plain_titles(self):
        self.assertEqual(plain("The `run` *command*"), "The run command")
        self.assertEqual(plain("See [the docs](http://x.org/y)"), "See the docs")
        self.assertEqual(plain("an _emphasised_ snake_case"), "an emphasised snake_case")

    def test_slug_of_a_link(self):
        self.assertEqual(slug("See [the docs](http://x.org/y)"), "see-the-docs")

    def test_equal_titles(self):
        found = parse("# Notes\n## Notes\n## Other\n### Notes")
        self.assertEqual([heading.anchor for heading in found], ["notes", "notes-1", "other", "notes-2"])


class NumberTest(unittest.TestCase):
    def numbers(self, *levels, **options):
        return [heading.number for heading in number(headings(*levels), **options)]

    def test_levels(self):
        self.assertEqual(self.numbers(2, 3, 3, 2, 3, 4), ["1", "1.1", "1.2", "2", "2.1", "2.1.1"])

    def test_titles_have_none(self):
        self.assertEqual(self.numbers(1, 2, 2), [None, "1", "2"])

    def test_a_new_title_starts_anew(self):
        self.assertEqual(self.numbers(1, 2, 2, 1, 2), [None, "1", "2", None, "1"])

    def test_skipped_levels_count_as_zero(self):
        self.assertEqual(self.numbers(2, 4, 4), ["1", "1.0.1", "1.0.2"])

    def test_start(self):
        self.assertEqual(self.numbers(1, 2, 1, start=1), ["1", "1.1", "2"])


class ContentsTest(unittest.TestCase):
    def test_list(self):
        self.assertEqual(contents(parse(GUIDE)), "\n".join([
            "- [Guide](#guide)",
            "  - [Install](#install)",
            "    - [On Linux](#on-linux)",
            "    - [On macOS](#on-macos)",
            "  - [Use](#use)",
        ]))

    def test_most(self):
        self.assertEqual(contents(parse("## A\n### B"), most=2), "- [A](#a)")

    def test_numbered(self):
        self.assertEqual(contents(number(parse("# T\n## A")), numbered=True), "- [T](#t)\n  - [1 A](#a)")

    def test_nothing_to_show(self):
        self.assertEqual(contents([]), "")
        self.assertEqual(contents(parse("#### deep")), "")


class CheckTest(unittest.TestCase):
    def test_skipped_levels(self):
        self.assertEqual([heading.line for heading in skipped_levels(headings(1, 3, 2, 3, 1, 4))], [2, 6])
        self.assertEqual(skipped_levels(headings(1, 2, 3, 1)), [])

    def test_broken_links(self):
        text = "# Top\nSee [it](#top) and [that](#gone), ![pic](#none) or [web](http://x.org/#gone).\n```\n[code](#code)\n```\n[a](#b)"
        self.assertEqual(broken_links(text), [(2, "#gone"), (6, "#b")])


if __name__ == "__main__":
    unittest.main()
