// `node --import …/typescript.mjs` runs TypeScript, also on a Node that cannot do so by itself.
import { register } from 'node:module'

register('./strip-types.mjs', import.meta.url)
