/**
 * A delta over resources of which only the leaf is left, since the commit that made them was erased.
 *
 * What replaces, retracts or creates at a stated version is known without what was there; what patches
 * or increments is not, and its leaf is unknown until something states the whole resource again.
 */
import type { Delta, DeltaOp } from './delta.ts'
import { type Resource, toResourceName } from './resource.ts'

/** In lower-case hex; a leaf is null where it depends on what was erased before. */
export type WorldLeaf = {
  /** Of the resource. */
  readonly key: string
  /** Its hash; null: it is gone. */
  readonly leaf: string | null
}

export type ReadableDelta = {
  /** What can be applied. */
  readonly delta: Delta
  /** What stood there, as far as the delta states it. */
  readonly stated: ReadonlyMap<string, Resource>
  /** Names of resources that nobody can compute after it. */
  readonly unknown: ReadonlySet<string>
}

/** `isErased`: only the leaf of the resource is left, or not even that. */
export function selectReadableDelta(
  delta: Delta,
  isErased: (op: DeltaOp) => boolean,
): ReadableDelta {
  const kept: DeltaOp[] = []
  const stated = new Map<string, Resource>()
  const unknown = new Set<string>()
  for (const op of delta) {
    const name = toResourceName(op.kind, op.id)
    const isHidden = !stated.has(name) && isErased(op)
    const before = isHidden ? deriveStatedResource(op) : undefined
    if (before !== undefined) stated.set(name, before)
    if (isHidden && before === undefined) unknown.add(name)
    else {
      unknown.delete(name)
      kept.push(op)
    }
  }
  return { delta: kept, stated, unknown }
}

function deriveStatedResource(op: DeltaOp): Resource | undefined {
  if (op.op === 'patch' || op.op === 'increment' || op.expected_version === undefined)
    return undefined
  const { kind, id, expected_version: version } = op
  return { kind, id, version, value: null, retracted: op.op === 'create', last_entry: '' }
}
