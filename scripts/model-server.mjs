// `node scripts/model-server.mjs --script file.json`: runs the scripted model server by itself until it is told to stop.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const USAGE = 'usage: node scripts/model-server.mjs --script file.json [--port 0] [--log requests.jsonl]'
const bundle = join(dirname(fileURLToPath(import.meta.url)), '../dist/testing.js')

const { script, port, log } = flags()
if (script === undefined) fail(USAGE)
if (!existsSync(bundle)) fail('dist/ is not built; next: npm run build')
const { startModelServer } = await import(pathToFileURL(bundle).href)
const server = await startModelServer({
  script: read(script),
  port: Number(port),
  ...(log === undefined ? {} : { log: (request) => appendFileSync(log, `${JSON.stringify(request)}\n`) }),
}).catch((error) => fail(error.message))
console.log(server.url)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop())

/** The last line of a session: what it has served, to compare with what a client says it has used. */
async function stop() {
  await server.close()
  console.log(JSON.stringify({ requests: server.requests.length, served: server.served }))
}

function flags() {
  try {
    const options = { script: { type: 'string' }, port: { type: 'string', default: '0' }, log: { type: 'string' } }
    return parseArgs({ options }).values
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return fail(`${path}: ${error.message}`)
  }
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
