// Parts of prompts that more than one procedure has.
import type { Part } from '../core/types.js'

export const TASK: Part = { title: 'TASK', rank: 10, fragments: [{ section: 'task' }, { section: 'context' }] }
export const PHILOSOPHY: Part = { title: 'PHILOSOPHY', rank: 5, fragments: [{ section: 'philosophy' }] }
export const GATES: Part = { title: 'CHECKS', rank: 6, fragments: [{ section: 'gates' }] }
export const FAILING: Part = { title: 'FAILING NOW', rank: 8, fragments: [{ section: 'failures' }] }
export const TRIED: Part = { title: 'TRIED BEFORE', rank: 3, fragments: [{ section: 'refuted' }] }
export const DIAGNOSIS: Part = { title: 'DIAGNOSIS', rank: 6, fragments: [{ section: 'diagnosis' }] }
export const FAULT: Part = { title: 'WHAT WAS WRONG WITH YOUR LAST ANSWER', rank: 9, fragments: [{ section: 'fault' }] }
export const ANSWER: Part = { title: 'HOW TO ANSWER', rank: 10, fragments: [{ section: 'form' }] }

export const rules = (title: string, builtin: string): Part => ({ title, rank: 9, fragments: [{ builtin }] })
