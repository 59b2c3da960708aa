// A process for one measurement: calls the named function of a module and prints what it returns, with what it took.
import { statusMegabytes } from './measure.mjs'

const [module, name, input] = process.argv.slice(2)
const { [name]: work } = await import(module)
const result = await work(JSON.parse(input))
process.stdout.write(JSON.stringify({ ...result, megabytes: statusMegabytes('self', 'VmHWM') }))
