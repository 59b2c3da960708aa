"""Walks through weighted graphs: reach, shortest ways, components."""

import heapq
from collections import deque


class Graph:
    def __init__(self, directed=False):
        self.directed = directed
        self.edges = {}

    def add_node(self, node):
        self.edges.setdefault(node, {})

    def connect(self, start, end, weight=1):
        if weight < 0:
            raise ValueError("weights must not be negative")
        self.add_node(start)
        self.add_node(end)
        self.edges[start][end] = weight
        if not self.directed:
            self.edges[end][start] = weight

    def neighbours(self, node):
        return sorted(self.edges[node])


def breadth_first(graph, start):
    """Nodes in the order of their distance in steps."""
    seen = {start}
    queue = deque([start])
    order = []
    while queue:
        node = queue.popleft()
        order.append(node)
        for neighbour in graph.neighbours(node):
            if neighbour not in seen:
                seen.add(neighbour)
                queue.append(neighbour)
    return order


def depth_first(graph, node, seen=None):
    if seen is None:
        seen = set()
    if node in seen:
        return []
    seen.add(node)
    order = [node]
    for neighbour in graph.neighbours(node):
        order.extend(depth_first(graph, neighbour, seen))
    return order


def shortest(graph, start, goal):
    """The cheapest way and its cost, or None."""
    heap = [(0, start, [start])]
    done = set()
    while heap:
        cost, node, path = heapq.heappop(heap)
        if node == goal:
            return path, cost
        if node in done:
            continue
        done.add(node)
        for neighbour, weight in graph.edges[node].items():
            if neighbour not in done:
                heapq.heappush(heap, (cost + weight, neighbour, path + [neighbour]))
    return None


def components(graph):
    """Groups of nodes that reach each other, the largest first."""
    left = set(graph.edges)
    groups = []
    while left:
        group = breadth_first(graph, min(left))
        left -= set(group)
        groups.append(sorted(group))
    return sorted(groups, key=lambda group: (-len(group), group))


def has_path(graph, start, goal):
    return goal in breadth_first(graph, start)


def degree_counts(graph):
    counts = {}
    for node in graph.edges:
        degree = len(graph.edges[node])
        counts[degree] = counts.get(degree, 0) + 1
    return counts
