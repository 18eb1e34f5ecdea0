/**
 * Takes out of a text what nobody can see, and says what in it looks like an order.
 *
 * Words are kept: what an outsider wrote is evidence. Being flagged or not decides nothing; what
 * comes from outside carries the label `external` and has no authority in either case.
 */
import { isIn, type Range, toCodePoint } from './code-point.ts'
import { findInjections } from './injection.ts'
import type { InjectionFlag } from './injection-patterns.ts'

export type Sanitised = { readonly text: string; readonly flags: readonly TextFlag[] }

export type TextFlag = InjectionFlag | 'hidden_text'

/**
 * Control characters but tab and line feed, soft hyphens, zero-width characters and joiners, marks
 * and overrides of direction, halves of pairs, byte order marks, annotations, tags and the selectors
 * beside them: text that a person does not see and a model reads.
 */
export const INVISIBLE: readonly Range[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
]

export function sanitise(text: string): Sanitised {
  const plain = stripConventions(text)
  const visible = stripInvisible(plain)
  const flags = findInjections(visible)
  return { text: visible, flags: visible === plain ? flags : [...flags, 'hidden_text'] }
}

/** The same text, for whoever does not ask what it looks like: finding that out costs more. */
export function stripHidden(text: string): string {
  return stripInvisible(stripConventions(text))
}

/** What ordinary files have and nobody hides anything in: line ends of two characters, a mark in front. */
function stripConventions(text: string): string {
  const unmarked = text.startsWith('\ufeff') ? text.slice(1) : text
  return unmarked.replaceAll('\r\n', '\n')
}

/** Nothing but what everybody sees, as most texts are. */
const PLAIN = /^[\t\n\x20-\x7e]*$/

function stripInvisible(text: string): string {
  if (PLAIN.test(text)) return text
  let visible = ''
  let start = 0
  let end = 0
  for (const character of text) {
    if (isIn(INVISIBLE, toCodePoint(character))) {
      visible += text.slice(start, end)
      start = end + character.length
    }
    end += character.length
  }
  return visible + text.slice(start)
}
