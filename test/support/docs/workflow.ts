// A workflow of the documents, played step by step as GitHub's runner does it, on a machine that has nothing but Node, npm and git.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import { writeProgram, type Sample } from './sample.js'

const STEP = z.union([
  z.strictObject({ run: z.string(), if: z.literal('always()').optional() }),
  z.strictObject({ uses: z.literal('actions/checkout@v4') }),
  z.strictObject({ uses: z.literal('actions/upload-artifact@v4'), if: z.literal('always()').optional(), with: z.strictObject({ path: z.string() }) }),
])
const WORKFLOW = z.strictObject({
  name: z.string(),
  on: z.literal('workflow_dispatch'),
  jobs: z.record(z.string(), z.strictObject({ 'runs-on': z.literal('ubuntu-latest'), env: z.record(z.string(), z.string()), steps: z.array(STEP) })),
})
type Step = z.infer<typeof STEP>

/** `known` has what `${{ … }}` may name. */
export type Runner = { sample: Sample; known: Readonly<Record<string, string>>; env: Readonly<Record<string, string>> }
export type Played = { step: string; code: number | null; printed: string }

/** `code` of a step is null where it was skipped; what was uploaded is there by path. */
export async function play(text: string, runner: Runner): Promise<{ played: Played[]; uploaded: Record<string, string> }> {
  const [job, ...others] = Object.values(WORKFLOW.parse(parse(text)).jobs)
  if (!job || others.length > 0) throw new Error('there is not one job')
  const env = { ...machineOf(runner), ...Object.fromEntries(Object.entries(job.env).map(([name, value]) => [name, filledIn(value, runner.known)])) }
  const uploaded: Record<string, string> = {}
  const played: Played[] = []
  for (const step of job.steps) {
    const hasFailed = played.some(({ code }) => code !== null && code !== 0)
    const isSkipped = hasFailed && !('if' in step)
    const ended = isSkipped ? { code: null, printed: '' } : await playStep(step, { cwd: runner.sample.repo, env, uploaded })
    played.push({ step: 'run' in step ? step.run : step.uses, ...ended })
  }
  return { played, uploaded }
}

function filledIn(value: string, known: Runner['known']): string {
  return value.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, name: string) => {
    if (known[name] === undefined) throw new Error(`nothing is known as ${name}`)
    return known[name]
  })
}

/** Programs are there once they are installed by the name of their package, the agent works with its key alone, and the system is changed in these two ways only. */
function machineOf({ sample: { root, env: { PATH = '', HOME = '', AGENT = '' } }, known, env }: Runner): Record<string, string> {
  const [bin, kept, programs] = [join(root, 'machine/bin'), join(root, 'machine/kept'), join(root, 'bin')]
  mkdirSync(bin, { recursive: true })
  writeProgram(join(kept, 'greenlatch'), `exec '${join(programs, 'greenlatch')}' "$@"`)
  writeProgram(join(kept, 'claude'), `[ "$1" = --version ] || [ "$ANTHROPIC_API_KEY" = '${known['secrets.ANTHROPIC_API_KEY']}' ] || exit 1\nexec '${join(programs, 'claude')}' "$@"`)
  // Whoever works here may have them: until they are installed there, they are not found.
  for (const name of ['greenlatch', 'claude']) writeProgram(join(bin, name), 'exit 127')
  const install = (name: string): string => `ln -sf '${join(kept, name)}' '${bin}' ;;`
  const packages = `case "$package" in greenlatch) ${install('greenlatch')} @anthropic-ai/claude-code) ${install('claude')} *) exit 1 ;; esac`
  writeProgram(join(bin, 'npm'), `if [ "$1 $2" = 'install --global' ]; then shift 2; for package; do ${packages} done; else exec '${join(programs, 'npm')}' "$@"; fi`)
  writeProgram(join(bin, 'sudo'), 'exec "$@"')
  writeProgram(join(bin, 'apt-get'), `[ "$*" = 'install --yes bubblewrap' ]`)
  writeProgram(join(bin, 'sysctl'), `[ "$*" = '-w kernel.apparmor_restrict_unprivileged_userns=0' ]`)
  const system = PATH.split(':').filter((folder) => folder !== programs)
  symlinkSync(process.execPath, join(bin, 'node'))
  return { PATH: [bin, ...system].join(':'), HOME, AGENT, GREENLATCH_SANDBOX: 'none', IS_SANDBOX: '1', LANG: 'C.UTF-8', TMPDIR: root, CI: 'true', ...env }
}

type Job = { cwd: string; env: Record<string, string>; uploaded: Record<string, string> }

async function playStep(step: Step, { cwd, env, uploaded }: Job): Promise<Pick<Played, 'code' | 'printed'>> {
  if ('run' in step) return runStep(step.run, cwd, env)
  if (!('with' in step)) return { code: 0, printed: '' }
  const paths = step.with.path.trim().split('\n').filter((path) => existsSync(join(cwd, path)))
  for (const path of paths) uploaded[path] = readFileSync(join(cwd, path), 'utf8')
  return { code: 0, printed: '' }
}

function runStep(script: string, cwd: string, env: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 255, printed })))
}
