/** Is `name/1.2.3` newer than another version of the same name? What cannot be compared is not. */
export function isNewerVersion(text: string, than: string): boolean {
  const [one, other] = [parseParts(text), parseParts(than)]
  if (one === null || other === null || one.name !== other.name) return false
  const length = Math.max(one.numbers.length, other.numbers.length)
  for (let i = 0; i < length; i += 1) {
    const difference = (one.numbers[i] ?? 0) - (other.numbers[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

type Parts = { readonly name: string; readonly numbers: readonly number[] }

function parseParts(text: string): Parts | null {
  const slash = text.lastIndexOf('/')
  const parts = text.slice(slash + 1).split('.')
  if (slash < 1 || !parts.every(isCount)) return null
  return { name: text.slice(0, slash), numbers: parts.map(Number) }
}

function isCount(text: string): boolean {
  const number = Number(text)
  return Number.isSafeInteger(number) && number >= 0 && String(number) === text
}
