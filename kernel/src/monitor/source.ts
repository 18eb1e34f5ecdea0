/** Where a value of an execution comes from: `measure:discount`, `state:market.price`, `status`. */
import { isIdentifier } from '../canonical/identifier.ts'

export const SOURCE_KINDS = ['measure', 'param', 'state', 'result', 'finding'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export type Source =
  | { readonly kind: 'status' }
  | { readonly kind: SourceKind; readonly name: string }

/** Undefined for what names no source. */
export function parseSource(text: string): Source | undefined {
  if (text === 'status') return { kind: 'status' }
  const colon = text.indexOf(':')
  const kind = SOURCE_KINDS.find((known) => known === text.slice(0, Math.max(0, colon)))
  const name = text.slice(colon + 1)
  return kind === undefined || !isIdentifier(name) ? undefined : { kind, name }
}
