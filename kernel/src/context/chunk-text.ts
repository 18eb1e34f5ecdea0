/** In UTF-16 code units: about 300 tokens, small enough to show five of and large enough to say something. */
const LONGEST = 1_200
const GAP = '\n\n'

/**
 * Cuts a document into pieces to be found and shown one by one. Paragraphs end at blank lines; as many
 * as fit stand together. One that is too long is cut at its last line end or space that fits, and
 * where there is none in the middle, but never inside a character.
 */
export function splitIntoChunks(text: string): readonly string[] {
  const chunks: string[] = []
  let chunk = ''
  for (const piece of splitParagraphs(text).flatMap(cutParagraph)) {
    const joined = chunk === '' ? piece : `${chunk}${GAP}${piece}`
    if (joined.length > LONGEST) chunks.push(chunk)
    chunk = joined.length > LONGEST ? piece : joined
  }
  return chunk === '' ? chunks : [...chunks, chunk]
}

function splitParagraphs(text: string): readonly string[] {
  const found: string[] = []
  let lines: string[] = []
  for (const line of [...text.split('\n'), '']) {
    if (line.trim() !== '') lines.push(line)
    else if (lines.length > 0) {
      found.push(lines.join('\n').trim())
      lines = []
    }
  }
  return found
}

function cutParagraph(paragraph: string): readonly string[] {
  const found: string[] = []
  let rest = paragraph
  while (rest.length > LONGEST) {
    const place = cutPlace(rest)
    found.push(rest.slice(0, place).trimEnd())
    rest = rest.slice(place).trimStart()
  }
  return [...found, rest]
}

function cutPlace(text: string): number {
  const gap = Math.max(text.lastIndexOf('\n', LONGEST), text.lastIndexOf(' ', LONGEST))
  if (gap > 0) return gap
  return isLowHalf(text.charCodeAt(LONGEST)) ? LONGEST - 1 : LONGEST
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
