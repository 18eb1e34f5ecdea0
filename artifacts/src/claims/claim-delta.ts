/**
 * What a delta claims of its artifact, from its plan: what it writes, what it puts in, what it relies on, and what others rely on that is
 * another behind it.
 */

import type { ClaimSet } from 'rubicon-kernel'
import { ok, type ReadClaim, type Result, type Sha256, type SymbolPath } from 'rubicon-kernel'
import type { Delta } from '../delta/delta.ts'
import type { DeltaProblem } from '../delta/plan.ts'
import { type ListOptions, planDeltas } from '../delta/plan-deltas.ts'
import type { Format } from '../formats/format.ts'
import type { DefinitionRule } from '../tree/definition-hash.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { BasePaths } from './base-paths.ts'
import { checkReads } from './check-reads.ts'
import type { ClaimedStep } from './claimed-step.ts'
import { listDifferent } from './list-different.ts'
import { listReads, readHeader } from './list-reads.ts'
import { listRedefined } from './list-redefined.ts'
import { listAliased, listAnchored } from './list-shared.ts'
import { listWrites } from './list-writes.ts'
import { toSegments } from './symbol-segments.ts'

/** Who claims, and of what. */
export type Claimant = {
  readonly key: string
  readonly artifact: string
  readonly sha256: Sha256
  readonly order?: number
}

export function claimDelta(
  parsed: ParsedText,
  delta: Delta,
  format: Format,
  claimant: Claimant,
): Result<ClaimSet, DeltaProblem> {
  return claimDeltas(parsed, [delta], format, claimant)
}

export function claimDeltas(
  parsed: ParsedText,
  deltas: readonly Delta[],
  format: Format,
  claimant: Claimant,
  options: ListOptions = {},
): Result<ClaimSet, DeltaProblem> {
  const planned = planDeltas(parsed, deltas, format, options)
  return planned.ok ? ok(claimPlan(planned.value, format, claimant)) : planned
}

/**
 * The claims of a list are those of its steps, by the paths of the first text; what a step relies on that an earlier one made, and what
 * it writes of that, is no claim on anybody.
 */
export function claimPlan(
  { steps }: { readonly steps: readonly ClaimedStep[] },
  format: Format,
  claimant: Claimant,
): ClaimSet {
  const { key, artifact, sha256, order } = claimant
  const rule = { type: format.type, sha256 }
  const [first] = steps
  const paths = new BasePaths(first?.before ?? { symbols: [] })
  const claims = steps.map((step) => {
    const claimed = toFirst(claimStep(step, format, rule), paths)
    if (steps.length > 1) paths.follow(step)
    return claimed
  })
  // Only the steps themselves stand between the first text and the one that a step has read.
  const isOfFirst = (read: ReadClaim): boolean =>
    first !== undefined && checkReads(first.before, [read], rule) === null
  return {
    key,
    artifact,
    writes: toUnique(claims.flatMap(({ writes }) => writes)),
    inserts: toUnique(claims.flatMap(({ inserts }) => inserts)),
    reads: toUnique(claims.flatMap(({ reads }) => reads)).filter(isOfFirst),
    redefines: toUnique(claims.flatMap(({ redefines }) => redefines)),
    memberships: toUnique(claims.flatMap(({ memberships }) => memberships)),
    ...(order === undefined ? {} : { order }),
  }
}

type StepClaim = Pick<ClaimSet, 'writes' | 'inserts' | 'reads' | 'redefines'> & {
  readonly memberships: readonly SymbolPath[]
}

function claimStep(step: ClaimedStep, format: Format, rule: DefinitionRule): StepClaim {
  const { redefines, memberships } = listRedefined(step, format)
  const written = step.delta === null ? listDifferent(step) : listWrites(step, step.delta)
  const anchored = listAnchored(step, written.inserts, format)
  return {
    ...written,
    reads: [
      ...listBound(step, rule),
      ...listReads(step, format, rule),
      ...listAliased(step, format, rule),
    ],
    redefines: redefines.map(toSegments),
    memberships: [...memberships, ...anchored].map(toSegments),
  }
}

function toFirst(claim: StepClaim, paths: BasePaths): StepClaim {
  const listFirst = (path: SymbolPath): readonly SymbolPath[] => {
    const found = paths.find(path)
    return found === null ? [] : [found]
  }
  return {
    writes: claim.writes.flatMap((write) =>
      listFirst(write.path).map((path) => ({ ...write, path })),
    ),
    inserts: claim.inserts.flatMap((insert) =>
      listFirst(insert.container).map((container) => ({ ...insert, container })),
    ),
    reads: claim.reads.flatMap((read): readonly ReadClaim[] =>
      read.kind === 'symbol' ? listFirst(read.path).map((path) => ({ ...read, path })) : [read],
    ),
    redefines: claim.redefines.flatMap(listFirst),
    memberships: claim.memberships.flatMap(listFirst),
  }
}

/** What a delta is bound to by its form: a member to the header of its container, a body to the header before it. */
function listBound({ delta, before }: ClaimedStep, rule: DefinitionRule): readonly ReadClaim[] {
  if (delta === null) return []
  if (delta.op === 'addImport')
    return [{ kind: 'export', from: delta.from, name: delta.name === '*' ? null : delta.name }]
  const path = toBound(delta)
  const found = path === null ? null : findSymbol(before, path)
  return found?.ok ? [readHeader(before, found.value, rule)] : []
}

function toBound(delta: Delta): string | null {
  switch (delta.op) {
    case 'addMember':
    case 'addSection':
    case 'replaceBody':
      return delta.target
    case 'move':
      return delta.to
    default:
      return null
  }
}

function toUnique<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
