/** Characters that may stand in parts of a manifest. The kernel looks at them one by one. */
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const DIGITS = '0123456789'
export const HOST_CHARACTERS: string = `${LOWER}${DIGITS}-`
/** What stands in a path segment for itself: no `%`, `\`, `?`, `#`, `;`. */
export const SEGMENT_CHARACTERS: string = `${LOWER}${UPPER}${DIGITS}._~!$&'()*+,=:@-`
export const TOKEN_CHARACTERS: string = `${LOWER}${UPPER}${DIGITS}!#$%&'*+.^_\`|~-`
export const NAME_CHARACTERS: string = `${LOWER}${UPPER}${DIGITS}_-`
export const VARIABLE_CHARACTERS: string = `${UPPER}${DIGITS}_`

export function hasOnly(text: string, characters: string): boolean {
  return [...text].every((character) => characters.includes(character))
}

/** ASCII letters alone: other alphabets have no one answer. */
export function toAsciiLower(text: string): string {
  return [...text]
    .map((character) => {
      const at = UPPER.indexOf(character)
      return at < 0 ? character : LOWER.charAt(at)
    })
    .join('')
}

/** From space to tilde: no control characters, and nothing that a reader could take for something else. */
export function isPrintable(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}
