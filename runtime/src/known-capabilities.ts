/** What rules can speak of: capabilities of a module or of a ledger, and those that every runtime has. */
import { type CapabilityDescription, findUnknownKinds, type TopologyRow } from 'rubicon-kernel'
import { RESERVED } from './capabilities/reserved.ts'
import { hasSchemaPlace } from './capabilities/schema-places.ts'
import type { KnownCapability } from './policies/unknown-names.ts'

/** Whoever misspells a kind in a row asks for nothing, and is told. */
export function reportUnknownKinds(
  rows: readonly TopologyRow[],
  own: readonly Pick<Described, 'kind'>[],
  report: (line: string) => void,
): void {
  const known = [...own, ...RESERVED].map(({ kind }) => kind)
  for (const kind of findUnknownKinds(rows, known))
    report(`\`topologies\` names \`${kind}\`, which no capability has: the row asks for nothing`)
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
