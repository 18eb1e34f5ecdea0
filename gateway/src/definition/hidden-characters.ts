/**
 * Characters of a description that a person does not see, or sees in another order, and that a model reads: the usual
 * way to hide instructions from whoever reviews a tool.
 */
import { isDeceiving } from 'rubicon-kernel'

export type HiddenCharacter = { readonly at: number; readonly code: string }

/** In the order in which they stand. */
export function findHiddenCharacters(text: string): readonly HiddenCharacter[] {
  const found: HiddenCharacter[] = []
  let at = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (isDeceiving(code)) found.push({ at, code: formatCode(code) })
    at += character.length
  }
  return found
}

/** The text with each of them as its number: `‹U+200B›`. */
export function showHiddenCharacters(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0
      return isDeceiving(code) ? `‹${formatCode(code)}›` : character
    })
    .join('')
}

function formatCode(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
