/**
 * Makes text that somebody else wrote safe to print: an agent must not move the cursor, colour a
 * rejection green or hide the end of a line. Sequences go, controls go, line breaks become spaces.
 */
import { isDeceiving } from 'rubicon-kernel'

export function escapeText(text: string): string {
  let shown = ''
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    if (code === ESC || code === CSI || code === OSC || STRINGS.has(code)) {
      at = skipSequence(text, at)
      continue
    }
    const character = String.fromCodePoint(code)
    shown += toPrintable(character, code)
    at += character.length
  }
  return shown
}

const ESC = 0x1b
const CSI = 0x9b
const OSC = 0x9d
const BEL = 0x07
const ST = 0x9c
/** C1 starts of strings: DCS, SOS, PM, APC. */
const STRINGS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9e, 0x9f])
/** What follows ESC to start a string: P, X, ^, _, and ] for OSC. */
const STRING_LETTERS = 'PX^_]'

function toPrintable(character: string, code: number): string {
  if (code === 0x0a || code === 0x0d || code === 0x09) return ' '
  return isDeceiving(code) ? '' : character
}

/** Where an escape sequence that begins at `start` is over; a broken one loses only its start. */
function skipSequence(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first !== ESC)
    return first === CSI ? skipControl(text, start + 1) : skipString(text, start + 1)
  const letter = text.charAt(start + 1)
  if (letter === '[') return skipControl(text, start + 2)
  if (letter !== '' && STRING_LETTERS.includes(letter)) return skipString(text, start + 2)
  return Math.min(text.length, start + 2)
}

/** Parameters and intermediates, then one final byte. */
function skipControl(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) >= 0x20 && text.charCodeAt(at) <= 0x3f) at += 1
  const final = text.charCodeAt(at)
  return final >= 0x40 && final <= 0x7e ? at + 1 : at
}

/** Up to its terminator; an open one hides the rest, as a terminal would. */
function skipString(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BEL || code === ST) return at + 1
    if (code === ESC && text.charAt(at + 1) === '\\') return at + 2
  }
  return text.length
}
