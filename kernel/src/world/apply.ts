/**
 * Applies a delta to the world and says how to undo it.
 *
 * Boundary: reads through `read`, writes nothing. The caller keeps `resources` or drops them.
 *
 * Invariants:
 * 1. All or none: when one op fails, nothing of the others is returned.
 * 2. An op sees what the ops before it did.
 * 3. Every op adds 1 to the version of its resource, also when the value stays the same.
 * 4. The inverse, applied to the result, restores values and retracted flags; versions go on
 *    upward. What the delta created ends up retracted, not forgotten; an incremented number comes
 *    back equal as a decimal.
 */
import { assert, assertUnreachable } from '../assert.ts'
import { err, ok, type Result } from '../result.ts'
import { type Change, type ChangeRefusal, refuseConflict } from './change.ts'
import type { CreateOp, Delta, DeltaOp } from './delta.ts'
import { increment } from './increment.ts'
import { mergePatch } from './merge-patch.ts'
import { type Resource, toResourceName } from './resource.ts'

export type ResourceReader = (kind: string, id: string) => Resource | undefined
export type DeltaFailure = ChangeRefusal & { readonly op: number }

export type Applied = {
  /** Each changed resource once, in its final state. */
  readonly resources: readonly Resource[]
  readonly inverse: Delta
}

export function applyDelta(
  read: ResourceReader,
  delta: Delta,
  entryId: string,
): Result<Applied, DeltaFailure> {
  const changed = new Map<string, Resource>()
  const steps: Step[] = []
  for (const [i, op] of delta.entries()) {
    const { kind, id } = op
    const name = toResourceName(kind, id)
    const before = changed.get(name) ?? read(kind, id)
    const change = computeChange(op, before)
    if (!change.ok) return err({ ...change.error, op: i })

    const { value, retracted, undo } = change.value
    const version = (before?.version ?? 0) + 1
    changed.set(name, { kind, id, version, value, retracted, last_entry: entryId })
    steps.push({ name, undo })
  }
  return ok({ resources: [...changed.values()], inverse: buildInverse(steps, changed) })
}

function computeChange(op: DeltaOp, before: Resource | undefined): Result<Change, ChangeRefusal> {
  if (op.op === 'create') return create(op, before)
  if (before === undefined || before.retracted) return refuseConflict('resource does not exist')
  if (op.op === 'increment') return increment(op, before.value)
  if (op.expected_version !== before.version)
    return refuseStale(op.expected_version, before.version)

  const { kind, id } = op
  const { value } = before
  const restore = (expected_version: number): DeltaOp => {
    return { op: 'replace', kind, id, expected_version, value }
  }
  const createAgain = (expected_version: number): DeltaOp => {
    return { op: 'create', kind, id, expected_version, value }
  }
  switch (op.op) {
    case 'replace':
      return ok({ value: op.value, retracted: false, undo: restore })
    case 'patch':
      return ok({ value: mergePatch(value, op.patch), retracted: false, undo: restore })
    case 'retract':
      return ok({ value: null, retracted: true, undo: createAgain })
    default:
      return assertUnreachable(op)
  }
}

function create(op: CreateOp, before: Resource | undefined): Result<Change, ChangeRefusal> {
  if (before?.retracted === false) return refuseConflict('resource exists')
  const version = before?.version ?? 0
  const expected = op.expected_version ?? version
  if (expected !== version) return refuseStale(expected, version)

  const { kind, id, value } = op
  const buildRetraction = (expected_version: number): DeltaOp => ({
    op: 'retract',
    kind,
    id,
    expected_version,
  })
  return ok({ value, retracted: false, undo: buildRetraction })
}

function refuseStale(expected: number, actual: number): Result<Change, ChangeRefusal> {
  return refuseConflict(`version is ${actual}, not ${expected}`)
}

type Step = { readonly name: string; readonly undo: Change['undo'] }

/** Last first. Each undoing adds a version too, which the next one on that resource must expect. */
function buildInverse(steps: readonly Step[], changed: ReadonlyMap<string, Resource>): Delta {
  const undone = new Map<string, number>()
  return steps.toReversed().map(({ name, undo }) => {
    const resource = changed.get(name)
    assert(resource !== undefined, 'each op changed its resource')
    const times = undone.get(name) ?? 0
    undone.set(name, times + 1)
    return undo(resource.version + times)
  })
}
