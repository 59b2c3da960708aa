// The links of a page in all the ways that Markdown writes them, and which of them lead nowhere.
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { pageText, ROOT } from './blocks.js'

/** `](<to here> "title")`, an image or a reference's own line, with or without a title. */
const INLINE = /\]\(\s*(?:<([^>\n]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/g
const DEFINED = /^ {0,3}\[([^\]\n]+)\]:\s*(?:<([^>\n]*)>|(\S+))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*$/gm
const IN_HTML = /<[a-z][^>]*?\s(?:href|src|srcset|poster)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
/** `[text][name]` and `[name][]`; what stands in brackets alone is a link only where it is defined. */
const BY_NAME = /\[([^\][\n]+)\]\[([^\][\n]*)\]/g

export function brokenLinks(page: string): string[] {
  const text = proseOf(pageText(page))
  const definitions = new Map(Array.from(text.matchAll(DEFINED), ([, name = '', angled, bare]) => [nameOf(name), angled ?? bare ?? '']))
  const names = Array.from(text.matchAll(BY_NAME), ([, shown = '', name = '']) => name || shown)
  const undefinedNames = names.filter((name) => !definitions.has(nameOf(name)))
  const inline = Array.from(text.matchAll(INLINE), ([, angled, bare]) => angled ?? bare ?? '')
  const inHtml = Array.from(text.matchAll(IN_HTML), ([, double, single, bare]) => double ?? single ?? bare ?? '')
  return [...undefinedNames.map((name) => `[${name}] is defined nowhere`), ...[...inline, ...inHtml, ...definitions.values()].filter((link) => !leadsSomewhere(page, link))]
}

/** Without what is shown as it stands: fenced blocks, and code within a line. */
function proseOf(text: string): string {
  return text.replaceAll(/^ {0,3}(`{3,}|~{3,})[^]*?^ {0,3}\1[`~]*\s*$/gm, '').replaceAll(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
}

function nameOf(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, ' ')
}

function leadsSomewhere(page: string, link: string): boolean {
  if (/^(https?|mailto):/.test(link)) return true
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), decodeURI(path)))
  return link !== '' && existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(pageText(target)).has(anchor))
}

/** As the web pages of the repository make them of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = Array.from(text.replaceAll(/^(`{3,}).*?^\1/gms, '').matchAll(/^#+ (.*)$/gm), ([, heading = '']) => heading)
  return new Set(headings.map((heading) => heading.toLowerCase().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')))
}
