// Proves with real repositories what stands in the way of a new branch.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { branchObstacle, type Obstacle } from './branches.js'
import { plainGit, repositoryWith } from './fixture.js'

it.each<[string, (commit: string) => Obstacle | null]>([
  ['greenlatch/new', () => null],
  ['greenlatch/there', (commit) => ({ kind: 'exists', branch: 'greenlatch/there', commit })],
  ['greenlatch', () => ({ kind: 'blocked', by: 'greenlatch/packed' })],
  ['greenlatch/there/below', () => ({ kind: 'blocked', by: 'greenlatch/there' })],
  ['greenlatch/packed', (commit) => ({ kind: 'exists', branch: 'greenlatch/packed', commit })],
  ['greenlatchx', () => null],
  ['two words', () => ({ kind: 'name', name: 'two words' })],
  ['-dash', () => ({ kind: 'name', name: '-dash' })],
  ['@{-1}', () => ({ kind: 'name', name: '@{-1}' })],
  ['a..b', () => ({ kind: 'name', name: 'a..b' })],
  ['', () => ({ kind: 'name', name: '' })],
])('a branch called %j can be made, or what is in the way is named.', async (name, expected) => {
  const root = temporaryFolder()
  const commit = repositoryWith(root, { a: '' })
  plainGit(root, 'branch', 'greenlatch/packed')
  plainGit(root, 'pack-refs', '--all')
  plainGit(root, 'branch', 'greenlatch/there')
  plainGit(root, 'checkout', '-q', '-b', 'other')
  expect(await branchObstacle({ gitDir: join(root, '.git'), config: 'foreign' }, name)).toEqual(expected(commit))
})
