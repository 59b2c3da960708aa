// Brings a result into the user's repository as a new branch, and touches nothing else there.
import { EXIT, Refusal } from '../../errors.js'
import { branchObstacle, type Obstacle } from '../../git/branches.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { bringObjects, writeCommit, type CommitRequest } from './accept-commit.js'
import { gitFor, repositoryOf, type Landing } from './accept-room.js'

/** The commit it stands on. A branch of that name which holds this very result already is taken for ours. */
export async function landBranch(landing: Landing, name: string, request: CommitRequest): Promise<string> {
  const obstacle = await branchObstacle(repositoryOf(landing), name)
  if (obstacle?.kind === 'exists' && (await holdsResult(landing, obstacle.commit, request))) return obstacle.commit
  if (obstacle) throw refused(obstacle, name, landing.session)
  const commit = await writeCommit(landing, request)
  await bringObjects(landing, commit, request.parents)
  const reason = `greenlatch accept: ${request.message.split('\n')[0] ?? ''}`
  await gitFor(landing, repositoryOf(landing), ['update-ref', '-m', reason, `refs/heads/${name}`, commit, '0'.repeat(commit.length)])
  return commit
}

async function holdsResult(landing: Landing, commit: string, { tree, parents }: CommitRequest): Promise<boolean> {
  const { text } = await gitFor(landing, repositoryOf(landing), ['log', '-1', '--format=%T %P', commit])
  return text === [tree, ...parents].join(' ')
}

function refused(obstacle: Obstacle, name: string, session: string): Refusal {
  const next = `greenlatch accept ${session} --branch <another name>`
  switch (obstacle.kind) {
    case 'name':
      return new Refusal(EXIT.usage, `--branch: git takes no branch of the name "${name}"`, next)
    case 'exists': {
      const look = `git log -3 ${quoteWord(name)}`
      return new Refusal(EXIT.usage, `there is a branch ${name} already, and it holds something else (${look})`, next)
    }
    case 'blocked':
      return new Refusal(EXIT.usage, `the branch ${obstacle.by} stands in the way of one called ${name}`, next)
  }
}
