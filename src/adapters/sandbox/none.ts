// No sandbox: processes are started as they are, with the rights of the user.
import type { Confined, Sandbox } from '../../ports.js'
import { runProcess } from '../../process/run.js'

/** Starts processes as they are, with all the rights of the user. */
export function noSandbox(): Sandbox {
  return {
    name: 'none',
    confines: false,
    describe: 'none: what runs has all your rights',
    run({ reach: _reach, onDenied: _onDenied, ...request }: Confined) {
      return runProcess(request)
    },
    async close() {},
  }
}
