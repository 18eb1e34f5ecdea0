/** A list of plain words as people write one, such as the rules of a policy; anything else as it is. */
export function joinWords(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value
  return value.every(isWord) ? value.join(', ') : value
}

/** A comma would make one word look like two. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes(',')
}
