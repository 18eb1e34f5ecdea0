/**
 * The order of two texts by their UTF-8 bytes, which is how a database keeps keys. `<` compares
 * code units, and would put what needs a surrogate pair before U+E000 instead of after U+FFFF.
 */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const one = a.charCodeAt(i)
    const other = b.charCodeAt(i)
    if (one !== other) return rank(one) - rank(other)
  }
  return a.length - b.length
}

function rank(unit: number): number {
  const isHalf = unit >= 0xd800 && unit <= 0xdfff
  return isHalf ? unit + 0x10000 : unit
}
