import unittest
from datetime import datetime, timedelta, timezone

from access_log import Entry, error_rate, parse_line, parse_log, percentile, slowest, status_classes, top_paths, visits

LINE = '10.0.0.1 - ann [04/Mar/2024:10:15:30 +0100] "GET /shop/cart?id=7 HTTP/1.1" 200 512 35'


def entry(path="/", status=200, minute=0, host="a", millis=10):
    time = datetime(2024, 3, 4, 10, 0, tzinfo=timezone.utc) + timedelta(minutes=minute)
    return Entry(host, None, time, "GET", path, status, 0, millis)


class ParsingTest(unittest.TestCase):
    def test_fields(self):
        parsed = parse_line(LINE)
        self.assertEqual((parsed.host, parsed.user, parsed.method), ("10.0.0.1", "ann", "GET"))
        self.assertEqual((parsed.status, parsed.size, parsed.millis), (200, 512, 35))

    def test_query_is_left_out(self):
        self.assertEqual(parse_line(LINE).path, "/shop/cart")

    def test_time_is_utc(self):
        self.assertEqual(parse_line(LINE).time, datetime(2024, 3, 4, 9, 15, 30, tzinfo=timezone.utc))
        self.assertEqual(parse_line(LINE).time.hour, 9)

    def test_missing_user_and_size(self):
        parsed = parse_line('::1 - - [04/Mar/2024:10:15:30 +0000] "HEAD / HTTP/1.1" 304 - 2')
        self.assertIsNone(parsed.user)
        self.assertEqual(parsed.size, 0)

    def test_not_a_line(self):
        self.assertIsNone(parse_line("hello"))
        self.assertIsNone(parse_line(LINE.replace(" 35", "")))

    def test_log(self):
        entries, bad = parse_log(f"{LINE}\n\nbroken\n{LINE}\n")
        self.assertEqual(len(entries), 2)
        self.assertEqual(bad, [3])


class CountingTest(unittest.TestCase):
    def test_status_classes(self):
        entries = [entry(status=status) for status in (500, 200, 204, 404)]
        self.assertEqual(status_classes(entries), {"2xx": 2, "4xx": 1, "5xx": 1})
        self.assertEqual(list(status_classes(entries)), ["2xx", "4xx", "5xx"])

    def test_error_rate(self):
        self.assertEqual(error_rate([entry(status=status) for status in (200, 404, 500, 503)]), 0.5)

    def test_error_rate_of_nothing(self):
        self.assertEqual(error_rate([]), 0.0)

    def test_top_paths(self):
        entries = [entry(path) for path in ("/b", "/a", "/c", "/b", "/d", "/c", "/b")]
        self.assertEqual(top_paths(entries, 2), [("/b", 3), ("/c", 2)])
        self.assertEqual(top_paths(entries), [("/b", 3), ("/c", 2), ("/a", 1)])


class PercentileTest(unittest.TestCase):
    def test_values(self):
        self.assertEqual(percentile([30, 10, 20, 40], 50), 20)
        self.assertEqual(percentile([30, 10, 20, 40], 75), 30)
        self.assertEqual(percentile([30, 10, 20, 40], 76), 40)
        self.assertEqual(percentile([30, 10, 20, 40], 100), 40)

    def test_of_nothing(self):
        self.assertIsNone(percentile([], 50))

    def test_no_such_percentile(self):
        self.assertRaises(ValueError, percentile, [1], 0)
        self.assertRaises(ValueError, percentile, [1], 101)

    def test_slowest(self):
        entries = [entry("/fast", millis=5)] * 8 + [entry("/slow", millis=90), entry("/mixed", millis=50)]
        self.assertEqual(slowest(entries, 80), ["/mixed", "/slow"])
        self.assertEqual(slowest(entries, 90), ["/slow"])


class VisitsTest(unittest.TestCase):
    def test_one_visit(self):
        (visit,) = visits([entry("/a", minute=0), entry("/b", minute=20), entry("/c", minute=50)])
        self.assertEqual(visit.pages, ["/a", "/b", "/c"])
        self.assertEqual(visit.end - visit.start, timedelta(minutes=50))

    def test_pause(self):
        found = visits([entry("/a", minute=0), entry("/b", minute=31), entry("/c", minute=40)])
        self.assertEqual([visit.pages for visit in found], [["/a"], ["/b", "/c"]])

    def test_hosts(self):
        found = visits([entry("/a", minute=5, host="x"), entry("/b", minute=6, host="y"), entry("/c", minute=7, host="x")])
        self.assertEqual([(visit.host, visit.pages) for visit in found], [("x", ["/a", "/c"]), ("y", ["/b"])])

    def test_entries_in_any_order(self):
        found = visits([entry("/b", minute=10), entry("/a", minute=0)])
        self.assertEqual(found[0].pages, ["/a", "/b"])


if __name__ == "__main__":
    unittest.main()
