// The parts of the benchmark, in the order of the document.
import * as behaviour from './behaviour.mjs'
import * as checkpoint from './checkpoint.mjs'
import * as growth from './growth.mjs'
import * as loop from './loop.mjs'
import * as parallel from './parallel.mjs'
import * as peers from './peers.mjs'
import * as readers from './readers.mjs'
import * as replay from './replay.mjs'
import * as sandbox from './sandbox.mjs'
import * as seal from './seal.mjs'
import * as start from './start.mjs'
import * as survey from './survey.mjs'

export const SECTIONS = { loop, peers, start, checkpoint, readers, seal, survey, replay, growth, parallel, sandbox, behaviour }
