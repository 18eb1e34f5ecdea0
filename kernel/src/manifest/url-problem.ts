/**
 * What is wrong with the address of a tool. Scheme, host and port are literal and in one spelling: readers of
 * URLs disagree on all others (`localhost.`, `0x7f.1`, `a@b`), and the disagreement is the way in.
 */
import type { TemplatePart } from '../expression/text-template.ts'
import { parseTextTemplate } from '../expression/text-template.ts'
import { err, ok, type Result } from '../result.ts'
import { DIGITS, HOST_CHARACTERS, hasOnly, SEGMENT_CHARACTERS } from './plain-text.ts'

const SCHEMES = ['https://', 'http://'] as const

/** The pointers in it; err: what is wrong, in words. */
export function parseUrl(text: string): Result<readonly string[], string> {
  const scheme = SCHEMES.find((one) => text.startsWith(one))
  if (scheme === undefined) return err('must begin with `https://` or `http://`')
  const [authority = '', ...segments] = text.slice(scheme.length).split('/')
  if (authority.includes('{')) return err('has a parameter in its host: the host is literal')
  if (authority.includes('@')) return err('has user info: name a secret in a header')
  const problem = findAuthorityProblem(authority)
  if (problem !== undefined) return err(problem)
  return parsePath(segments.join('/'))
}

function findAuthorityProblem(authority: string): string | undefined {
  const bracket = authority.lastIndexOf(']')
  const colon = authority.indexOf(':', Math.max(bracket, 0))
  const host = colon < 0 ? authority : authority.slice(0, colon)
  if (colon >= 0 && !isPort(authority.slice(colon + 1))) return 'has no port in plain digits'
  if (host.startsWith('['))
    return host.endsWith(']') && host.length > 3 && hasOnly(host.slice(1, -1), `${DIGITS}abcdef:.`)
      ? undefined
      : 'has no IPv6 address in its brackets'
  const labels = host.split('.')
  if (host.length > 253 || !labels.every(isLabel))
    return 'has no host in lower-case ASCII letters, digits and hyphens, without a final dot'
  const last = labels.at(-1) ?? ''
  const isNumeric = hasOnly(last.charAt(0), DIGITS) && (hasOnly(last, DIGITS) || last[1] === 'x')
  if (isNumeric && !(labels.length === 4 && labels.every(isOctet)))
    return 'has a host that ends in a number and is no IPv4 address in four plain decimals'
  return undefined
}

function isLabel(label: string): boolean {
  if (label.length === 0 || label.length > 63 || !hasOnly(label, HOST_CHARACTERS)) return false
  return !label.startsWith('-') && !label.endsWith('-')
}

function isPort(text: string): boolean {
  if (text === '' || !hasOnly(text, DIGITS)) return false
  return !text.startsWith('0') && Number(text) <= 65_535
}

function isOctet(text: string): boolean {
  if (!hasOnly(text, DIGITS)) return false
  return (text === '0' || !text.startsWith('0')) && Number(text) <= 255
}

/** Parameters stand in segments; the slashes between segments are literal. */
function parsePath(path: string): Result<readonly string[], string> {
  if (path === '') return ok([])
  const parts = parseTextTemplate(path)
  if (!parts.ok) return err(parts.error)
  const literal = parts.value.map((part) => (part.kind === 'literal' ? part.text : 'x')).join('')
  if (!hasOnly(literal, `${SEGMENT_CHARACTERS}/`))
    return err('has a character that cannot stand in a path, or an encoded one')
  const segments = splitSegments(parts.value)
  if (segments.slice(0, -1).some((segment) => segment.length === 0))
    return err('has an empty path segment')
  if (segments.some(isDots)) return err('has a path segment of dots alone')
  return ok(parts.value.flatMap((part) => (part.kind === 'param' ? [part.pointer] : [])))
}

/** A parameter is refused where it is filled in if it and what is around it are dots. */
function isDots(segment: readonly TemplatePart[]): boolean {
  return (
    segment.length > 0 &&
    segment.every((part) => part.kind === 'literal' && hasOnly(part.text, '.'))
  )
}

function splitSegments(parts: readonly TemplatePart[]): readonly (readonly TemplatePart[])[] {
  const segments: TemplatePart[][] = [[]]
  for (const part of parts) {
    if (part.kind === 'param') {
      segments.at(-1)?.push(part)
      continue
    }
    for (const [index, text] of part.text.split('/').entries()) {
      if (index > 0) segments.push([])
      if (text !== '') segments.at(-1)?.push({ kind: 'literal', text })
    }
  }
  return segments
}
