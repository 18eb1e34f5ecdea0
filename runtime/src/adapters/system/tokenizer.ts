/**
 * Tokens as the encoding `o200k_base` has them.
 *
 * 1. The tables are two megabytes: they are loaded once, with the first text, so that a command which
 *    counts nothing starts without them.
 * 2. A text is counted in pieces. The library needs quadratic time for a row of characters without a
 *    gap, and whoever writes notes could stop the process with one. Tokens end before spaces anyway,
 *    so that ordinary text has as many in pieces as it has in one.
 * 3. Short texts are remembered: a mission is counted with every context. What is remembered is a copy: a text that
 *    was cut out of another keeps all of that in memory, and whoever asks a model chooses how long that is.
 */
import type { LoadTokenizer, Tokenizer } from '../../ports/tokenizer.ts'
import { Recent } from '../../recent.ts'

/** In UTF-16 code units. */
const PIECE = 512
const REMEMBERED_LENGTH = 4_096
const REMEMBERED_TEXTS = 4_096

/** Nothing in a text is a command to the model, also when it looks like one. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

let loaded: Promise<Tokenizer> | null = null

export const loadSystemTokenizer: LoadTokenizer = () => {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Every decision brings a text of its own, and to drop the oldest of so many costs more than to count a short one.
  const known = new Recent<number>(REMEMBERED_TEXTS)
  const countPieces = (text: string): number => {
    let tokens = 0
    for (const piece of splitText(text)) tokens += countTokens(piece, AS_TEXT)
    return tokens
  }
  return {
    name: 'o200k_base',
    count(text) {
      if (text.length > REMEMBERED_LENGTH) return countPieces(text)
      // Also where it is known: what is asked for again is kept under the text that it was asked by.
      const copy = copyText(text)
      const before = known.get(copy)
      if (before !== undefined) return before
      const tokens = countPieces(text)
      known.set(copy, tokens)
      return tokens
    },
  }
}

function* splitText(text: string): Iterable<string> {
  let rest = text
  while (rest.length > PIECE) {
    const place = cutPlace(rest)
    yield rest.slice(0, place)
    rest = rest.slice(place)
  }
  yield rest
}

/** Before a space, if there is one; never inside a character. */
function cutPlace(text: string): number {
  const gap = text.lastIndexOf(' ', PIECE)
  if (gap > 0) return gap
  const unit = text.charCodeAt(PIECE)
  return unit >= 0xdc00 && unit <= 0xdfff ? PIECE - 1 : PIECE
}

/** With a character before it that is cut off again: joining them writes it down anew. */
function copyText(text: string): string {
  return ` ${text}`.slice(1)
}
