// What a snippet is checked by that no shell runs: settings by the loader, programs by the compiler.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { loadScript } from '../../../src/adapters/agents/script.js'
import { GIVEN_NAMES, placeholdersIn } from '../../../src/adapters/profiles/fill.js'
import { REPLY_FORMS } from '../../../src/adapters/profiles/types.js'
import { makePlace, PROJECT } from '../../../src/config/fixture.js'
import { loadPolicy } from '../../../src/config/policy.js'
import { readProfileFile } from '../../../src/config/profile-file.js'
import { resolveProcedure, type ProcedureEntry } from '../../../src/config/resolve.js'
import { builtinProcedures } from '../../../src/procedures/index.js'
import { placeOf, ROOT, type Block } from './blocks.js'

/** A line when it is not taken; null when it is. The word behind the language says what the block is, settings where there is none. */
export async function yamlFault(block: Block): Promise<string | null> {
  const place = makePlace()
  try {
    await takeYaml(block, place)
    return null
  } catch (error) {
    return `${placeOf(block)}: ${String(error)}`
  } finally {
    place.remove()
  }
}

async function takeYaml({ text, words: [kind = 'greenlatch.yaml'] }: Block, place: ReturnType<typeof makePlace>): Promise<void> {
  if (kind === 'script') return void (await loadScript(place.write('script.yaml', text)))
  if (kind === 'policy') return void (await loadPolicy(place.write('policy.yaml', text), place.root))
  if (kind.startsWith('profiles/')) return void (await readProfileFile(place.write(kind, text), { names: GIVEN_NAMES, replies: REPLY_FORMS, placeholdersIn }))
  if (!/(?:^|\/)(?:greenlatch|config)\.yaml$/.test(kind)) throw new Error(`nothing of ours reads YAML of the kind "${kind}"`)
  place.write(PROJECT, text)
  const { values } = await place.load()
  const own = (values.procedures ?? {}) as Record<string, ProcedureEntry>
  for (const name of Object.keys(own)) {
    const { problems } = resolveProcedure(name, { ...(builtinProcedures as unknown as Record<string, ProcedureEntry>), ...own })
    if (problems.length > 0) throw new Error(`procedure ${name}: ${problems.join('; ')}`)
  }
}

/** What fragments of programs leave to the reader. */
const LEFT_OUT = `
declare module 'e2b' { export class Sandbox { static create(options: object): Promise<Sandbox>; commands: { run(command: string, options: object): Promise<{ exitCode: number }> }; kill(): Promise<void> } }
declare function upload(machine: unknown, folder: string): Promise<void>
declare function download(machine: unknown, folder: string): Promise<void>
declare function quoted(argv: readonly string[]): string
declare function result(ending: string, exit: number | null, out: object, began: number): any
declare function startServerThat(behaviour: string, says: string): Promise<{ url: string; close(): Promise<void> }>
declare function myAgent(options: { url: string }): any
`

/** All at once, since the compiler takes its time to begin; the types are those of the built package. */
export function programFaults(blocks: readonly Block[], folder: string): string[] {
  writeFileSync(join(folder, 'left-out.d.ts'), LEFT_OUT)
  const files = blocks.map((block, n) => {
    const path = join(folder, `${n}.${block.lang === 'ts' ? 'mts' : 'mjs'}`)
    writeFileSync(path, `${block.text}\nexport {}\n`)
    return path
  })
  const paths = { greenlatch: [join(ROOT, 'dist/types/index.d.ts')], 'greenlatch/testing': [join(ROOT, 'dist/types/testing/index.d.ts')] }
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true, noImplicitAny: false, allowJs: true, checkJs: true,
    noEmit: true, skipLibCheck: true, types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], paths,
  }
  const program = ts.createProgram([...files, join(folder, 'left-out.d.ts')], options)
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const block = blocks[files.indexOf(file?.fileName ?? '')]
    return `${block ? placeOf(block) : (file?.fileName ?? 'program')}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}
