import unittest

from outline import broken_links, contents, number, parse, plain, skipped_levels, slug


def levels(*numbers):
    return parse("\n".join("#" * level + f" H{at}" for at, level in enumerate(numbers)))


class OutlineHiddenTest(unittest.TestCase):
    def test_marks_at_the_end(self):
        found = parse("# One #\n##  Two  ##\n### C# \n###### Six")
        self.assertEqual([(h.level, h.title) for h in found], [(1, "One"), (2, "Two"), (3, "C"), (6, "Six")])

    def test_what_is_no_heading(self):
        self.assertEqual(parse("#x\n # y\ntext # z\n####### seven"), [])

    def test_code_in_code(self):
        text = "# a\n```python\n# b\n~~~\n# c\n```\n# d\n~~~\n# e"
        self.assertEqual([(h.title, h.line) for h in parse(text)], [("a", 1), ("d", 7)])

    def test_indented_fences(self):
        self.assertEqual([h.title for h in parse("  ```\n# a\n  ```\n# b")], ["b"])

    def test_slugs(self):
        titles = ("A  B", "Hello, World!", "  x ", "C++ & Go", "Ärger", "`code` (new)", "**Bold** move")
        self.assertEqual([slug(t) for t in titles], ["a--b", "hello-world", "x", "c--go", "ärger", "code-new", "bold-move"])

    def test_plain(self):
        self.assertEqual(plain("[a](b) and [c](d#e)"), "a and c")
        self.assertEqual(plain("__init__ of my_mod"), "init of my_mod")

    def test_titles_are_plain_and_anchors_fit(self):
        (heading,) = parse("## Using [the `API`](api.md)")
        self.assertEqual((heading.title, heading.anchor), ("Using the API", "using-the-api"))

    def test_anchors_are_unique(self):
        found = parse("\n".join(["# A"] * 4 + ["# B", "# a!"]))
        self.assertEqual([h.anchor for h in found], ["a", "a-1", "a-2", "a-3", "b", "a-4"])

    def test_numbers_go_up_and_back(self):
        numbers = [h.number for h in number(levels(2, 3, 4, 4, 3, 2, 4, 3, 2))]
        self.assertEqual(numbers, ["1", "1.1", "1.1.1", "1.1.2", "1.2", "2", "2.0.1", "2.1", "3"])

    def test_numbers_under_several_titles(self):
        numbers = [h.number for h in number(levels(2, 1, 2, 3, 1, 3, 2))]
        self.assertEqual(numbers, ["1", None, "1", "1.1", None, "0.1", "1"])

    def test_numbers_from_another_level(self):
        self.assertEqual([h.number for h in number(levels(1, 2, 3, 4, 3), start=3)], [None, None, "1", "1.1", "2"])

    def test_contents_start_at_the_highest_level(self):
        self.assertEqual(contents(levels(3, 4, 3), most=4), "- [H0](#h0)\n  - [H1](#h1)\n- [H2](#h2)")
        self.assertEqual(contents(levels(3, 2)), "  - [H0](#h0)\n- [H1](#h1)")

    def test_contents_with_numbers(self):
        found = number(levels(1, 2, 3))
        self.assertEqual(contents(found, numbered=True), "- [H0](#h0)\n  - [1 H1](#h1)\n    - [1.1 H2](#h2)")
        self.assertEqual(contents(found, most=1), "- [H0](#h0)")
        self.assertEqual(contents(found, most=0), "")

    def test_skipped(self):
        self.assertEqual([h.title for h in skipped_levels(levels(2, 4, 6, 1, 2, 3, 5))], ["H1", "H2", "H6"])
        self.assertEqual(skipped_levels([]), [])

    def test_links(self):
        text = "## A b\n[x](#a-b) [y](#A-b)\n## A b\n[z](#a-b-1) [w](#a-b-2)\n![i](#i)[j](#j)"
        self.assertEqual(broken_links(text), [(2, "#A-b"), (4, "#a-b-2"), (5, "#j")])
        self.assertEqual(broken_links("~~~\n[x](#x)\n~~~\n[y](y.md#z)"), [])


if __name__ == "__main__":
    unittest.main()
