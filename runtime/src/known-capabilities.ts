/** What rules can speak of: capabilities of a module or of a ledger, and those that every runtime has. */
import type { CapabilityDescription } from 'rubicon-kernel'
import { RESERVED } from './capabilities/reserved.ts'
import { hasSchemaPlace } from './capabilities/schema-places.ts'
import type { KnownCapability } from './policies/unknown-names.ts'

/** What rows of the rules can name. */
export function listKnownKinds(own: readonly Pick<Described, 'kind'>[]): readonly string[] {
  return [...own, ...RESERVED].map(({ kind }) => kind)
}

type Described = Pick<CapabilityDescription, 'kind' | 'params' | 'measures'>

export function listKnownCapabilities(described: readonly Described[]): readonly KnownCapability[] {
  const reserved = RESERVED.filter(({ kind }) => described.every((one) => one.kind !== kind))
  return [
    ...described,
    ...reserved.map(({ kind, params }) => ({ kind, params, measures: [] })),
  ].map(({ kind, params, measures }) => {
    return { kind, measures, hasParameter: (path) => hasSchemaPlace(params, path) }
  })
}
