/**
 * The address of a tool: scheme, host and port are literal, a parameter is a part of one path segment.
 *
 * 1. It is read here and by nobody else: what is sent is put together from these parts, never parsed again.
 * 2. No parameter can end its segment, leave it, or mean another one after it was decoded once more.
 */
import { err, type JsonValue, ok, type Result, toTemplateText } from 'rubicon-kernel'
import { findHostProblem } from './host-name.ts'

export type UrlPart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'param'; readonly pointer: string }

export type UrlTemplate = {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  readonly segments: readonly (readonly UrlPart[])[]
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const
const AUTHORITY = /^(https?):\/\/([^/]*)(\/.*)?$/
/** A port has one spelling too. */
const PORT = /^[1-9]\d{0,4}$/
/** Unreserved and the others that stand in a segment for themselves; no `%`, `\`, `?`, `#`, `;`. */
const LITERAL = /^[A-Za-z0-9._~!$&'()*+,=:@-]*$/

export function parseUrlTemplate(text: string): Result<UrlTemplate, string> {
  const [, scheme, authority = '', path = '/'] = AUTHORITY.exec(text) ?? []
  if (scheme !== 'http' && scheme !== 'https')
    return err('is no address that begins with https:// or http://')
  const host = authority.replace(/:[^:\]]*$/, '')
  const problem = findHostProblem(host)
  if (problem !== null) return err(`the host \`${host}\` ${problem}`)
  const said = authority.slice(host.length + 1)
  if (authority !== host && (!PORT.test(said) || Number(said) > 65_535))
    return err(`\`${said}\` is no port`)
  const port = authority === host ? DEFAULT_PORTS[scheme] : Number(said)
  const segments = parsePath(path)
  return segments.ok ? ok({ scheme, host, port, segments: segments.value }) : segments
}

function parsePath(path: string): Result<UrlTemplate['segments'], string> {
  const segments: UrlPart[][] = [[]]
  for (const token of path.slice(1).match(/\{[^{}]*\}|\/|[^{/]+|\{/g) ?? []) {
    if (token === '/') segments.push([])
    else if (/^\{\/.*\}$/.test(token))
      segments.at(-1)?.push({ kind: 'param', pointer: token.slice(1, -1) })
    else if (LITERAL.test(token)) segments.at(-1)?.push({ kind: 'literal', text: token })
    else return err(`\`${token}\` cannot stand in a path`)
  }
  const inner = segments.slice(0, -1)
  if (inner.some((parts) => parts.length === 0)) return err('has an empty path segment')
  const isDots = (parts: readonly UrlPart[]): boolean =>
    parts.length > 0 && parts.every((part) => part.kind === 'literal' && /^\.+$/.test(part.text))
  return segments.some(isDots) ? err('has a path segment of dots alone') : ok(segments)
}

/** The path that is sent; or why a parameter cannot stand in it. */
export function fillPath(
  { segments }: UrlTemplate,
  readParam: (pointer: string) => JsonValue | undefined,
): Result<string, string> {
  const filled: string[] = []
  for (const parts of segments) {
    const [plain, encoded]: [string[], string[]] = [[], []]
    for (const part of parts) {
      const text = part.kind === 'literal' ? ok(part.text) : readSegment(part.pointer, readParam)
      if (!text.ok) return text
      plain.push(text.value)
      encoded.push(part.kind === 'literal' ? part.text : encodeText(text.value))
    }
    if (/^\.+$/.test(plain.join(''))) return err('a path segment would consist of dots alone')
    filled.push(encoded.join(''))
  }
  return ok(`/${filled.join('/')}`)
}

function readSegment(
  pointer: string,
  readParam: (pointer: string) => JsonValue | undefined,
): Result<string, string> {
  const value = readParam(pointer)
  const text = value === undefined ? undefined : toTemplateText(value)
  if (text === undefined) return err(`the parameter \`${pointer}\` is no text and no number`)
  if (text === '') return err(`the parameter \`${pointer}\` is empty: it would be another path`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f-\u009f/\\%]/.test(text) || !text.isWellFormed())
    return err(`the parameter \`${pointer}\` has characters that cannot stand in a path`)
  return ok(text)
}

/** Everything but unreserved characters, as RFC 3986 names them. */
export function encodeText(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** `host` as the header of that name says it. */
export function formatAuthority({ scheme, host, port }: UrlTemplate): string {
  return port === DEFAULT_PORTS[scheme] ? host : `${host}:${port}`
}
