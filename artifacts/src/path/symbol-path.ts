/**
 * Where a symbol is in its artifact: `class:AuthService/method:login#2`. Agents name symbols by it; they never see a file or an offset.
 *
 * A segment is `kind:name`, and `#ordinal` where several of one kind have that name, counted from 1 in the order of the text. A name is
 * percent-encoded where it holds anything but letters, digits, `_`, `$`, `.` and `-`, so that every name has one spelling.
 */
import { err, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../limits.ts'

export type PathSegment = {
  readonly kind: string
  readonly name: string
  /** Null: it is the only one. */
  readonly ordinal: number | null
}

/** Why a text is no path. */
export type PathProblem = { readonly detail: string }

const KIND = /^[a-z][a-z_]*$/
const PLAIN = /[^A-Za-z0-9_$.-]/gu
const ENCODED = /^(?:[A-Za-z0-9_$.-]|%[0-9A-F]{2})*$/

export function formatSegment({ kind, name, ordinal }: PathSegment): string {
  const encoded = name.replaceAll(PLAIN, encodeCharacter)
  return `${kind}:${encoded}${ordinal === null ? '' : `#${ordinal}`}`
}

export function formatPath(segments: readonly PathSegment[]): string {
  return segments.map(formatSegment).join('/')
}

export function parsePath(text: string): Result<readonly PathSegment[], PathProblem> {
  const parts = text.split('/')
  if (parts.length > ARTIFACT_LIMITS.pathSegments)
    return err({ detail: `a path has at most ${ARTIFACT_LIMITS.pathSegments} segments` })
  const segments: PathSegment[] = []
  for (const part of parts) {
    const segment = parseSegment(part)
    if (segment === null)
      return err({
        detail:
          'a path is made of segments `kind:name`, or `kind:name#2`; a `#` of the name itself is written `%23`',
      })
    segments.push(segment)
  }
  return ok(segments)
}

function parseSegment(part: string): PathSegment | null {
  const [head = '', ordinal, ...more] = part.split('#')
  const colon = head.indexOf(':')
  const [kind, name] = [head.slice(0, colon), head.slice(colon + 1)]
  if (more.length > 0 || colon < 0 || !KIND.test(kind) || !ENCODED.test(name)) return null
  if (ordinal !== undefined && !/^[1-9][0-9]{0,5}$/.test(ordinal)) return null
  const segment = {
    kind,
    name: decodeName(name),
    ordinal: ordinal === undefined ? null : Number(ordinal),
  }
  // One spelling a name: whoever compares paths compares texts.
  const isPlain = segment.name !== null && segment.name.length <= ARTIFACT_LIMITS.nameLength
  return isPlain && formatSegment({ ...segment, name: segment.name ?? '' }) === part
    ? { ...segment, name: segment.name ?? '' }
    : null
}

function decodeName(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}

function encodeCharacter(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
}
