// Loads a profile from a JavaScript or TypeScript module.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { EXIT, Refusal } from '../../errors.js'
import { printable } from '../../files/durable.js'
import type { Profile } from './types.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { isObject } from '../../text/reply/json.js'

export const MODULE_ENDINGS: readonly string[] = ['.js', '.mjs', '.cjs', '.ts', '.mts']

/** The hash is that of the module itself, not of what it imports. Throws Refusal. */
export async function loadModule(path: string): Promise<{ profile: Profile; sha: string }> {
  const sha = hashOf(path)
  if (/\.m?ts$/.test(path)) allowTypeScript(path)
  let loaded: { default?: unknown }
  try {
    loaded = (await import(pathToFileURL(path).href)) as { default?: unknown }
  } catch (error) {
    throw unusable(path, `it cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
  const fault = faultOf(loaded.default)
  if (fault !== null) throw unusable(path, fault)
  return { profile: loaded.default as Profile, sha }
}

export function hashOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch (error) {
    throw unusable(path, `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
}

function unusable(path: string, why: string): Refusal {
  return new Refusal(EXIT.usage, `the profile ${printable(path)} is not usable (its form: docs/profiles.md): ${why}`, `"\${EDITOR:-vi}" ${quoteWord(printable(path))}`)
}

function faultOf(value: unknown): string | null {
  if (!isObject(value)) return 'its default export is no profile'
  const { name, phases, parameters = {} } = value
  if (typeof name !== 'string' || name.trim() === '') return 'it has no name'
  if (!isObject(phases)) return 'it has no phases'
  if (!isObject(parameters)) return 'its parameters are no map'
  const plain = Object.entries(parameters).find(([, parameter]) => !isObject(parameter) || typeof parameter['description'] !== 'string')
  if (plain) return `its parameter "${plain[0]}" has no description`
  const silent = Object.entries(phases).find(([, phase]) => !isObject(phase) || !['string', 'function'].includes(typeof phase['prompt']))
  return silent ? `its phase "${silent[0]}" has no prompt` : null
}

// ───────────────────────────── TypeScript ─────────────────────────────

/** Newer versions of Node take the types away by themselves; for others the compiler of the profile's own project does. */
function allowTypeScript(path: string): void {
  if ((process.features as { typescript?: unknown }).typescript) return
  let compiler: string
  try {
    compiler = pathToFileURL(createRequire(path).resolve('typescript')).href
  } catch {
    throw unusable(path, `Node ${process.version} cannot run TypeScript, and there is no "typescript" beside it; compile it, or use Node 22.18`)
  }
  register(`data:text/javascript,${encodeURIComponent(hooks(compiler))}`)
}

function hooks(compiler: string): string {
  return `
    import { readFileSync } from 'node:fs'
    import { fileURLToPath } from 'node:url'
    export async function load(url, context, next) {
      if (!/^file:.*\\.m?ts$/.test(url)) return next(url, context)
      const { default: ts } = await import(${JSON.stringify(compiler)})
      const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
      const { outputText: source } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), { compilerOptions })
      return { format: 'module', source, shortCircuit: true }
    }
  `
}
