/**
 * Text that somebody else wrote, with everything that could deceive the eye made visible: control
 * characters, marks that turn the direction of reading, characters without width. What remains is
 * shown as text and nothing else; this is about people, markup is React's to escape.
 */
export type Piece = { readonly text: string; readonly escaped: boolean }

/** First and last code point of each range. */
const DECEIVING: readonly (readonly [number, number])[] = [
  // Controls; line feed and tab are layout.
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  // Without width, or blank in the guise of a letter.
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  // Line and paragraph separators; embeddings, overrides and isolates of direction.
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  // Variation selectors, which can carry hidden text.
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  // Half a character.
  [0xd800, 0xdfff],
  [0x1d173, 0x1d17a],
  // Tags and more selectors.
  [0xe0000, 0xe0fff],
]

export function visiblePieces(text: string): readonly Piece[] {
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

export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => piece.text)
    .join('')
}

function isDeceiving(code: number): boolean {
  return DECEIVING.some(([first, last]) => code >= first && code <= last)
}
