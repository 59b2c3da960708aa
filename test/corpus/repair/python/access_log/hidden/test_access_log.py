import unittest
from datetime import datetime, timedelta, timezone

from access_log import Entry, error_rate, parse_line, parse_log, percentile, slowest, status_classes, top_paths, visits

START = datetime(2023, 12, 31, 23, 30, tzinfo=timezone.utc)


def hit(host, minute, path="/", status=200, millis=1):
    return Entry(host, None, START + timedelta(minutes=minute), "GET", path, status, 0, millis)


class AccessLogHiddenTest(unittest.TestCase):
    def test_other_zones(self):
        parsed = parse_line('h - - [01/Jan/2024:00:30:00 -0530] "POST /x?a?b HTTP/2" 201 0 1')
        self.assertEqual(parsed.time.isoformat(), "2024-01-01T06:00:00+00:00")
        self.assertEqual((parsed.method, parsed.path, parsed.status), ("POST", "/x", 201))

    def test_blanks_around_a_line(self):
        parsed = parse_line('  h - bob [01/Jan/2024:00:30:00 +0000] "GET /y HTTP/2" 200 7 12\n')
        self.assertEqual((parsed.user, parsed.size, parsed.millis), ("bob", 7, 12))

    def test_broken_lines(self):
        good = 'h - - [01/Jan/2024:00:30:00 +0000] "GET /y HTTP/2" 200 - 12'
        self.assertEqual(parse_line(good).size, 0)
        for line in ("", good.replace("200", "20"), good.replace("GET", "get"), good.replace('"', "'"), good + " x"):
            self.assertIsNone(parse_line(line))

    def test_numbers_of_bad_lines(self):
        entries, bad = parse_log("x\n\n\ny\n   \nz")
        self.assertEqual((entries, bad), ([], [1, 4, 6]))
        self.assertEqual(parse_log(""), ([], []))

    def test_classes(self):
        entries = [hit("a", 0, status=status) for status in (301, 200, 302, 199, 599)]
        self.assertEqual(list(status_classes(entries).items()), [("1xx", 1), ("2xx", 1), ("3xx", 2), ("5xx", 1)])
        self.assertEqual(status_classes([]), {})

    def test_errors_are_the_servers(self):
        self.assertEqual(error_rate([hit("a", 0, status=status) for status in (499, 500, 200, 400)]), 0.25)
        self.assertEqual(error_rate([hit("a", 0)]), 0)
        self.assertEqual(error_rate([]), 0)

    def test_equal_paths_by_name(self):
        entries = [hit("a", 0, path) for path in ("/z", "/y", "/x", "/z", "/y", "/w")]
        self.assertEqual(top_paths(entries, 4), [("/y", 2), ("/z", 2), ("/w", 1), ("/x", 1)])
        self.assertEqual(len(top_paths(entries)), 3)

    def test_percentile_by_its_definition(self):
        values = [(n * 37) % 101 for n in range(1, 24)]
        for percent in (1, 10, 25, 33, 50, 66, 90, 99, 100):
            found = percentile(values, percent)
            self.assertIn(found, values)
            self.assertGreaterEqual(sum(1 for v in values if v <= found) * 100, percent * len(values))
            self.assertLess(sum(1 for v in values if v < found) * 100, percent * len(values))

    def test_percentile_leaves_the_values(self):
        values = [3, 1, 2]
        self.assertEqual([percentile(values, p) for p in (1, 34, 67)], [1, 2, 3])
        self.assertEqual(values, [3, 1, 2])

    def test_percentile_limits(self):
        self.assertEqual(percentile([5], 100), 5)
        self.assertEqual(percentile([5], 0.5), 5)
        for percent in (-1, 0, 100.5):
            self.assertRaises(ValueError, percentile, [5], percent)
        self.assertIsNone(percentile([], 100))

    def test_slow_paths(self):
        entries = [hit("a", 0, "/a", millis=m) for m in (1, 1, 1, 9)] + [hit("a", 0, "/b", millis=m) for m in (2, 2)]
        self.assertEqual(slowest(entries, 75), [])
        self.assertEqual(slowest(entries, 50), ["/b"])
        self.assertEqual(slowest(entries, 83), ["/a"])

    def test_a_pause_of_just_that_long(self):
        self.assertEqual(len(visits([hit("a", 0), hit("a", 30)])), 1)
        self.assertEqual(len(visits([hit("a", 0), hit("a", 30.1)])), 2)
        self.assertEqual(len(visits([hit("a", 0), hit("a", 6)], timedelta(minutes=5))), 2)

    def test_pauses_count_from_the_last_page(self):
        found = visits([hit("a", minute) for minute in (0, 25, 50, 75, 110, 115)])
        self.assertEqual([len(visit.pages) for visit in found], [4, 2])
        self.assertEqual(found[0].end, START + timedelta(minutes=75))
        self.assertEqual(found[1].start, START + timedelta(minutes=110))

    def test_hosts_are_apart(self):
        found = visits([hit("b", 0, "/1"), hit("a", 0, "/2"), hit("b", 40, "/3"), hit("a", 10, "/4")])
        self.assertEqual([(v.host, v.pages) for v in found], [("a", ["/2", "/4"]), ("b", ["/1"]), ("b", ["/3"])])
        self.assertEqual(visits([]), [])


if __name__ == "__main__":
    unittest.main()
