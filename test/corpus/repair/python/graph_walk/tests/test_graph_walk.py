import unittest

from graph_walk import Graph, breadth_first, components, degree_counts, depth_first, has_path, shortest


def roads():
    graph = Graph()
    for start, end, weight in (("a", "b", 4), ("a", "c", 1), ("c", "b", 2), ("b", "d", 5), ("x", "y", 1)):
        graph.connect(start, end, weight)
    return graph


class GraphWalkTest(unittest.TestCase):
    def test_neighbours_both_ways(self):
        self.assertEqual(roads().neighbours("b"), ["a", "c", "d"])

    def test_directed_edges_go_one_way(self):
        graph = Graph(directed=True)
        graph.connect("a", "b")
        self.assertTrue(has_path(graph, "a", "b"))
        self.assertFalse(has_path(graph, "b", "a"))

    def test_negative_weight(self):
        with self.assertRaises(ValueError):
            Graph().connect("a", "b", -1)

    def test_breadth_first(self):
        self.assertEqual(breadth_first(roads(), "a"), ["a", "b", "c", "d"])

    def test_depth_first(self):
        graph = Graph()
        for start, end in (("1", "2"), ("1", "4"), ("2", "3"), ("3", "4")):
            graph.connect(start, end)
        self.assertEqual(depth_first(graph, "1"), ["1", "2", "3", "4"])
        self.assertEqual(depth_first(graph, "1"), ["1", "2", "3", "4"])

    def test_shortest_way(self):
        self.assertEqual(shortest(roads(), "a", "d"), (["a", "c", "b", "d"], 8))

    def test_no_way(self):
        self.assertIsNone(shortest(roads(), "a", "x"))

    def test_components(self):
        self.assertEqual(components(roads()), [["a", "b", "c", "d"], ["x", "y"]])

    def test_degrees(self):
        self.assertEqual(degree_counts(roads()), {2: 2, 3: 1, 1: 3})


if __name__ == "__main__":
    unittest.main()
