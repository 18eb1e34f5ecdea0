/**
 * What a text says once its escapes are read: of JSON and other literals, of HTML, of addresses. Each has many
 * spellings (`+` is `\u002B`, `&#43;`, `%2B`), and one may stand in another.
 *
 * By bytes, in one pass for each round: a provider chooses how many escapes there are.
 */

/** An escape within an escape within an escape: nobody reads further. */
const ROUNDS = 3

/** The text after each round in which there was something to read; none where there are no escapes. */
export function decodeText(text: string): readonly string[] {
  if (!/[\\&%]/.test(text)) return []
  const decoded: string[] = []
  let bytes: Buffer = Buffer.from(text)
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new EscapeReader(bytes).decode()
    if (next.length === bytes.length) break
    decoded.push(next.toString())
    bytes = next
  }
  return decoded
}

const [AMPERSAND, HASH, PERCENT, SEMICOLON, BACKSLASH] = [0x26, 0x23, 0x25, 0x3b, 0x5c]
const LETTER_U = 0x75
const LETTER_X = 0x78
/** After a backslash they stand for themselves: `"`, `'`, `/` and the backslash. */
const ESCAPED: ReadonlySet<number> = new Set([0x22, 0x27, 0x2f, BACKSLASH])
const NAMED: ReadonlyMap<string, number> = new Map([
  ['amp;', AMPERSAND],
  ['lt;', 0x3c],
  ['gt;', 0x3e],
  ['quot;', 0x22],
  ['apos;', 0x27],
])
const LAST_CODE_POINT = 0x10_ffff
const MOST_DIGITS = 8

/** What is decoded is always shorter than its escape. */
class EscapeReader {
  readonly #from: Buffer
  readonly #to: Buffer
  #at = 0
  #end = 0

  constructor(from: Buffer) {
    this.#from = from
    this.#to = Buffer.allocUnsafe(from.length)
  }

  decode(): Buffer {
    const { length } = this.#from
    while (this.#at < length) {
      const byte = this.#from[this.#at] ?? 0
      const isRead =
        (byte === BACKSLASH && this.#readLiteral()) ||
        (byte === PERCENT && this.#readDigits(1, 2, 16, false)) ||
        (byte === AMPERSAND && this.#readEntity())
      if (isRead) continue
      this.#to[this.#end++] = byte
      this.#at += 1
    }
    return this.#to.subarray(0, this.#end)
  }

  #readLiteral(): boolean {
    const next = this.#from[this.#at + 1] ?? 0
    if ((next | 0x20) === LETTER_U) return this.#readDigits(2, 4, 16, true)
    if ((next | 0x20) === LETTER_X) return this.#readDigits(2, 2, 16, false)
    return ESCAPED.has(next) && this.#write(next, 2, false)
  }

  #readEntity(): boolean {
    if (this.#from[this.#at + 1] !== HASH) return this.#readName()
    const isHex = ((this.#from[this.#at + 2] ?? 0) | 0x20) === LETTER_X
    const start = isHex ? 3 : 2
    const end = this.#from.indexOf(SEMICOLON, this.#at + start) - this.#at
    if (end <= start || end - start > MOST_DIGITS) return false
    return this.#readDigits(start, end - start, isHex ? 16 : 10, true, 1)
  }

  #readName(): boolean {
    const text = this.#from.toString('latin1', this.#at + 1, this.#at + 6).toLowerCase()
    for (const [name, code] of NAMED)
      if (text.startsWith(name)) return this.#write(code, name.length + 1, true)
    return false
  }

  /** So many digits, behind so many bytes; `after`: what belongs to the escape behind them. */
  #readDigits(skipped: number, count: number, base: number, isCode: boolean, after = 0): boolean {
    let code = 0
    for (let index = 0; index < count; index += 1) {
      const digit = toDigit(this.#from[this.#at + skipped + index] ?? 0)
      if (digit >= base) return false
      code = code * base + digit
    }
    return code <= LAST_CODE_POINT && this.#write(code, skipped + count + after, isCode)
  }

  /** `isCode`: a character; otherwise one byte of one. */
  #write(code: number, length: number, isCode: boolean): true {
    if (!isCode || code < 0x80) this.#to[this.#end++] = code
    else this.#end += this.#to.write(String.fromCodePoint(code), this.#end)
    this.#at += length
    return true
  }
}

/** Beyond every base where it is none. */
function toDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : 99
}
