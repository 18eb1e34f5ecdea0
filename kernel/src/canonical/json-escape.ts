const LOWER_U = 0x75

/** By the character after the backslash; `u` is read apart. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** How many characters the escape has that starts with the backslash at `at`. */
export function escapeLength(text: string, at: number): number {
  return text.charCodeAt(at + 1) === LOWER_U ? 6 : 2
}

/** The UTF-16 unit that the escape stands for; undefined if there is no such escape. */
export function decodeEscape(text: string, at: number): string | undefined {
  if (text.charCodeAt(at + 1) !== LOWER_U) return CHARACTERS[text.charAt(at + 1)]
  let unit = 0
  for (let i = at + 2; i < at + 6; i += 1) {
    const digit = parseHexDigit(text.charCodeAt(i))
    if (digit === undefined) return undefined
    unit = unit * 16 + digit
  }
  return String.fromCharCode(unit)
}

/** Either case: the grammar of JSON allows both here. */
function parseHexDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}
