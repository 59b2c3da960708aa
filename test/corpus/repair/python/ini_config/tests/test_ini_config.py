import unittest

from ini_config import ConfigError, parse, strip_comment

TEXT = """\
name = demo   ; what it is called

[Default]
port = 80

[Server]
Host = example.org
url = http://${host}:${port}/#top
tags = a, b
    c
debug = Yes

[backup]
of = ${server.host}
"""


class ConfigTest(unittest.TestCase):
    def setUp(self):
        self.config = parse(TEXT)

    def test_values(self):
        self.assertEqual(self.config.get("server", "host"), "example.org")
        self.assertEqual(self.config.get("", "name"), "demo")

    def test_names_ignore_case(self):
        self.assertEqual(self.config.get("SERVER", "HOST"), "example.org")

    def test_defaults(self):
        self.assertEqual(self.config.get_int("server", "port"), 80)
        self.assertEqual(self.config.get("server", "nothing", "x"), "x")

    def test_references(self):
        self.assertEqual(self.config.get("server", "url"), "http://example.org:80/#top")
        self.assertEqual(self.config.get("backup", "of"), "example.org")

    def test_lists_and_continued_lines(self):
        self.assertEqual(self.config.get_list("server", "tags"), ["a", "b", "c"])

    def test_booleans(self):
        self.assertTrue(self.config.get_bool("server", "debug"))
        self.assertFalse(self.config.get_bool("server", "missing"))
        with self.assertRaises(ConfigError):
            self.config.get_bool("server", "host")

    def test_comments(self):
        self.assertEqual(strip_comment("# all"), "")
        self.assertEqual(strip_comment("a#b ;c"), "a#b ")

    def test_errors_name_the_line(self):
        with self.assertRaises(ConfigError) as caught:
            parse("a = 1\n\nnonsense\n")
        self.assertEqual(str(caught.exception), "line 3: expected key = value")


if __name__ == "__main__":
    unittest.main()
