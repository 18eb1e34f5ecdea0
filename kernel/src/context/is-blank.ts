import { toCodePoint } from './code-point.ts'
import { isDeceiving } from './deceiving.ts'

/** A pattern of no dots: no white space to a computer, and empty to whoever reads. */
const BRAILLE_BLANK = 0x2800

/** Whether nobody sees anything of it. A reason that nobody can read is none. */
export function isBlank(text: string): boolean {
  for (const character of text) {
    const code = toCodePoint(character)
    if (character.trim() !== '' && !isDeceiving(code) && code !== BRAILLE_BLANK) return false
  }
  return true
}
