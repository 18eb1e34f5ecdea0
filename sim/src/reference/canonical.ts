/** RFC 8785 and content addresses, written a second time. */
export type Hash = (data: Uint8Array) => Uint8Array

/** What JSON can say: no undefined, no NaN, no negative zero, no promise, no half characters. */
export function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(isJson)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return false
  return Object.values(value).every(isJson)
}

export function canonicaliseJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicaliseJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicaliseJson(member)}`)
  return `{${members.join(',')}}`
}

export function hashText(text: string, hash: Hash): string {
  const bytes = hash(new TextEncoder().encode(text))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function deriveAddress(type: string, value: unknown, hash: Hash): string {
  return `sha256:${hashText(`rubicon/${type}/v1\0${canonicaliseJson(value)}`, hash)}`
}
