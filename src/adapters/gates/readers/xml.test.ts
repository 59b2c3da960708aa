// Tests of the XML reader: any cutting of the text, and documents made to do harm.
import { describe, expect, it } from 'vitest'
import { createXmlReader } from './xml.js'

function eventsOf(pieces: readonly string[]): { events: string[]; ending: string } {
  const events: string[] = []
  let text = ''
  const flush = (): void => {
    if (text.trim() !== '') events.push(`text ${text.trim()}`)
    text = ''
  }
  const reader = createXmlReader({
    open(name, attributes) {
      flush()
      events.push(['open', name, ...attributes.flatMap((name, at) => (at % 2 === 0 ? [`${name}=${attributes[at + 1] ?? ''}`] : []))].join(' '))
    },
    isTextWanted: () => true,
    text(piece) {
      text += piece
    },
    close(name) {
      flush()
      events.push(`close ${name}`)
    },
  })
  for (const piece of pieces) reader.push(piece)
  return { events, ending: reader.end() }
}

const DOCUMENT = `\uFEFF<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "<y>"> <!-- x --> ]>
<ns:a one='1 > "2"' two = "&lt;&#65;&#x42;&amp;lt;&unknown;"><!-- <b> -- --><b/><b
  x="y" /><![CDATA[<c> ]] ]]]>more &amp; more</ns:a>`
const EVENTS = [
  'open a one=1 > "2" two=<AB&lt;&unknown;', 'open b', 'close b', 'open b x=y', 'close b', 'text <c> ]] ]more & more', 'close a',
]

describe('the XML reader', () => {
  it('reads elements, attributes, text and entities, and skips the rest', () => {
    expect(eventsOf([DOCUMENT])).toEqual({ events: EVENTS, ending: 'ended' })
  })

  it('reads the same wherever the text is cut', () => {
    for (let at = 0; at <= DOCUMENT.length; at += 1) {
      expect(eventsOf([DOCUMENT.slice(0, at), DOCUMENT.slice(at)]), `cut at ${at}`).toEqual({ events: EVENTS, ending: 'ended' })
    }
    expect(eventsOf([...DOCUMENT])).toEqual({ events: EVENTS, ending: 'ended' })
  })

  it('says how a document ended', () => {
    expect(eventsOf(['']).ending).toBe('empty')
    expect(eventsOf(['plain text']).ending).toBe('empty')
    expect(eventsOf(['<a><b></b>']).ending).toBe('open')
    expect(eventsOf(['<a></a><!-- ']).ending).toBe('open')
    expect(eventsOf(['<a x="</a>']).ending).toBe('open')
    expect(eventsOf(['<a></b>']).ending).toBe('broken')
    expect(eventsOf(['</a>']).ending).toBe('broken')
    expect(eventsOf(['<a></a>\n<a></a>']).ending).toBe('ended')
  })

  it('is not harmed by entities that multiply, by depth, or by things that never end', () => {
    const bomb = '<!DOCTYPE z [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><z>&b;&f;</z>'
    expect(eventsOf([bomb]).events).toEqual(['open z', 'text &b;&f;', 'close z'])
    expect(eventsOf(['<a>'.repeat(100_000)]).ending).toBe('broken')
    const long = 'x'.repeat(1_000_000)
    const [opened = ''] = eventsOf([`<a v="${long}${long}" ${long}="1">`]).events
    expect(opened.length).toBeLessThan(70_000)
    const many = Array.from({ length: 5000 }, (_none, n) => `a${n}="1"`).join(' ')
    expect(eventsOf([`<a ${many}/>`]).events[0]?.split(' ')).toHaveLength(66)
  })
})
