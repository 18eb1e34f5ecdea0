/**
 * The words of a text: what the index holds, what a query asks for, what is compared with the
 * patterns of injections. One rule for all of them, so that they can be compared.
 *
 * Letters and digits of ASCII are folded to lower case. Other scripts stay as they are, since case
 * beyond ASCII depends on a table that changes with every edition of Unicode. Ideographs and kana,
 * which are written without spaces, are words of one character.
 */
import { isIn, type Range, toCodePoint } from './code-point.ts'

/** What no word needs more of: a longer one is cut here, in the index and in the query alike. */
const LONGEST = 64
const ASCII_END = 0x80
const TO_SMALL = 0x20
const SMALL_AND_DIGITS: readonly Range[] = [
  [0x30, 0x39],
  [0x61, 0x7a],
]

/** Beyond ASCII: spaces, punctuation, signs, pictures, and halves of pairs. */
export const SEPARATORS: readonly Range[] = [
  [0x80, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x55a, 0x55f],
  [0x589, 0x58a],
  [0x5be, 0x5be],
  [0x5f3, 0x5f4],
  [0x60c, 0x60d],
  [0x61b, 0x61f],
  [0x66a, 0x66d],
  [0x6d4, 0x6d4],
  [0x964, 0x965],
  [0xe3f, 0xe3f],
  [0x1680, 0x1680],
  [0x17d4, 0x17da],
  [0x2000, 0x206f],
  [0x20a0, 0x20cf],
  [0x2190, 0x2bff],
  [0x2e00, 0x2e7f],
  [0x3000, 0x3004],
  [0x3008, 0x3020],
  [0x3030, 0x3030],
  [0x303d, 0x303f],
  [0x30fb, 0x30fb],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe1f],
  [0xfe30, 0xfe6f],
  [0xfeff, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  [0xffe0, 0xffff],
  [0x1f000, 0x1faff],
  [0xe0000, 0xe0fff],
]

/** Kana, ideographs, and their marks of repetition. */
export const IDEOGRAPHS: readonly Range[] = [
  [0x3005, 0x3007],
  [0x3041, 0x30ff],
  [0x31f0, 0x31ff],
  [0x3400, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x3ffff],
]

/** All words, in their order, each as often as it stands there. */
export function splitWords(text: string): readonly string[] {
  const found: string[] = []
  let word = ''
  let length = 0
  const end = (): void => {
    if (length > 0) found.push(word)
    word = ''
    length = 0
  }
  for (const character of text) {
    const part = toWordCharacter(character)
    if (part === undefined) end()
    else if (isIn(IDEOGRAPHS, toCodePoint(character))) {
      end()
      found.push(character)
    } else {
      if (length < LONGEST) word += part
      length += 1
    }
  }
  end()
  return found
}

/** Upper case of ASCII in lower case, everything else as it is. */
export function foldAscii(text: string): string {
  let folded = ''
  let start = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (!isCapital(code)) continue
    folded += text.slice(start, i) + String.fromCharCode(code + TO_SMALL)
    start = i + 1
  }
  return folded + text.slice(start)
}

/** The character as words hold it; undefined where it separates them. */
function toWordCharacter(character: string): string | undefined {
  const code = toCodePoint(character)
  if (code >= ASCII_END) return isIn(SEPARATORS, code) ? undefined : character
  if (isCapital(code)) return String.fromCharCode(code + TO_SMALL)
  return isIn(SMALL_AND_DIGITS, code) ? character : undefined
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}
