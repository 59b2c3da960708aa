import random
import unittest

from graph_walk import Graph, breadth_first, components, degree_counts, depth_first, has_path, shortest


def random_graph(seed, directed=False):
    chance = random.Random(seed)
    graph = Graph(directed)
    for node in range(8):
        graph.add_node(node)
    for _ in range(9):
        start, end = chance.sample(range(8), 2)
        graph.connect(start, end, chance.randint(1, 9))
    return graph


def relaxed(graph, start):
    costs = {start: 0}
    for _ in graph.edges:
        for node, ends in graph.edges.items():
            for end, weight in ends.items():
                if node in costs and costs[node] + weight < costs.get(end, 10**9):
                    costs[end] = costs[node] + weight
    return costs


class GraphWalkHiddenTest(unittest.TestCase):
    def test_costs_agree_with_relaxing(self):
        for seed in range(25):
            graph = random_graph(seed, directed=seed % 2 == 0)
            costs = relaxed(graph, 0)
            for goal in graph.edges:
                found = shortest(graph, 0, goal)
                self.assertEqual(None if found is None else found[1], costs.get(goal))

    def test_a_way_costs_what_its_edges_cost(self):
        for seed in range(25):
            graph = random_graph(seed)
            for goal in graph.edges:
                found = shortest(graph, 0, goal)
                if found:
                    path, cost = found
                    self.assertEqual((path[0], path[-1]), (0, goal))
                    self.assertEqual(sum(graph.edges[a][b] for a, b in zip(path, path[1:])), cost)

    def test_the_way_to_itself(self):
        self.assertEqual(shortest(random_graph(1), 3, 3), ([3], 0))

    def test_steps_never_fall(self):
        graph = Graph()
        for start, end in ((1, 2), (1, 3), (2, 4), (4, 5), (3, 5), (5, 6)):
            graph.connect(start, end)
        self.assertEqual(breadth_first(graph, 1), [1, 2, 3, 4, 5, 6])
        self.assertEqual(breadth_first(graph, 6), [6, 5, 3, 4, 1, 2])

    def test_both_walks_reach_the_same(self):
        for seed in range(10):
            graph = random_graph(seed)
            self.assertEqual(sorted(breadth_first(graph, 0)), sorted(depth_first(graph, 0)))

    def test_depth_comes_first(self):
        graph = Graph(directed=True)
        for start, end in ((1, 2), (1, 5), (2, 3), (3, 4), (2, 4), (4, 1)):
            graph.connect(start, end)
        self.assertEqual(depth_first(graph, 1), [1, 2, 3, 4, 5])

    def test_components_part_the_nodes(self):
        for seed in range(10):
            graph = random_graph(seed)
            groups = components(graph)
            self.assertEqual(sorted(node for group in groups for node in group), sorted(graph.edges))
            self.assertEqual([len(group) for group in groups], sorted((len(group) for group in groups), reverse=True))
            for group in groups:
                self.assertTrue(all(has_path(graph, group[0], node) for node in group))

    def test_lonely_nodes(self):
        graph = Graph()
        graph.add_node("b")
        graph.add_node("a")
        graph.add_node("b")
        self.assertEqual(components(graph), [["a"], ["b"]])
        self.assertEqual(degree_counts(graph), {0: 2})
        self.assertEqual(components(Graph()), [])

    def test_zero_is_a_weight(self):
        graph = Graph()
        graph.connect("a", "b", 0)
        self.assertEqual(shortest(graph, "a", "b"), (["a", "b"], 0))
        graph.connect("a", "b", 3)
        self.assertEqual(graph.edges, {"a": {"b": 3}, "b": {"a": 3}})


if __name__ == "__main__":
    unittest.main()
