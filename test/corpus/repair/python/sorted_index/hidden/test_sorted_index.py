import bisect
import random
import unittest

from sorted_index import SortedIndex


class SortedIndexHiddenTest(unittest.TestCase):
    def samples(self):
        for seed in range(30):
            chance = random.Random(seed)
            yield chance, [chance.randrange(12) for _ in range(seed % 11)]

    def test_places_agree_with_the_library(self):
        for _, items in self.samples():
            index = SortedIndex(items)
            for value in range(-1, 14):
                self.assertEqual(index.lower(value), bisect.bisect_left(sorted(items), value))
                self.assertEqual(index.upper(value), bisect.bisect_right(sorted(items), value))

    def test_counts(self):
        for _, items in self.samples():
            for value in range(12):
                self.assertEqual(SortedIndex(items).count(value), items.count(value))

    def test_adding_and_removing(self):
        for chance, items in self.samples():
            index = SortedIndex(items)
            model = sorted(items)
            for _ in range(15):
                value = chance.randrange(12)
                if chance.random() < 0.5:
                    index.add(value)
                    model = sorted(model + [value])
                else:
                    self.assertEqual(index.remove(value), value in model)
                    if value in model:
                        model.remove(value)
                self.assertEqual(list(index), model)

    def test_ranges(self):
        for _, items in self.samples():
            self.assertEqual(SortedIndex(items).between(3, 7), [item for item in sorted(items) if 3 <= item < 7])

    def test_nearest_agrees_with_looking_at_all(self):
        for _, items in self.samples():
            if items:
                for value in range(-2, 15):
                    self.assertEqual(SortedIndex(items).nearest(value), min(items, key=lambda item: (abs(item - value), item)))

    def test_finding_gives_the_first_of_equals(self):
        index = SortedIndex(["bb", "a", "cc", "ddd"], key=len)
        self.assertEqual(index.find(2), "bb")
        self.assertEqual(index.find(3), "ddd")
        self.assertIsNone(index.find(4))
        self.assertIsNone(SortedIndex().find(0))

    def test_equal_keys_keep_their_order(self):
        index = SortedIndex(["bb"], key=len)
        for word in ("aa", "c", "dd"):
            index.add(word)
        self.assertEqual(list(index), ["c", "bb", "aa", "dd"])
        self.assertTrue(index.remove("dd"))
        self.assertFalse(index.remove("zz"))
        self.assertEqual(list(index), ["c", "bb", "aa"])

    def test_medians(self):
        self.assertEqual(SortedIndex([7]).median(), 7)
        self.assertEqual(SortedIndex([1, 2]).median(), 1.5)
        self.assertEqual(SortedIndex([5, 1, 9]).median(), 5)
        self.assertRaises(ValueError, SortedIndex().median)

    def test_the_input_is_copied(self):
        items = [2, 1]
        SortedIndex(items).add(3)
        self.assertEqual(items, [2, 1])


if __name__ == "__main__":
    unittest.main()
