/**
 * Headers that a request has once. Of two the library takes the first, a proxy perhaps the last: what one of
 * them let through would be another request to the other.
 */
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'origin',
  'rubicon-tenant',
  'idempotency-key',
])

export const DOUBLED = 'a header stands there twice that a request has once'

/** `raw`: names and values in turn, as they came. */
export function isAmbiguous(raw: readonly string[]): boolean {
  const seen = new Set<string>()
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]?.toLowerCase() ?? ''
    if (!ONCE.has(name)) continue
    if (seen.has(name)) return true
    seen.add(name)
  }
  return false
}
