import unittest

from sorted_index import SortedIndex


class SortedIndexTest(unittest.TestCase):
    def setUp(self):
        self.index = SortedIndex([30, 10, 20, 20, 40])

    def test_it_is_sorted(self):
        self.assertEqual(list(self.index), [10, 20, 20, 30, 40])
        self.assertEqual(len(self.index), 5)

    def test_places(self):
        self.assertEqual((self.index.lower(20), self.index.upper(20)), (1, 3))
        self.assertEqual((self.index.lower(5), self.index.upper(99)), (0, 5))

    def test_adding(self):
        self.assertEqual(self.index.add(25), 3)
        self.assertEqual(list(self.index), [10, 20, 20, 25, 30, 40])

    def test_finding(self):
        self.assertEqual(self.index.find(30), 30)
        self.assertIsNone(self.index.find(31))
        self.assertIsNone(self.index.find(99))

    def test_removing(self):
        self.assertTrue(self.index.remove(20))
        self.assertFalse(self.index.remove(15))
        self.assertEqual(list(self.index), [10, 20, 30, 40])

    def test_counting_and_ranges(self):
        self.assertEqual(self.index.count(20), 2)
        self.assertEqual(self.index.between(20, 40), [20, 20, 30])

    def test_nearest(self):
        self.assertEqual([self.index.nearest(v) for v in (1, 26, 25, 24, 99)], [10, 30, 20, 20, 40])
        self.assertIsNone(SortedIndex().nearest(1))

    def test_median(self):
        self.assertEqual(self.index.median(), 20)
        self.assertEqual(SortedIndex([4, 1, 3, 2]).median(), 2.5)

    def test_keys(self):
        people = SortedIndex([("ann", 40), ("bob", 20)], key=lambda person: person[1])
        people.add(("cid", 20))
        self.assertEqual([name for name, _ in people], ["bob", "cid", "ann"])
        self.assertTrue(people.remove(("cid", 20)))
        self.assertEqual(people.find(20), ("bob", 20))


if __name__ == "__main__":
    unittest.main()
