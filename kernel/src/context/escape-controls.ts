/**
 * Text that a terminal shows and does not obey: what it would take for a command, or what turns the order of
 * what is read around, is written as JSON writes it. In a JSON text the meaning stays the same.
 */
import { isIn, type Range, toCodePoint } from './code-point.ts'

/** C0 but for line feed and tab, DEL and C1; separators of lines; embeddings, overrides and isolates. */
const CONTROLS: readonly Range[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
]

const HEX_DIGITS = 4

export function escapeControls(text: string): string {
  let shown = ''
  for (const character of text) {
    const code = toCodePoint(character)
    shown += isIn(CONTROLS, code) ? `\\u${code.toString(16).padStart(HEX_DIGITS, '0')}` : character
  }
  return shown
}
