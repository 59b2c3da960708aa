// Everything but the version: runs the command line and leaves with its code.
import { main } from './program.js'

declare const __GREENLATCH_VERSION__: string

process.exitCode = await main(process.argv, __GREENLATCH_VERSION__)
