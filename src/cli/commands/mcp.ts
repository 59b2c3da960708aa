// `mcp`: the loop as tools of the Model Context Protocol, over standard input and output.
import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type * as z from 'zod'
import { EXIT, Refusal } from '../../errors.js'
import { refuseAgents } from '../at-rest.js'
import { workingFolder, type GlobalFlags } from '../context.js'
import { callTool, refused, type Ground } from '../mcp/call.js'
import { TOOLS } from '../mcp/tools.js'
import type { Call } from '../program.js'

const INSTRUCTIONS =
  'Greenlatch works on a task until the checks of this repository prove it done, or stops and says why. ' +
  'start_run returns at once; use wait, then report or diagnosis. A session that waits for a person takes the answer by reply, and goes on by resume. ' +
  'Where an answer holds next, that is the tool to call with these arguments. Taking a result over into the branch is for a person: greenlatch accept.'

export default async function mcp({ flags, version }: Call): Promise<number> {
  refuseAgents('drive sessions')
  const ground = groundOf(flags)
  const server = new McpServer({ name: 'greenlatch', version }, { instructions: INSTRUCTIONS })
  for (const [name, { title, description, kind, input, line }] of Object.entries(TOOLS)) {
    const annotations = { readOnlyHint: kind === 'looks', destructiveHint: false, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema: told(input), annotations }, async (given, { mcpReq }) => {
      const read = input.safeParse(given)
      return read.success ? callTool(line(read.data), ground, mcpReq.signal).catch(refused) : refused(misused(name, read.error))
    })
  }
  await untilClosed(server)
  return EXIT.ok
}

/** Only to be listed: what does not fit it is refused by us, in the form that every refusal has. */
function told(input: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  return { '~standard': { ...input['~standard'], validate: (value) => ({ value }) } }
}

function misused(name: string, { issues }: z.ZodError): Refusal {
  const faults = issues.map(({ path, message }) => [...path.map(String), message].join(': '))
  return new Refusal(EXIT.usage, `${name}: ${faults.join('; ')}`, `call ${name} with what tools/list says that it takes`)
}

function groundOf({ C, config, stateDir }: GlobalFlags): Ground {
  const flags = [...(config === undefined ? [] : [`--config=${config}`]), ...(stateDir === undefined ? [] : [`--state-dir=${stateDir}`])]
  return { cwd: workingFolder(C), flags }
}

/** Whoever started us closes our standard input when they have done. Sessions in the background go on. */
async function untilClosed(server: McpServer): Promise<void> {
  const transport = new StdioServerTransport()
  await new Promise<void>((resolve, reject) => {
    Object.assign(server.server, { onclose: resolve })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void server.close())
    server.connect(transport).catch(reject)
  })
}
