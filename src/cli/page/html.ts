// The page itself: built once, and filled here with the data of a session or with none.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { EXIT, Refusal } from '../../errors.js'
import { plainJson } from '../../serve/plain-json.js'
import type { PageData } from '../../web/data.js'

const PLACE = '%DATA%'

export function pageHtml(data: PageData): string {
  const built = readBuilt()
  const place = built.indexOf(PLACE)
  return `${built.slice(0, place)}${asScriptText(data)}${built.slice(place + PLACE.length)}`
}

/** No text of an agent may end the element it stands in, or carry what would turn lines around. */
function asScriptText(data: PageData): string {
  return plainJson(data).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function readBuilt(): string {
  const found = ['./web/page.html', '../web/page.html', '../../../dist/web/page.html'].map(beside).find((path) => existsSync(path))
  if (found === undefined) throw new Refusal(EXIT.failed, 'the page is missing from the installed package', 'npm install -g greenlatch')
  return readFileSync(found, 'utf8')
}

function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
