/** The headers of a request: what the manifest names, and what only this side may say. */
import { isObject, type SecretReference } from 'rubicon-kernel'

/** They say where a request goes, where it ends, or who is in between. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  // Servers take them for another method, host or path than those that the operator allowed.
  'forwarded',
  'x-host',
  'x-method-override',
  'x-real-ip',
])
const RESERVED_PREFIX = /^(proxy-|sec-|x-forwarded-|x-original-|x-rewrite-|x-http-(method|host))/
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/
const VALUE = /^[\x20-\x7e]*$/

export type NamedHeaders = Readonly<Record<string, string | SecretReference>>

/** Of the names, and of the values that stand in the manifest. */
export function findHeaderProblem(headers: NamedHeaders): string | null {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (!NAME.test(name)) return `\`${name}\` is no name of a header`
    if (RESERVED.has(lower) || RESERVED_PREFIX.test(lower))
      return `the header \`${name}\` is not for a tool to say`
    if (seen.has(lower)) return `the header \`${name}\` stands twice`
    seen.add(lower)
    const text = isObject(value) ? (value.format ?? '') : value
    if (typeof text !== 'string' || !isHeaderValue(text))
      return `the header \`${name}\` has characters that cannot stand in one`
  }
  return null
}

/** No control characters: a line end would begin another header, or another request. */
export function isHeaderValue(text: string): boolean {
  return VALUE.test(text)
}
