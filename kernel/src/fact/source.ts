/** A source of facts, as an operator registers it. */
import { decodeBase64 } from '../canonical/bytes.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { findPublicKeyProblem } from '../keys/weak-point.ts'
import { LIMITS } from '../limits.ts'
import { err, ok, type Result } from '../result.ts'
import type { FactLabel } from './label.ts'
import { isReserved } from './owner.ts'
import { isPathPattern } from './path-pattern.ts'

/** What a source may be called: an agent claims, and nothing else. */
export type SourceLabel = Exclude<FactLabel, 'agent'>
export const SOURCE_LABELS: readonly SourceLabel[] = ['trusted', 'operator', 'external']

/** A source of facts, as it is registered. */
export type FactSource = {
  /** Its name. */
  readonly source_id: string
  /** Whose word its facts are. */
  readonly label: SourceLabel
  /** Paths, and prefixes ending in `*`. */
  readonly paths: readonly string[]
  /** The most different paths that it may speak of; those that it once spoke of count. */
  readonly max_paths: number
  /** Base64 of 32 raw bytes. With one, its observations are signed. */
  readonly key?: string
}

const MEMBERS: readonly string[] = ['source_id', 'label', 'paths', 'max_paths', 'key']

/** Strictly: what is not read would be a claim that nobody checks. */
export function parseFactSource(value: JsonValue): Result<FactSource, string> {
  if (!isObject(value)) return err('a source is an object')
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) return err(`a source has no member \`${unknown}\``)
  const { source_id, max_paths = LIMITS.sourcePaths, key } = value
  if (typeof source_id !== 'string' || !isIdentifier(source_id) || source_id.includes(':'))
    return err('`source_id` is an identifier without a colon')
  const label = SOURCE_LABELS.find((one) => one === value.label)
  if (label === undefined) return err(`\`label\` is one of ${SOURCE_LABELS.join(', ')}`)
  const paths = readPaths(value.paths)
  if (!paths.ok) return paths
  if (typeof max_paths !== 'number' || !isCount(max_paths))
    return err(`\`max_paths\` is a number from 1 to ${LIMITS.sourcePaths}`)
  if (key === undefined) return ok({ source_id, label, paths: paths.value, max_paths })
  const problem = typeof key === 'string' ? findKeyProblem(key) : 'is no text'
  if (typeof key !== 'string' || problem !== undefined) return err(`\`key\` ${problem}`)
  return ok({ source_id, label, paths: paths.value, max_paths, key })
}

function readPaths(value: JsonValue | undefined): Result<readonly string[], string> {
  if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.sourcePatterns)
    return err(`\`paths\` is a list of 1 to ${LIMITS.sourcePatterns}`)
  const paths: string[] = []
  for (const path of value) {
    if (typeof path !== 'string' || !isPathPattern(path))
      return err(`\`${String(path)}\` is no path and no prefix ending in \`*\``)
    if (isReserved(path)) return err(`\`${path}\` belongs to the kernel or to an agent`)
    if (paths.includes(path)) return err(`\`${path}\` stands twice in \`paths\``)
    paths.push(path)
  }
  return ok(paths)
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= LIMITS.sourcePaths
}

function findKeyProblem(key: string): string | undefined {
  const bytes = decodeBase64(key)
  if (bytes === undefined || bytes.length !== 32) return 'is not base64 of 32 bytes'
  const problem = findPublicKeyProblem(bytes)
  return problem === undefined ? undefined : `cannot be used: ${problem}`
}
