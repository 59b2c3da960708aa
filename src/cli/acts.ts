// What a session's workspace can do besides keeping checkpoints: make itself ready, survey its files, branch and commit.
import { dirname, join, relative } from 'node:path'
import { openFolder } from '../adapters/journal/folder.js'
import { listTree, readBlobs } from '../adapters/workspace/blobs.js'
import { readyAct } from '../adapters/workspace/ready.js'
import type { Site } from '../adapters/workspace/snapshot.js'
import type { Acted, Limits, Workspace } from '../ports.js'
import { handedOn } from '../process/environment.js'
import { counted } from '../text/amounts.js'
import { prepareArgv } from './copies.js'
import { branchActs } from './feature-branch.js'
import { sandboxFor } from './sandbox.js'
import type { Setup } from './setup.js'
import { roomsOf } from './recorded.js'

type Act = Workspace['act']

/** `folder` is the session's. */
export function actsOf(setup: Setup, site: Site, folder: string, limits: Limits): Record<string, Act> {
  return { setup: setupAct(setup, site, folder, limits), survey: surveyAct(setup, site, folder), ...branchActs(setup, site.store, folder) }
}

function setupAct(setup: Setup, site: Site, folder: string, limits: Limits): Act {
  const { place, source } = setup
  const argv = prepareArgv(setup)
  const nothing: Acted = { verdict: 'pass', cause: null, note: 'nothing to set up', files: [] }
  if (argv === null || place.inPlace) return () => Promise.resolve(nothing)
  return readyAct({
    checkout: site.folder,
    cwd: join(site.folder, relative(source.top, setup.root)),
    argv,
    excludes: site.excludes ?? '',
    kept: roomsOf(dirname(folder)).dependencies,
    logOf: (base) => openFolder(folder).resolve(`${base}.log`),
    limits,
    sandbox: sandboxFor(setup, dirname(folder)),
    env: handedOn(process.env, setup.passes ?? []),
  })
}

/** Most tokens a survey may take of a prompt. */
const SURVEY_SHARE = 0.25

function surveyAct({ promptTokens }: Setup, { store }: Site, folder: string): Act {
  return async (session, effect, signal) => {
    const [{ surveyTree }, { readListing }, { renderSurvey }] = await Promise.all([
      import('../adapters/survey/survey.js'),
      import('../adapters/survey/listing.js'),
      import('../text/survey/render.js'),
    ])
    const entries = readListing(await listTree(store, effect.tree))
    const cacheFolder = join(dirname(dirname(folder)), 'survey')
    const { survey, blobsRead } = await surveyTree({ entries, read: (ids) => readBlobs(store, ids), cacheFolder, signal })
    if (signal.aborted) return 'aborted'
    const files = openFolder(folder)
    const written = files.write(`${effect.base}.md`, renderSurvey(survey, Math.floor(promptTokens * SURVEY_SHARE)))
    const note = `${counted(entries.length, 'file')}, ${blobsRead} looked into`
    return { verdict: 'pass', cause: null, note, files: [files.resolve(written.path)], keeps: { survey: written } }
  }
}
