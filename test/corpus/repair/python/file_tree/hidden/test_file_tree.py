import unittest

from file_tree import add, build, compare, draw, find, human_size, search, walk

SITE = {"z.txt": 1, "b/two/x.css": 20, "b/one.css": 4, "B2/y.html": 8, "a/x.html": 16, "a/deep/er/q.html": 32}


class FileTreeHiddenTest(unittest.TestCase):
    def test_totals_of_every_folder(self):
        tree = build(SITE)
        totals = {path: find(tree, path).total() for path in ("", "a", "a/deep", "a/deep/er", "b", "b/two", "B2")}
        self.assertEqual(totals, {"": 81, "a": 48, "a/deep": 32, "a/deep/er": 32, "b": 24, "b/two": 20, "B2": 8})

    def test_every_file_is_found(self):
        tree = build(SITE)
        self.assertEqual({path: find(tree, path).size for path in SITE}, SITE)
        self.assertEqual({path: node.size for path, node in walk(tree)}, SITE)

    def test_what_is_not_there(self):
        tree = build(SITE)
        for path in ("x", "a/b", "a/x.html/y", "deep"):
            self.assertIsNone(find(tree, path))

    def test_order_of_folders_and_names(self):
        paths = [path for path, _ in walk(build(SITE))]
        self.assertEqual(paths, ["a/deep/er/q.html", "a/x.html", "b/two/x.css", "b/one.css", "B2/y.html", "z.txt"])

    def test_untidy_paths(self):
        tree = build({"/a/./b//c.txt": 5})
        self.assertEqual(find(tree, "a/b/c.txt").size, 5)

    def test_bad_paths(self):
        for path in ("..", "x/..", "././", "a/../../b"):
            self.assertRaises(ValueError, build, {path: 1})

    def test_names_that_clash(self):
        self.assertRaisesRegex(ValueError, "a is a file", build, {"a": 1, "a/b": 2})
        self.assertRaisesRegex(ValueError, "a is a folder", build, {"a/b": 1, "a": 2})

    def test_a_file_is_replaced(self):
        tree = build(SITE)
        add(tree, "a/x.html", 3)
        self.assertEqual(tree.total(), 68)

    def test_searching_names(self):
        tree = build(SITE)
        self.assertEqual(search(tree, "x.*"), ["a/x.html", "b/two/x.css"])
        self.assertEqual(search(tree, "?.html"), ["a/deep/er/q.html", "a/x.html", "B2/y.html"])
        self.assertEqual(search(tree, "X.*"), [])

    def test_searching_paths(self):
        tree = build(SITE)
        self.assertEqual(search(tree, "a/*.html"), ["a/deep/er/q.html", "a/x.html"])
        self.assertEqual(search(tree, "/x.css"), [])
        self.assertEqual(search(tree, "[bB]*/*"), ["b/two/x.css", "b/one.css", "B2/y.html"])

    def test_drawing(self):
        self.assertEqual(draw(build(SITE)), [
            "|-- a/",
            "|   |-- deep/",
            "|   |   `-- er/",
            "|   |       `-- q.html",
            "|   `-- x.html",
            "|-- b/",
            "|   |-- two/",
            "|   |   `-- x.css",
            "|   `-- one.css",
            "|-- B2/",
            "|   `-- y.html",
            "`-- z.txt",
        ])

    def test_drawing_by_depth(self):
        tree = build(SITE)
        self.assertEqual([len(draw(tree, depth=depth)) for depth in (1, 2, 3, 4)], [4, 9, 11, 12])

    def test_sizes(self):
        sizes = (1, 1000, 1024 * 1023, 1024 * 1024 - 1, 1024 * 1024, 1024**3, 2500 * 1024**3)
        self.assertEqual(
            [human_size(size) for size in sizes],
            ["1 B", "1000 B", "1023.0 KB", "1024.0 KB", "1.0 MB", "1.0 GB", "2500.0 GB"],
        )

    def test_comparing_with_nothing(self):
        self.assertEqual(compare(build({}), build(SITE))["added"], sorted(SITE))
        self.assertEqual(compare(build(SITE), build({}))["removed"], sorted(SITE))

    def test_comparing_sizes(self):
        changed = {path: size * 2 if path.endswith(".html") else size for path, size in SITE.items()}
        self.assertEqual(compare(build(SITE), build(changed)), {
            "added": [], "removed": [], "changed": ["B2/y.html", "a/deep/er/q.html", "a/x.html"],
        })


if __name__ == "__main__":
    unittest.main()
