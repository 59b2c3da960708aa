// Keeps a session's artifacts in its folder as records come. They are caches: what is missing or differs is made again from the journal.
import { rebuild, type Session } from '../../core/index.js'
import { clearTemporary } from '../../files/durable.js'
import type { Folder, Journal, JournalRecord, Notice, Reporter } from '../../ports.js'
import { ARTIFACT_NAMES, makeArtifacts, type ArtifactName, type Artifacts } from '../../text/artifacts/artifacts.js'
import { NOTHING_TRACKED, trackEvent, type Track } from '../../text/artifacts/track.js'
import { DIAGNOSIS_FILE, keepDiagnosis } from './diagnosis.js'
import { STATUS_FILE, statusAfter, statusAtRest } from './status.js'

type Records = AsyncIterable<JournalRecord> | Iterable<JournalRecord>

/** The artifacts as all records together make them. */
export async function artifactsOf(records: Records): Promise<Artifacts> {
  let session: Session | null = null
  let track = NOTHING_TRACKED
  for await (const { events } of records) {
    session = rebuild(events, session)
    track = events.reduce(trackEvent, track)
  }
  if (!session) throw new Error('a journal without records has no artifacts')
  return makeArtifacts(track, session)
}

/** What a killed process left of them. Call as their one writer. */
export function clearHalfWritten(folder: Pick<Folder, 'resolve'>): void {
  for (const path of [...ARTIFACT_NAMES.map(artifactPath), DIAGNOSIS_FILE, STATUS_FILE]) clearTemporary(folder.resolve(path))
}

/** The same reporter, with artifacts kept beside whatever it does. */
export async function withArtifacts(reporter: Reporter, folder: Folder, journal: Pick<Journal, 'records'>): Promise<Reporter> {
  clearHalfWritten(folder)
  let track = NOTHING_TRACKED
  const diagnosis = keepDiagnosis()
  for await (const { events } of journal.records()) {
    track = events.reduce(trackEvent, track)
    diagnosis.take(events)
  }
  const warn = (text: string, at: number): void => reporter.notice({ kind: 'warning', text, at })
  const [write, writeStatus] = [writerTo(folder, warn), writerTo(folder, warn)]
  return {
    notice(notice) {
      reporter.notice(diagnosis.named(notice))
      if (notice.kind === 'record') {
        track = notice.record.events.reduce(trackEvent, track)
        diagnosis.take(notice.record.events)
      }
      const at = notice.kind === 'record' ? notice.record.at : notice.at
      const status = statusAfter(notice)
      if (status !== null) writeStatus({ [STATUS_FILE]: status }, at)
      const session = sessionToWrite(notice, track)
      if (session) write({ ...filesOf(makeArtifacts(track, session)), ...diagnosis.fileAt(notice) }, at)
    },
  }
}

/** All files anew, of a session that nobody runs and that a person has changed. What cannot be written is made again later. */
export async function renewArtifacts(session: Session, folder: Folder, journal: Pick<Journal, 'records'>, at: number): Promise<void> {
  const reporter = await withArtifacts({ notice: () => {} }, folder, journal)
  reporter.notice({ kind: 'began', session, resumed: true, at })
  writerTo(folder, () => {})({ [STATUS_FILE]: statusAtRest(session, at) }, at)
}

/** After each check, at the end, and when a session is taken up again; what only waits or asks writes nothing. */
function sessionToWrite(notice: Notice, { last }: Track): Session | null {
  switch (notice.kind) {
    case 'began':
      return last === null ? null : notice.session
    case 'record': {
      const { record, before, after } = notice
      const isCheck = before.outstanding?.kind === 'check' && before.outstanding.gates.length > 0
      const isChecked = isCheck && record.events.some(({ type }) => type === 'observed')
      return isChecked || after.finish !== before.finish ? after : null
    }
    case 'activity':
    case 'warning':
    case 'ended':
      return null
  }
}

export function artifactPath(name: ArtifactName): string {
  return `${name}.json`
}

function filesOf(artifacts: Artifacts): Files {
  return Object.fromEntries(ARTIFACT_NAMES.map((name) => [artifactPath(name), `${JSON.stringify(artifacts[name], null, 2)}\n`]))
}

/** Path in the session's folder → text. */
type Files = Record<string, string>

/** Only what changed is written. What cannot be is said once and holds nothing up: the journal is the truth (I1). */
function writerTo(folder: Folder, warn: (text: string, at: number) => void): (files: Files, at: number) => void {
  const written = new Map<string, string | undefined>()
  let isFailing = false
  return (files, at) => {
    try {
      for (const [path, text] of Object.entries(files)) {
        if (!written.has(path)) written.set(path, folder.read(path))
        if (written.get(path) === text) continue
        folder.write(path, text)
        written.set(path, text)
      }
      isFailing = false
    } catch (error) {
      if (!isFailing) warn(`artifacts are out of date: ${error instanceof Error ? error.message : String(error)}`, at)
      isFailing = true
    }
  }
}
