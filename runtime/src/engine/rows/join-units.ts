/**
 * Two units as one, where the second was built on the rows that the first writes.
 *
 * J1 the entries of both, in their order; of two rows of one flow or of one step the later.
 * J2 a guard of the second on a row that the first writes holds by that, and is left out; one on a counter
 *    counts what the first adds to it.
 * J3 null where a guard of the second could be judged only once the first is written: they stay two.
 */
import { AUTHORITY } from 'rubicon-kernel'
import type { Guard, Unit, Write } from '../../ports/store.ts'

type PutExecution = Extract<Write, { kind: 'put_execution' }>

export function joinUnits(first: Unit, second: Unit): Unit | null {
  const later = second.guards.map((guard) => judgeAfter(guard, first.writes))
  if (later.includes('unknown')) return null
  const guards = later.filter((guard) => typeof guard === 'object')
  const kept = first.writes.filter((write) => !isReplaced(write, second.writes))
  const toPlace = (entry: number): number => {
    return entry - first.writes.slice(0, entry).filter((write) => !kept.includes(write)).length
  }
  return {
    guards: [...first.guards, ...guards],
    writes: [
      ...kept.map((write) => moveEntry(write, toPlace)),
      ...second.writes.map((write) => {
        const moved = moveEntry(write, (entry) => entry + kept.length)
        return moved.kind === 'put_execution' ? keepEntry(moved, first.writes, toPlace) : moved
      }),
    ],
  }
}

/** Whatever names an entry names it by its place among the writes of its unit. */
export function moveEntry(write: Write, toPlace: (entry: number) => number): Write {
  if (write.kind === 'put_writ') return { ...write, entry: toPlace(write.entry) }
  if (write.kind !== 'put_execution' || write.entry === undefined) return write
  return { ...write, entry: toPlace(write.entry) }
}

/** A step was dispatched where its first row says, whatever became of it in the same unit. */
function keepEntry(
  write: PutExecution,
  before: readonly Write[],
  toPlace: (entry: number) => number,
): PutExecution {
  const { entry } = before.find((one) => isStepOf(one, write.execution)) ?? {}
  return write.entry !== undefined || entry === undefined
    ? write
    : { ...write, entry: toPlace(entry) }
}

function isReplaced(write: Write, later: readonly Write[]): boolean {
  if (write.kind === 'put_flow')
    return later.some((one) => one.kind === 'put_flow' && one.flow.dfid === write.flow.dfid)
  return write.kind === 'put_execution' && later.some((one) => isStepOf(one, write.execution))
}

type StepRef = { readonly dfid: string; readonly step_id: string }

function isStepOf(write: Write, { dfid, step_id }: StepRef): write is PutExecution {
  if (write.kind !== 'put_execution') return false
  return write.execution.dfid === dfid && write.execution.step_id === step_id
}

/** The guard as it is judged before `writes`; `met` by them, or `unknown` before they are written. */
function judgeAfter(guard: Guard, writes: readonly Write[]): Guard | 'met' | 'unknown' {
  const version = findWrittenVersion(guard, writes)
  if (version !== undefined && 'version' in guard)
    return guard.version === version ? 'met' : 'unknown'
  if (guard.kind === 'counter') {
    const added = writes.map((write) => {
      return write.kind === 'count' && write.id === guard.id ? write.by : 0
    })
    return { ...guard, by: added.reduce((sum, by) => sum + by, guard.by) }
  }
  return writes.some((write) => isTouched(guard, write)) ? 'unknown' : guard
}

/** Of the row that a guard asks about; undefined: it is none of these. */
function findWrittenVersion(guard: Guard, writes: readonly Write[]): number | undefined {
  for (const write of writes) {
    if (
      guard.kind === 'flow_version' &&
      write.kind === 'put_flow' &&
      write.flow.dfid === guard.dfid
    )
      return write.flow.version
    if (guard.kind === 'execution_version' && isStepOf(write, guard)) return write.execution.version
  }
  return undefined
}

/** Whether a write changes what the guard looks at. */
function isTouched(guard: Guard, write: Write): boolean {
  switch (guard.kind) {
    case 'flow_absent':
      return write.kind === 'put_flow' && write.flow.dfid === guard.dfid
    case 'claim_absent':
      return isStepOf(write, guard)
    case 'execution_version':
      return (
        write.kind === 'drop_execution' &&
        write.dfid === guard.dfid &&
        write.step_id === guard.step_id
      )
    case 'flow_entries':
      return 'dfid' in write && write.dfid === guard.dfid
    case 'authority_seq':
      return write.kind === 'append' && write.trajectory === AUTHORITY
    case 'world_version':
      return write.kind === 'append_commit' && write.trajectory === guard.trajectory
    case 'trajectory_absent':
      return 'trajectory' in write && write.trajectory === guard.trajectory
    case 'record_version':
      return (
        isRecordWrite(write) &&
        write.record === guard.record &&
        write.group === guard.group &&
        write.key === guard.key
      )
    case 'lock_free':
    case 'lock_held':
      return isRecordWrite(write) && write.record === 'lock' && write.group === guard.resource
    default:
      return false
  }
}

type RecordWrite = Extract<Write, { kind: 'put_record' | 'drop_record' }>

function isRecordWrite(write: Write): write is RecordWrite {
  return write.kind === 'put_record' || write.kind === 'drop_record'
}
