/**
 * Makes text that somebody else wrote safe to print: an agent must not move the cursor, colour a rejection green or hide the
 * end of a line. Nothing of it goes: what is taken out is what whoever decides does not see, and what runs has it. Line breaks
 * become spaces; what could deceive is shown as the console shows it.
 */
import { isDeceiving } from 'rubicon-kernel'

const BREAKS = '\n\r\t'

export function escapeText(text: string): string {
  let shown = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (BREAKS.includes(character)) shown += ' '
    else shown += isDeceiving(code) ? `\\u{${code.toString(16)}}` : character
  }
  return shown
}
