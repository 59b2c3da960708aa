import random
import unittest

from run_length import decode, encode, pack, ratio, runs, unpack


class RunLengthHiddenTest(unittest.TestCase):
    def test_there_and_back(self):
        chance = random.Random(9)
        for _ in range(200):
            text = "".join(chance.choice("aab1\\ ") * chance.randrange(1, 14) for _ in range(chance.randrange(6)))
            self.assertEqual(decode(encode(text)), text)

    def test_runs_add_up(self):
        text = "mississippi"
        self.assertEqual("".join(char * count for char, count in runs(text)), text)
        self.assertEqual(len(runs(text)), 8)
        self.assertTrue(all(a[0] != b[0] for a, b in zip(runs(text), runs(text)[1:])))

    def test_codes(self):
        self.assertEqual(encode(""), "")
        self.assertEqual(encode("ab"), "ab")
        self.assertEqual(encode("a" * 123), "123a")
        self.assertEqual(encode("\\\\"), "2\\\\")
        self.assertEqual(encode("7"), "\\7")

    def test_decoding(self):
        self.assertEqual(decode(""), "")
        self.assertEqual(decode("10x2y"), "x" * 10 + "yy")
        self.assertEqual(decode("\\\\\\3"), "\\3")
        self.assertEqual(decode("1a"), "a")

    def test_bad_codes(self):
        for code in ("3", "\\", "ab00c", "2\\", "x4"):
            self.assertRaises(ValueError, decode, code)

    def test_packing_there_and_back(self):
        chance = random.Random(3)
        for _ in range(60):
            width = chance.randrange(1, 6)
            rows = [[chance.randrange(2) for _ in range(width)] for _ in range(chance.randrange(1, 5))]
            self.assertEqual(unpack(*pack(rows)), rows)

    def test_packed_lengths(self):
        width, lengths = pack([[1, 0, 0], [0, 0, 1], [1, 1, 1]])
        self.assertEqual((width, lengths), (3, [0, 1, 4, 4]))
        self.assertEqual(sum(lengths), 9)
        self.assertEqual(pack([]), (0, []))
        self.assertRaises(ValueError, pack, [[1, 0], [1]])

    def test_unpacking(self):
        self.assertEqual(unpack(0, []), [])
        self.assertEqual(unpack(2, [0, 4]), [[1, 1], [1, 1]])
        self.assertRaises(ValueError, unpack, 4, [3, 3])

    def test_ratios(self):
        self.assertEqual(ratio("abcd"), 1.0)
        self.assertEqual(ratio("1"), 2.0)
        self.assertEqual(ratio("x" * 10), 0.3)


if __name__ == "__main__":
    unittest.main()
