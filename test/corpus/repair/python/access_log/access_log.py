"""Access logs of a web server: reading lines, counting, percentiles and visits."""

import re
from collections import Counter, namedtuple
from datetime import datetime, timedelta, timezone

LINE = re.compile(
    r'^(?P<host>\S+) \S+ (?P<user>\S+) \[(?P<time>[^\]]+)\] '
    r'"(?P<method>[A-Z]+) (?P<path>\S+)[^"]*" (?P<status>\d{3}) (?P<size>\d+|-) (?P<millis>\d+)$'
)
TIME_FORMAT = "%d/%b/%Y:%H:%M:%S %z"

Entry = namedtuple("Entry", "host user time method path status size millis")
Visit = namedtuple("Visit", "host start end pages")


def parse_line(line):
    """An entry, or None when the line is not one."""
    match = LINE.match(line.strip())
    if match is None:
        return None
    fields = match.groupdict()
    return Entry(
        host=fields["host"],
        user=None if fields["user"] == "-" else fields["user"],
        time=datetime.strptime(fields["time"], TIME_FORMAT).astimezone(timezone.utc),
        method=fields["method"],
        path=fields["path"].split("?")[0],
        status=int(fields["status"]),
        size=0 if fields["size"] == "-" else int(fields["size"]),
        millis=int(fields["millis"]),
    )


def parse_log(text):
    """All entries, and the numbers of the lines that could not be read."""
    entries, bad = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        entry = parse_line(line)
        if entry is None:
            bad.append(number)
        else:
            entries.append(entry)
    return entries, bad


def status_classes(entries):
    """How many answers there were of each class, such as 2xx."""
    counts = Counter(f"{entry.status // 100}xx" for entry in entries)
    return dict(sorted(counts.items()))


def error_rate(entries):
    """The share of answers that are the server's own errors."""
    if not entries:
        return 0.0
    return sum(1 for entry in entries if entry.status >= 500) / len(entries)


def top_paths(entries, count=3):
    """The paths asked for most, with how often; equal ones by name."""
    counts = Counter(entry.path for entry in entries)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:count]


def percentile(values, percent):
    """The smallest value that at least so many percent of the values do not exceed."""
    if not 0 < percent <= 100:
        raise ValueError(f"no such percentile: {percent}")
    if not values:
        return None
    ordered = sorted(values)
    rank = -(-len(ordered) * percent // 100)
    return ordered[int(rank) - 1]


def slowest(entries, percent=95):
    """Paths whose percentile of the time is above that of the whole log."""
    limit = percentile([entry.millis for entry in entries], percent)
    by_path = {}
    for entry in entries:
        by_path.setdefault(entry.path, []).append(entry.millis)
    return sorted(path for path, times in by_path.items() if percentile(times, percent) > limit)


def visits(entries, pause=timedelta(minutes=30)):
    """Entries of one host without a pause in between are a visit; visits come in the order in which they start."""
    found, current = [], {}
    for entry in sorted(entries, key=lambda entry: entry.time):
        visit = current.get(entry.host)
        if visit is not None and entry.time - visit.end <= pause:
            current[entry.host] = visit._replace(end=entry.time, pages=visit.pages + [entry.path])
        else:
            if visit is not None:
                found.append(visit)
            current[entry.host] = Visit(entry.host, entry.time, entry.time, [entry.path])
    return sorted(found + list(current.values()), key=lambda visit: (visit.start, visit.host))
