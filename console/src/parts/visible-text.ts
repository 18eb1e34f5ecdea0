/**
 * Text that somebody else wrote, with everything that could deceive the eye made visible: control
 * characters, marks that turn the direction of reading, characters without width. What remains is
 * shown as text and nothing else; this is about people, markup is React's to escape.
 */
import { isDeceiving } from 'rubicon-kernel'

export type Piece = { readonly text: string; readonly escaped: boolean }

export function toVisiblePieces(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (!isDeceiving(code)) {
      plain += character
      continue
    }
    if (plain !== '') pieces.push({ text: plain, escaped: false })
    plain = ''
    pieces.push({ text: `\\u{${code.toString(16)}}`, escaped: true })
  }
  if (plain !== '') pieces.push({ text: plain, escaped: false })
  return pieces
}

export function toVisibleText(text: string): string {
  return toVisiblePieces(text)
    .map((piece) => piece.text)
    .join('')
}
