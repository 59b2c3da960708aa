// What a Python project says about itself: who manages its environment, and which runner its tests are for.
import { named, when, type Folder, type Found, type Part } from './folder.js'

type Manager = 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'pip'

const MARKS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'tox.ini', 'pytest.ini', 'uv.lock', 'poetry.lock']
/** Where one of these is, tests in Python are an aside. */
const OTHERS = ['package.json', 'go.mod', 'Cargo.toml', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'mix.exs', 'Gemfile']
const TEST_FILE = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/
const MANIFEST = /^(pyproject\.toml|setup\.(cfg|py)|tox\.ini|requirements[\w.-]*\.txt|Pipfile)$/
const VENV = '.venv/bin/python'

export function pythonPart(folder: Folder): Part | null {
  const { has, text, texts, files } = folder
  const isMarked = MARKS.some((path) => has(path))
  // Without a manifest only what lies openly here counts: further down it may belong to a project of its own.
  const tests = files.filter((path) => TEST_FILE.test(path) && (isMarked || /^(tests?\/)?[^/]+$/.test(path)))
  if (!isMarked && (tests.length === 0 || OTHERS.some((path) => has(path)))) return null
  const manager = managerOf(folder)
  const said = texts(MANIFEST).map((path) => text(path)).join('\n')
  const tool = (words: string, from: string): Found => ({ run: commandFor(folder, manager, words), from })
  return named({
    language: 'Python',
    manager,
    test: testsOf(folder, manager, tests),
    lint: [
      ...when(has('ruff.toml') || has('.ruff.toml') || /\bruff\b/.test(said), tool('ruff check .', 'ruff')),
      ...when(has('.flake8') || /\bflake8\b/.test(said), tool('flake8', 'flake8')),
    ],
    types: [
      ...when(has('mypy.ini') || /\bmypy\b/.test(said), tool('mypy .', 'mypy')),
      ...when(has('pyrightconfig.json') || /\bpyright\b/.test(said), tool('pyright', 'pyright')),
    ],
  })
}

function managerOf({ has, text }: Folder): Manager {
  const project = text('pyproject.toml')
  if (has('uv.lock') || /^\[tool\.uv[\].]/m.test(project)) return 'uv'
  if (has('poetry.lock') || /^\[tool\.poetry[\].]/m.test(project)) return 'poetry'
  if (has('pdm.lock') || /^\[tool\.pdm[\].]/m.test(project)) return 'pdm'
  return has('Pipfile') ? 'pipenv' : 'pip'
}

function testsOf(folder: Folder, manager: Manager, tests: readonly string[]): Found[] {
  const evidence = pytestIn(folder, tests)
  if (evidence !== null) return [{ run: commandFor(folder, manager, 'pytest'), from: evidence }]
  return when(tests.length > 0, { run: commandFor(folder, manager, unittestWords(tests, folder)), from: 'files of tests' })
}

/** What shows that tests are written for pytest; null where nothing does. */
function pytestIn({ has, text, texts }: Folder, tests: readonly string[]): string | null {
  const file = ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'].find((path) => has(path))
  const manifest = texts(MANIFEST).find((path) => /\bpytest\b|^\[tool:pytest\]/m.test(text(path)))
  const test = tests.find((path) => /^\s*(import pytest|from pytest)\b|^(async )?def test_/m.test(text(path)))
  return file ?? manifest ?? test ?? null
}

/** Without a package around them, tests are only found in the folder that is named. */
function unittestWords(tests: readonly string[], { has }: Folder): string {
  const folder = ['tests', 'test'].find((name) => tests.some((path) => path.startsWith(`${name}/`)))
  return folder === undefined || has(`${folder}/__init__.py`) ? 'unittest' : `unittest discover -s ${folder}`
}

/** With `python -m` the project's own folder can be imported from, as its tests expect. */
function commandFor({ has }: Folder, manager: Manager, words: string): string {
  const isModule = /^(pytest|unittest)\b/.test(words)
  if (manager === 'pip') return isModule ? `${has(VENV) ? VENV : 'python3'} -m ${words}` : has(VENV) ? `.venv/bin/${words}` : words
  return `${manager} run ${words.startsWith('unittest') ? 'python -m ' : ''}${words}`
}
