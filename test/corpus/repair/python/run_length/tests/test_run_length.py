import unittest

from run_length import decode, encode, pack, ratio, runs, unpack


class RunLengthTest(unittest.TestCase):
    def test_runs(self):
        self.assertEqual(runs("aab"), [("a", 2), ("b", 1)])
        self.assertEqual(runs(""), [])

    def test_encoding(self):
        self.assertEqual(encode("aaabccccd"), "3ab4cd")

    def test_digits_are_escaped(self):
        self.assertEqual(encode("a11"), "a2\\1")

    def test_decoding(self):
        self.assertEqual(decode("3ab12c"), "aaab" + "c" * 12)
        self.assertEqual(decode("a2\\1"), "a11")

    def test_bad_codes(self):
        for code in ("a3", "a\\", "0a"):
            with self.assertRaises(ValueError):
                decode(code)

    def test_packing(self):
        self.assertEqual(pack([[0, 0, 1], [1, 1, 0]]), (3, [2, 3, 1]))
        self.assertEqual(pack([[1, 1]]), (2, [0, 2]))

    def test_rows_of_different_width(self):
        with self.assertRaises(ValueError):
            pack([[0], [0, 1]])

    def test_unpacking(self):
        self.assertEqual(unpack(3, [2, 3, 1]), [[0, 0, 1], [1, 1, 0]])
        with self.assertRaises(ValueError):
            unpack(3, [4])

    def test_ratio(self):
        self.assertEqual(ratio("aaaa"), 0.5)
        self.assertEqual(ratio(""), 1.0)


if __name__ == "__main__":
    unittest.main()
