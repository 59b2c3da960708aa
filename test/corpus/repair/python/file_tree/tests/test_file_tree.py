import unittest

from file_tree import add, build, compare, draw, find, human_size, search, walk

FILES = {
    "README.md": 100,
    "src/main.py": 300,
    "src/util/text.py": 50,
    "src/util/Dates.py": 70,
    "docs/guide.md": 2000,
}


class BuildTest(unittest.TestCase):
    def setUp(self):
        self.tree = build(FILES)

    def test_totals(self):
        self.assertEqual(self.tree.total(), 2520)
        self.assertEqual(find(self.tree, "src").total(), 420)
        self.assertEqual(find(self.tree, "src/main.py").total(), 300)

    def test_find(self):
        self.assertEqual(find(self.tree, "/src/util/").name, "util")
        self.assertIs(find(self.tree, "/"), self.tree)
        self.assertIsNone(find(self.tree, "src/missing/x"))

    def test_dots_and_double_slashes(self):
        add(self.tree, "./src//new.py", 1)
        self.assertEqual(find(self.tree, "src/new.py").size, 1)

    def test_replacing_a_file(self):
        add(self.tree, "README.md", 120)
        self.assertEqual(self.tree.total(), 2540)

    def test_paths_that_are_refused(self):
        for path in ("", "/", "a/../b"):
            with self.assertRaises(ValueError):
                add(self.tree, path, 1)

    def test_file_and_folder_of_one_name(self):
        with self.assertRaisesRegex(ValueError, "main.py is a file"):
            add(self.tree, "src/main.py/x", 1)
        with self.assertRaisesRegex(ValueError, "util is a folder"):
            add(self.tree, "src/util", 1)


class WalkTest(unittest.TestCase):
    def setUp(self):
        self.tree = build(FILES)

    def test_order(self):
        paths = [path for path, _ in walk(self.tree)]
        self.assertEqual(paths, ["docs/guide.md", "src/util/Dates.py", "src/util/text.py", "src/main.py", "README.md"])

    def test_search_by_name(self):
        self.assertEqual(search(self.tree, "*.md"), ["docs/guide.md", "README.md"])
        self.assertEqual(search(self.tree, "main.*"), ["src/main.py"])

    def test_search_by_path(self):
        self.assertEqual(search(self.tree, "src/util/*"), ["src/util/Dates.py", "src/util/text.py"])
        self.assertEqual(search(self.tree, "*/guide.md"), ["docs/guide.md"])

    def test_search_minds_case(self):
        self.assertEqual(search(self.tree, "dates.py"), [])


class DrawTest(unittest.TestCase):
    def test_whole_tree(self):
        self.assertEqual(draw(build(FILES)), [
            "|-- docs/",
            "|   `-- guide.md",
            "|-- src/",
            "|   |-- util/",
            "|   |   |-- Dates.py",
            "|   |   `-- text.py",
            "|   `-- main.py",
            "`-- README.md",
        ])

    def test_depth(self):
        self.assertEqual(draw(build(FILES), depth=1), ["|-- docs/", "|-- src/", "`-- README.md"])
        self.assertEqual(len(draw(build(FILES), depth=2)), 6)

    def test_last_folder(self):
        self.assertEqual(draw(build({"a/b/c": 1})), ["`-- a/", "    `-- b/", "        `-- c"])

    def test_nothing(self):
        self.assertEqual(draw(build({})), [])


class SizeTest(unittest.TestCase):
    def test_bytes(self):
        self.assertEqual(human_size(0), "0 B")
        self.assertEqual(human_size(1023), "1023 B")

    def test_larger_units(self):
        self.assertEqual(human_size(1024), "1.0 KB")
        self.assertEqual(human_size(1536), "1.5 KB")
        self.assertEqual(human_size(5 * 1024 * 1024), "5.0 MB")
        self.assertEqual(human_size(3 * 1024**3), "3.0 GB")


class CompareTest(unittest.TestCase):
    def test_all_kinds(self):
        after = build({"README.md": 100, "src/main.py": 301, "src/util/text.py": 50, "src/app.py": 9, "docs/guide.md": 2000})
        self.assertEqual(compare(build(FILES), after), {
            "added": ["src/app.py"], "removed": ["src/util/Dates.py"], "changed": ["src/main.py"],
        })

    def test_no_difference(self):
        self.assertEqual(compare(build(FILES), build(FILES)), {"added": [], "removed": [], "changed": []})


if __name__ == "__main__":
    unittest.main()
