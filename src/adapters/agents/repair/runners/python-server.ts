// The warm Python process: loads the runner once and forks for every candidate. Text of a program, laid down beside the copies.

export const PYTHON_SERVER = String.raw`import builtins
import gc
import importlib
import json
import os
import select
import signal
import sys
import time

MARK, RUNNER, ARGS = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
# Tests run in ROOT; sources are named from TOP, where the whole copy begins.
ROOT, TOP = os.path.realpath(os.getcwd()), os.path.realpath(sys.argv[4])
SKIPPED = tuple(os.path.join(folder, name) + os.sep for folder in (ROOT, TOP) for name in ('node_modules', '.venv', 'venv', '.tox', 'env'))
sys.dont_write_bytecode = True
sys.argv = [RUNNER]
if sys.path and os.path.realpath(sys.path[0] or '.') == os.path.dirname(os.path.realpath(__file__)):
    sys.path.pop(0)
if RUNNER == 'unittest' or json.loads(os.environ.pop('GREENLATCH_MODULE', 'false')):
    sys.path.insert(0, ROOT)
import unittest
if RUNNER == 'pytest':
    import pytest
    import _pytest.assertion.rewrite

FIRST_CPU, FIRST_WALL = 3, 120
LONG_CPU, LONG_WALL = 120, 600

lane = os.fdopen(os.dup(1), 'w', encoding='utf-8')
quiet = os.open(os.devnull, os.O_RDWR)
os.dup2(2, 1)


MOST_LINES = 400_000


def is_own(path):
    return path.startswith(TOP + os.sep) and not path.startswith(SKIPPED)


class Traced:
    """Which lines of the project each test goes through. Where a run did not end, tests that go through too many are ended."""

    def __init__(self, bounded):
        self.lines = None
        self.kept = {}
        self.steps = 0
        self.most = MOST_LINES if bounded else None

    def enter(self, frame, event, _argument):
        name = frame.f_code.co_filename
        if name not in self.kept:
            path = os.path.realpath(name)
            self.kept[name] = not name.startswith('<') and is_own(path) and os.path.relpath(path, TOP)
        path = self.kept[name]
        if not path or self.lines is None:
            return None
        lines = self.lines.setdefault(path, set())
        if frame.f_code.co_name != '<module>':
            lines.add(frame.f_lineno)

        def step(inner, what, _value):
            if what == 'line':
                lines.add(inner.f_lineno)
                self.steps += 1
                if self.most and self.steps > self.most:
                    self.steps = 0
                    raise RuntimeError('did not end')
            return step
        return step

    def taken(self):
        lines, self.lines, self.steps = self.lines or {}, {}, 0
        return {path: sorted(numbers) for path, numbers in lines.items() if numbers}


DIFFERS, THROWS, ODD = 1, 2, 4
TRUTH, LOOKS = 1, 2
MOST_LOOKS = 300
MOST_VALUES = 8
LONGEST_VALUE = 80


class Asked:
    """What other values would have changed in each test."""

    def __init__(self):
        self.seen, self.gave, self.looks, self.asking = {}, {}, {}, False

    def taken(self):
        taken = self.seen, self.gave
        self.seen, self.gave, self.looks = {}, {}, {}
        return taken

    def __call__(self, first, by, own, others):
        kept = {}

        def keep(at, value):
            kept[at] = value
            return value

        def again(at):
            if at not in kept or hasattr(kept[at], '__next__'):
                raise Unknown()
            return kept[at]
        if self.asking:
            return own(keep)
        made = outcome(own, keep)
        if hasattr(made[1], '__next__'):
            # What is used up by looking at it is left alone.
            for at in range(len(others)):
                self.seen[first + at] = DIFFERS
            return made[1]
        count = self.looks[first] = self.looks.get(first, 0) + 1
        self.asking = True
        for at, other in enumerate(others):
            bits = self.seen.get(first + at, 0)
            if count > MOST_LOOKS:
                # What is asked too often is not known to be the same.
                self.seen[first + at] = bits | DIFFERS
            elif count <= MOST_VALUES or not bits & DIFFERS:
                told = outcome(other, again, True)
                self.seen[first + at] = bits | compared(made, told, by)
                if count <= MOST_VALUES:
                    note(self.gave, first + at, told)
        self.asking = False
        if made[0]:
            raise made[1]
        return made[1]


def note(gave, number, told):
    """As a failure would print it."""
    thrown, value = told
    if thrown or isinstance(value, bool) or not isinstance(value, (int, float, str, list, tuple, dict, set)):
        return
    if not isinstance(value, (int, float)) and len(value) > LONGEST_VALUE:
        return
    try:
        text = repr(value)
    except Exception:
        return
    known = gave.setdefault(number, [])
    if len(text) <= LONGEST_VALUE and text not in known:
        known.append(text)


class Unknown(Exception):
    """What was never called gave nothing to tell again, and what is used up by looking at it is left alone."""


def uses_up(make):
    try:
        return any(hasattr(cell.cell_contents, '__next__') for cell in make.__closure__ or ())
    except ValueError:
        return False


def outcome(make, given, others=False):
    try:
        if others and uses_up(make):
            raise Unknown()
        return False, make(given)
    except Exception as error:
        return True, error


def compared(own, other, by):
    if isinstance(other[1], Unknown):
        return DIFFERS
    if own[0] or other[0]:
        return 0 if own[0] and other[0] else DIFFERS | (THROWS if other[0] else 0)
    try:
        if by == TRUTH:
            return 0 if bool(own[1]) == bool(other[1]) else DIFFERS
        is_plain = isinstance(own[1], (int, float, str, bytes, tuple, frozenset))
        if own[1] is other[1] or ((by == LOOKS or is_plain) and own[1] == other[1] and type(own[1]) is type(other[1])):
            return 0
    except Exception:
        return DIFFERS
    number = (int, float)
    alike = type(own[1]) is type(other[1]) or own[1] is None or (isinstance(own[1], number) and isinstance(other[1], number))
    return DIFFERS | (0 if alike else ODD)


class Notes:
    """What became of each test."""

    def __init__(self, wanted, traced, asked):
        self.wanted = wanted
        self.traced = traced
        self.asked = asked
        self.tests = {}
        self.loaded = {}

    def begin(self):
        if self.asked:
            self.asked.taken()
        if self.traced:
            # Python stops tracing when a tracer raises.
            sys.settrace(self.traced.enter)
            lines = self.traced.taken()
            for path, numbers in lines.items():
                self.loaded.setdefault(path, []).extend(numbers)

    def end(self, id, passed, message):
        known = self.tests.get(id)
        lines = self.traced.taken() if self.traced else {}
        if known:
            known['passed'] = known['passed'] and passed
            known['message'] = known['message'] or message
            for path, numbers in lines.items():
                known['lines'][path] = sorted(set(known['lines'].get(path, [])) | set(numbers))
        else:
            self.tests[id] = {'id': id, 'passed': passed, 'message': message[-4000:], 'lines': lines}
        if self.asked:
            seen, gave = self.asked.taken()
            own = self.tests[id]
            own['gave'] = {} if own['passed'] else {**own.get('gave', {}), **gave}
            own['seen'] = {**own.get('seen', {}), **{number: bits | own.get('seen', {}).get(number, 0) for number, bits in seen.items()}}

    def answer(self):
        return {'tests': list(self.tests.values()), 'loaded': self.loaded}


class Plugin:
    def __init__(self, notes):
        self.notes = notes
        self.files = set()

    def pytest_configure(self, config):
        # Pytest names tests from where its settings lie, which may be above.
        files = {id.split('::')[0] for id in self.notes.wanted or ()}
        self.files = {os.path.realpath(os.path.join(str(config.rootpath), file)) for file in files}

    def pytest_ignore_collect(self, collection_path, config):
        is_source = collection_path.is_file() and collection_path.suffix == '.py'
        if self.files and is_source and os.path.realpath(collection_path) not in self.files:
            return True

    def pytest_collection_modifyitems(self, config, items):
        wanted = self.notes.wanted
        if wanted:
            items[:] = [item for item in items if item.nodeid in wanted]

    def pytest_collectreport(self, report):
        if report.failed:
            self.notes.end(report.nodeid, False, str(report.longrepr))

    def pytest_runtest_logstart(self, nodeid, location):
        self.notes.begin()

    def pytest_runtest_logreport(self, report):
        if report.when == 'call' or report.failed:
            passed = report.passed or report.skipped
            self.notes.end(report.nodeid, passed, '' if passed else str(report.longrepr))


def by_pytest(notes):
    quiet_flags = ['-p', 'no:cacheprovider', '-p', 'no:xdist', '-W', 'ignore::pytest.PytestAssertRewriteWarning']
    pytest.main([*ARGS, *quiet_flags], plugins=[Plugin(notes)])


class Result(unittest.TestResult):
    def __init__(self, notes):
        super().__init__()
        self.notes = notes
        self.ill = ''

    def startTest(self, test):
        super().startTest(test)
        self.ill = ''
        self.notes.begin()

    def stopTest(self, test):
        super().stopTest(test)
        self.notes.end(test.id(), not self.ill, self.ill)

    def addError(self, test, err):
        super().addError(test, err)
        self.ill = self._exc_info_to_string(err, test)
        if not isinstance(test, unittest.TestCase):
            self.notes.end(str(test), False, self.ill)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.ill = self._exc_info_to_string(err, test)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.ill = self._exc_info_to_string(err, test)


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def by_unittest(notes):
    class Runner:
        def __init__(self, **named):
            pass

        def run(self, suite):
            result = Result(notes)
            if notes.wanted:
                suite = unittest.TestSuite(test for test in flat(suite) if test.id() in notes.wanted or 'FailedTest' in test.id())
            suite.run(result)
            return result

    unittest.main(module=None, argv=['unittest', *ARGS], testRunner=Runner, exit=False)


def run_tests(wanted, trace):
    traced = Traced(trace == 'bounded') if trace in ('all', 'bounded') else None
    builtins.__greenlatch_what_if__ = asked = Asked() if trace == 'what if' else None
    if asked:
        # Each question puts two calls more between a function and the next.
        sys.setrecursionlimit(sys.getrecursionlimit() * 3)
    notes = Notes(set(wanted) if wanted else None, traced, asked)
    if traced:
        traced.lines = {}
        sys.settrace(traced.enter)
        import threading
        threading.settrace(traced.enter)
    try:
        (by_pytest if RUNNER == 'pytest' else by_unittest)(notes)
    except SystemExit:
        pass
    finally:
        sys.settrace(None)
    return {**notes.answer(), 'modules': foreign_modules() if wanted is None else []}


def foreign_modules():
    """What was loaded that does not belong to the project, in the order it was."""
    names = []
    for name, module in list(sys.modules.items()):
        path = getattr(module, '__file__', None)
        if name != '__main__' and path and not is_own(os.path.realpath(path)):
            names.append(name)
    return names


def preload(names):
    """Once here, instead of anew in each child."""
    for name in names:
        if name not in sys.modules:
            try:
                importlib.import_module(name)
            except BaseException:
                pass
    gc.collect()
    gc.freeze()


def in_child(wanted, trace, cpu, wall):
    """Bounded by the processor time of the child; the wall clock is only for one that waits for ever."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            os.setpgid(0, 0)
            for stream in (0, 1, 2):
                os.dup2(quiet, stream)
            signal.setitimer(signal.ITIMER_PROF, cpu)
            text = json.dumps(run_tests(wanted, trace)).encode()
            signal.setitimer(signal.ITIMER_PROF, 0)
            with os.fdopen(writing, 'wb') as pipe:
                pipe.write(text)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    text = read_all(reading, wall)
    os.close(reading)
    for ending in (lambda: os.killpg(child, signal.SIGKILL), lambda: os.kill(child, signal.SIGKILL)):
        try:
            ending()
        except OSError:
            pass
    _, _, used = os.wait4(child, 0)
    try:
        answer = json.loads(text)
    except ValueError:
        return None, used.ru_utime + used.ru_stime
    return answer, used.ru_utime + used.ru_stime


def read_all(reading, wall):
    pieces, until = [], time.monotonic() + wall
    while True:
        ready, _, _ = select.select([reading], [], [], max(0, until - time.monotonic()))
        if not ready:
            return b''
        piece = os.read(reading, 1 << 16)
        if not piece:
            return b''.join(pieces)
        pieces.append(piece)


def with_text(path, text, work):
    with open(path, 'rb') as file:
        before = file.read()
    try:
        with open(path, 'wb') as file:
            file.write(text.encode('utf-8', 'surrogatepass'))
        return work()
    finally:
        with open(path, 'wb') as file:
            file.write(before)


def with_texts(texts, work):
    if not texts:
        return work()
    path = os.path.join(TOP, texts[0]['path'])
    return with_text(path, texts[0]['text'], lambda: with_texts(texts[1:], work))


def what_if(limits):
    answer, _ = in_child(None, 'what if', *limits)
    return answer and [{'id': test['id'], 'passed': test['passed'], 'seen': test.get('seen', {}), 'gave': test.get('gave', {})} for test in answer['tests']]


def attempt(job):
    targets, passing = job['targets'], set(job['passing'])
    answer, _ = in_child(targets, None, *job['limits'])
    if answer is None:
        return {'fixed': [], 'broken': [], 'note': 'did not end'}
    fixed = [test['id'] for test in answer['tests'] if test['passed'] and test['id'] in targets]
    if not fixed:
        return {'fixed': [], 'broken': [], 'note': ''}
    answer, _ = in_child(None, None, *job['limits'])
    if answer is None:
        return {'fixed': fixed, 'broken': ['all'], 'note': 'did not end'}
    now = {test['id'] for test in answer['tests'] if test['passed']}
    return {'fixed': [id for id in targets if id in now], 'broken': sorted(passing - now)[:20], 'note': ''}


def main():
    for line in sys.stdin:
        job = json.loads(line)
        if job['kind'] == 'first':
            plain, used = in_child(None, None, FIRST_CPU, FIRST_WALL)
            preload(plain['modules'] if plain else [])
            traced, _ = in_child(None, 'all' if plain else 'bounded', LONG_CPU, LONG_WALL)
            answer = {'run': traced, 'cpu': used if plain else 0.3, 'hangs': False, 'bounded': plain is None}
        elif job['kind'] == 'what if':
            answer = with_texts(job['texts'], lambda: what_if(job['limits']))
        elif job['kind'] == 'preload':
            preload(job['modules'])
            answer = {}
        else:
            answer = with_text(os.path.join(TOP, job['path']), job['text'], lambda: attempt(job))
        lane.write('\n' + MARK + json.dumps(answer) + '\n')
        lane.flush()


main()
`
