/**
 * Which facts a decision may read. What ranks below `operator` is absent for whoever decides, unless
 * the capability's description or the contract names its path in `accepts`.
 *
 * A1 `accepts` only widens: of several patterns, and of the two documents, the lowest label counts.
 * A2 an operator signed both of them, so that no agent widens what it is judged on.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'
import { isPrefixCovering, isPrefixMatch } from '../contract/pattern.ts'
import type { FactLabel } from './label.ts'
import { isRankedAtLeast } from './label.ts'
import { isPathPattern } from './path-pattern.ts'

/** A label that is read only where somebody says so. */
export type WidenedLabel = Extract<FactLabel, 'external' | 'agent'>

/** A path, or a prefix ending in `*` → the lowest label that is read there. */
export type Accepts = Readonly<Record<string, WidenedLabel>>

/** Read without anybody saying so. */
const LEAST: FactLabel = 'operator'

type Labelled = { readonly path: string; readonly label: FactLabel }

export function isAccepted(
  { path, label }: Labelled,
  widened: readonly (Accepts | undefined)[],
): boolean {
  if (isRankedAtLeast(label, LEAST)) return true
  return widened.some((accepts) => accepts !== undefined && isWidenedFor(accepts, path, label))
}

function isWidenedFor(accepts: Accepts, path: string, label: FactLabel): boolean {
  return Object.entries(accepts).some(
    ([pattern, least]) => isPrefixMatch(pattern, path) && isRankedAtLeast(label, least),
  )
}

/** Whether everything that `child` lets in, `parent` lets in too. */
export function isAcceptsInside(child: Accepts | undefined, parent: Accepts | undefined): boolean {
  return Object.entries(child ?? {}).every(([pattern, least]) =>
    Object.entries(parent ?? {}).some(
      ([wider, lowest]) => isPrefixCovering(wider, pattern) && isRankedAtLeast(least, lowest),
    ),
  )
}

/** What is wrong with an `accepts`; undefined: nothing. */
export function findAcceptsProblem(value: JsonValue | undefined): string | undefined {
  if (!isObject(value)) return 'is not an object of paths and labels'
  for (const [pattern, label] of Object.entries(value as JsonObject)) {
    if (!isPathPattern(pattern)) return `\`${pattern}\` is no path and no prefix ending in \`*\``
    if (label !== 'external' && label !== 'agent')
      return `\`${pattern}\` widens to \`external\` or \`agent\`; the others are read without it`
  }
  return undefined
}
