import unittest

from ini_config import ConfigError, parse, strip_comment


class ConfigHiddenTest(unittest.TestCase):
    def test_nothing(self):
        self.assertIsNone(parse("").get("a", "b"))
        self.assertEqual(parse("\n; only\n  # comments\n").sections, {"": {}})

    def test_values_with_equals_signs(self):
        self.assertEqual(parse("a = b = c").get("", "a"), "b = c")
        self.assertEqual(parse("a =").get("", "a"), "")

    def test_own_value_before_default_before_top(self):
        config = parse("k = top\nl = top\nm = top\n[default]\nk = def\nl = def\n[s]\nk = own\n")
        self.assertEqual([config.get("s", key) for key in "klm"], ["own", "def", "top"])
        self.assertEqual(config.get("other", "k"), "def")

    def test_sections_can_be_reopened(self):
        config = parse("[a]\nx = 1\n[b]\nx = 2\n[ A ]\ny = 3\n")
        self.assertEqual(config.sections["a"], {"x": "1", "y": "3"})

    def test_continued_lines(self):
        self.assertEqual(parse("a = 1\n  2\n\t3\nb = 4").get("", "a"), "1\n2\n3")
        self.assertEqual(parse("a = 1\n\n b = 2").sections[""], {"a": "1", "b": "2"})
        self.assertEqual(parse("[s]\n b = 2").sections["s"], {"b": "2"})

    def test_references_in_depth(self):
        config = parse("[a]\nx = ${y}${y}\ny = ${b.z}!\n[b]\nz = ${w}\nw = deep\n")
        self.assertEqual(config.get("a", "x"), "deep!deep!")

    def test_bad_references(self):
        with self.assertRaisesRegex(ConfigError, "circle"):
            parse("a = ${b}\nb = ${a}").get("", "a")
        with self.assertRaisesRegex(ConfigError, "unknown reference: s.none"):
            parse("a = ${s.none}").get("", "a")

    def test_all_words_for_booleans(self):
        for word, expected in (("on", True), ("TRUE", True), ("1", True), ("Off", False), ("no", False), ("0", False)):
            self.assertIs(parse(f"k = {word}").get_bool("", "k", not expected), expected)
        self.assertTrue(parse("").get_bool("", "k", True))

    def test_numbers(self):
        self.assertEqual(parse("n = -7").get_int("", "n"), -7)
        self.assertEqual(parse("").get_int("", "n", 5), 5)
        self.assertRaises(ValueError, parse("n = x").get_int, "", "n")

    def test_lists(self):
        self.assertEqual(parse("l = , a ,,b,").get_list("", "l"), ["a", "b"])
        self.assertEqual(parse("").get_list("", "l"), [])
        self.assertEqual(parse("l = a\n b, c\n d").get_list("", "l"), ["a", "b", "c", "d"])

    def test_comment_marks(self):
        self.assertEqual(strip_comment("a ; b # c"), "a ")
        self.assertEqual(strip_comment("a;b"), "a;b")
        self.assertEqual(strip_comment("a; b"), "a; b")
        self.assertEqual(strip_comment("a ;b"), "a ")
        self.assertEqual(strip_comment("plain"), "plain")

    def test_error_lines(self):
        with self.assertRaises(ConfigError) as caught:
            parse("[s]\n# x\nbad")
        self.assertEqual(caught.exception.line, 3)


if __name__ == "__main__":
    unittest.main()
