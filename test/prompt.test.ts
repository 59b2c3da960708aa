// What is asked of an agent: the prompt's parts, its budget, the dry run that shows it, and the words that end a session.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, hashesOf, linesOf, makePlace, type Place } from './support/cli.js'

const KEEPS_PROMPT = 'cat > "$ROOT/prompt-$GREENLATCH_ITERATION"'

function promptOf(dryRun: string): string {
  return dryRun.slice(dryRun.indexOf('\n\n') + 2)
}

function partsOf(prompt: string): string[] {
  return [...prompt.matchAll(/^## (.*)$/gm)].map((found) => found[1] ?? '')
}

describe('a dry run', () => {
  it('RO-12 RO-23 prints header, command, tokens against budget and the whole prompt, as in example 4.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'procedures: { build: { extends: ooda } }\n')
    const agent = place.program('agent', 'exit 9')
    const shown = await place.run(['run', 'build', 'tidy the parser', '--dry-run', '--ai-cmd', `${agent} --quiet "two words"`])
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(place.starts('agent')).toEqual([])
    const head = shown.stdout.split('\n\n')[0]?.split('\n') ?? []
    expect(head).toContain('[DRY RUN] Procedure: build')
    expect(head).toContain(`[DRY RUN] Would execute with: ${agent} --quiet 'two words' (from --ai-cmd)`)
    expect(head.at(-1)).toMatch(/^\[DRY RUN\] Token count: \d{3} \/ 100,000 budget$/)
    const prompt = promptOf(shown.stdout)
    expect(prompt).toMatch(/^# OODA Loop Iteration\n\n## OBSERVE\n\n/)
    expect(partsOf(prompt)).toEqual(['OBSERVE', 'ORIENT', 'DECIDE', 'ACT'])
    expect(prompt).toContain('### Task\n\ntidy the parser\n')
  })

  it('RO-12 runs nothing and writes nothing, not even when a session is there to be resumed.', async () => {
    const place = makePlace()
    const [agent, gate] = [place.program('agent', 'exit 1'), place.program('gate', 'exit 1')]
    const files = hashesOf(place.root)
    for (const procedure of ['ooda', 'converge']) {
      const shown = await place.run(['run', procedure, '--dry-run', '--ai-cmd', agent, '--gate', gate, '--max-iterations', '2'])
      expect(shown.code).toBe(0)
      expect(hashesOf(place.root)).toEqual(files)
    }
    const interrupted = await place.run(['open', 'ooda', '--ai-cmd', agent])
    expect(interrupted.code).toBe(0)
    const after = hashesOf(place.root)
    expect(await place.run(['run', 'ooda', '--dry-run', '--ai-cmd', agent])).toMatchObject({ code: 0 })
    expect(hashesOf(place.root)).toEqual(after)
  })

  it('RO-12 names what a section would need to have run first.', async () => {
    const place = makePlace()
    const shown = await place.run(['run', 'make it work', '--dry-run', '--agent', 'paste', '--gate', 'false'])
    expect(shown.stdout).toContain('## FAILING NOW\n\n[not run: baseline]\n')
    const plain = await place.run(['run', 'ooda', '--dry-run', '--agent', 'paste', '--gate', 'false'])
    expect(plain.stdout).not.toContain('[not run')
  })

  it('names the rungs of the ladder that are left out because nobody fills their role, and what may be changed.', async () => {
    const place = makePlace()
    const rungs = '[{ at: 2, roles: { implementer: expert } }, { at: 5, to: "@stalled" }]'
    place.write('greenlatch.yaml', `procedures: { converge: { policies: { ladder: { rungs: ${rungs} } } } }\nscope: { deny: [secret] }\n`)
    const scope = ['--allow', 'src', '--diff-budget', '20/']
    const args = ['run', 'make it work', '--dry-run', '--gate', 'false', '--agent', 'implementer=paste', ...scope]
    const { stdout } = await place.run(args)
    expect(stdout).toContain('[DRY RUN] WARNING: rung 1 (no better ×2: expert answers for implementer) is left out: nobody answers as expert\n')
    expect(stdout).toContain('[DRY RUN] Scope: src; but never secret; at most 20 files\n')
    const filled = await place.run([...args, '--agent', 'expert=paste'])
    expect(filled.stdout).not.toContain('left out: nobody')
  })

  it('RO-12 shows, as text and as JSON, the very prompt that a run then sends.', async () => {
    const place = makePlace()
    place.write('notes.md', 'Mind the gap.\n')
    const agent = place.program('agent', KEEPS_PROMPT)
    const args = ['run', 'ooda', 'tidy up', '--context', 'notes.md', '--act', 'Be brief.', '--max-iterations', '1', '--ai-cmd', agent]
    const text = await place.run([...args, '--dry-run'])
    const json = JSON.parse((await place.run([...args, '--dry-run', '--json'])).stdout) as Record<string, unknown>
    await place.run(args)
    expect(place.read('prompt-1')).toContain('Mind the gap.')
    expect(promptOf(text.stdout)).toBe(place.read('prompt-1'))
    expect(json).toMatchObject({ dry_run: true, procedure: 'ooda', command: agent, token_budget: 100_000, prompt: place.read('prompt-1') })
  })
})

describe('the token budget', () => {
  it('RO-13 is only warned about: the prompt is sent whole and the run goes on.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'promptTokens: 60\n')
    const long = `${'word '.repeat(2000)}the very end`
    const args = ['run', 'ooda', '--context', long, '--max-iterations', '2', '--ai-cmd', place.program('agent', KEEPS_PROMPT)]
    const ended = await place.run(args)
    expect(ended.code).toBe(0)
    const warnings = linesOf(ended.stderr).filter((line) => line.startsWith('WARNING'))
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toMatch(/^WARNING: the prompt is over its budget: [\d,]{5,} of 60 tokens$/)
    expect(place.read('prompt-2')).toContain(long)
    expect(partsOf(place.read('prompt-2'))).toEqual(['OBSERVE', 'ORIENT', 'DECIDE', 'ACT'])
    const shown = await place.run([...args, '--dry-run'])
    expect(shown.stdout).toMatch(/^\[DRY RUN\] Token count: [\d,]{5,} \/ 60 budget\n\[DRY RUN\] WARNING: the prompt is over its budget/m)
  })
})

describe('the four parts', () => {
  async function prompt(place: Place, ...flags: string[]): Promise<string> {
    const shown = await place.run(['run', 'ooda', '--dry-run', '--ai-cmd', 'cat', ...flags])
    expect(shown.stderr).toBe('')
    return promptOf(shown.stdout)
  }
  function part(text: string, name: string): string {
    return new RegExp(`^## ${name}\n\n([^]*?)\n(?=\n## |$(?![^]))`, 'm').exec(text)?.[1] ?? ''
  }

  it('RO-20 are put together from fragments: text, files and built-in ones, in the order they are written.', async () => {
    const place = makePlace()
    mkdirSync(join(place.repo, 'docs'))
    place.write('docs/look.md', 'Look at the build.\n')
    place.write('greenlatch.yaml', [
      'prompts: { observe: [First of all., { file: docs/look.md }, { builtin: ooda/decide }], act: Not this. }',
      'procedures: { ooda: { prompts: { orient: From the entry., act: { text: Do it. } } } }',
    ].join('\n'))
    const text = await prompt(place)
    expect(partsOf(text)).toEqual(['OBSERVE', 'ORIENT', 'DECIDE', 'ACT'])
    expect(part(text, 'OBSERVE')).toMatch(/^First of all\.\n\nLook at the build\.\n\nChoose one step/)
    expect(part(text, 'ORIENT')).toBe('From the entry.')
    expect(part(text, 'DECIDE')).toMatch(/^Choose one step/)
    expect(part(text, 'ACT')).toBe('Do it.')
  })

  it('RO-20 are inherited by a procedure that extends another, part by part.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', [
      'procedures:',
      '  base: { extends: ooda, prompts: { orient: Of the base., act: Not this. } }',
      '  mine: { extends: base, prompts: { act: Of mine. } }',
    ].join('\n'))
    const text = promptOf((await place.run(['run', 'mine', '--dry-run', '--agent', 'paste'])).stdout)
    expect([part(text, 'ORIENT'), part(text, 'ACT')]).toEqual(['Of the base.', 'Of mine.'])
  })

  it('RO-20 are replaced for one run by flags, each with text, a file or a built-in fragment.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'prompts: { observe: Not this., decide: Kept. }\n')
    place.write('part.md', 'From a file.\n')
    const text = await prompt(place, '--observe', 'One.', '--observe', 'Two.', '--orient', 'part.md', '--act', 'builtin:ooda/observe')
    expect(part(text, 'OBSERVE')).toBe('One.\n\nTwo.')
    expect(part(text, 'ORIENT')).toBe('From a file.')
    expect(part(text, 'DECIDE')).toBe('Kept.')
    expect(part(text, 'ACT')).toMatch(/^You start fresh\./)
  })

  it('RO-20 have the task and every --context within them, as text or from files, after those of the settings.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'context: [From the settings.]\n')
    place.write('notes.md', 'From a file.\n')
    place.write('task.md', 'The task in a file.\n')
    const text = await prompt(place, '--context', 'As text.', '--context', 'notes.md', '--task', 'task.md')
    const sections = ['### Task', 'The task in a file.', '### Context', 'From the settings.', 'As text.', 'From a file.']
    expect(part(text, 'OBSERVE').endsWith(sections.join('\n\n'))).toBe(true)
  })

  it('RO-20 read their files afresh for every iteration.', async () => {
    const place = makePlace()
    place.write('part.md', 'Version 1.\n')
    const agent = place.program('agent', KEEPS_PROMPT, `echo 'Version 2.' > '${place.repo}/part.md'`)
    await place.run(['run', 'ooda', '--orient', 'part.md', '--max-iterations', '2', '--ai-cmd', agent])
    expect(part(place.read('prompt-1'), 'ORIENT')).toBe('Version 1.')
    expect(part(place.read('prompt-2'), 'ORIENT')).toBe('Version 2.')
  })
})

describe('completion words', () => {
  const PROCEDURE = `
procedures:
  worded:
    extends: ooda
    phases:
      act:
        words: { done: "@completed", failed: "@failed" }
        prompt:
          - { title: ACT, fragments: [Do it., { section: words }] }
`
  function nonces(place: Place): string[] {
    const asked = place.sessions().flatMap(eventsOf).filter((event) => event.type === 'asked')
    return asked.flatMap(({ effect }) => (effect.kind === 'ask' ? [effect.nonce] : []))
  }

  it.each([
    ['done', 0, 'completed'],
    ['failed', 1, 'failed'],
  ])('RO-22 end the session when the agent says %s with the code of this one ask.', async (word, code, outcome) => {
    const place = makePlace()
    place.write('greenlatch.yaml', PROCEDURE)
    const agent = place.scripted([{ say: 'more to do' }, { say: `all said\n{{${word}}}` }])
    const ended = await place.run(['run', 'worded', '--max-iterations', '5', '--agent', agent])
    expect(ended.code).toBe(code)
    expect(ended.stdout.split('\t')[0]).toBe(outcome)
    expect(nonces(place)).toHaveLength(2)
  })

  it('RO-22 differ from ask to ask and from run to run, and never stand whole in the prompt.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', PROCEDURE)
    const args = ['run', 'worded', '--max-iterations', '2', '--agent', place.scripted([{ say: 'more to do' }])]
    for (let run = 1; run <= 2; run++) await place.run(args)
    expect(new Set(nonces(place)).size).toBe(4)
    for (const folder of place.sessions()) {
      for (const n of [1, 2]) {
        const text = readFileSync(join(folder, `iteration-${n}/act-prompt.md`), 'utf8')
        expect(text).toMatch(/last piece is `[0-9a-z]+`/)
        expect(text).not.toMatch(/GREENLATCH[-_ ](DONE|FAILED)/)
      }
    }
  })

  it('RO-22 are not said by an agent that repeats its prompt, nor by one that uses the word of another run.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', PROCEDURE)
    const echo = await place.run(['run', 'worded', '--max-iterations', '2', '--ai-cmd', 'cat'])
    expect(echo.code).toBe(0)
    expect(linesOf(echo.stderr).at(-1)).toMatch(/^Reached max iterations: 2/)
    const [old = ''] = nonces(place)
    const parrot = place.program('agent', 'cat >/dev/null', `echo GREENLATCH-DONE-${old}`)
    const ended = await place.run(['run', 'worded', '--max-iterations', '2', '--ai-cmd', parrot])
    expect(linesOf(ended.stderr).at(-1)).toMatch(/^Reached max iterations: 2/)
    expect(place.starts('agent')).toHaveLength(2)
  })

  it('RO-22 do not exist where the procedure has none, whatever the agent says.', async () => {
    const place = makePlace()
    writeFileSync(join(place.root, 'answer'), 'GREENLATCH-DONE-\nDONE\nCOMPLETE\n')
    await place.run(['run', 'ooda', '--max-iterations', '2', '--ai-cmd', place.program('agent', 'cat "$ROOT/answer"')])
    expect(place.starts('agent')).toHaveLength(2)
  })
})
