/**
 * The law of a unit, the same for every adapter: guards first, then every row it writes, worked out
 * before any is stored. So a unit that fails needs no undoing.
 */
import { assert, assertUnreachable, type Position } from 'rubicon-kernel'
import type {
  DeltaFailure,
  ExecutionRow,
  FlowRow,
  Unit,
  UnitOutcome,
  Write,
  WritRow,
} from '../../ports/store.ts'
import { appendBranch } from './append-branch.ts'
import { appendCommit } from './append-commit.ts'
import { collectArchivedFlows, collectRestoredPayloads } from './archived-rows.ts'
import { findFailedGuard } from './failed-guard.ts'
import { type UnitContext, UnitDraft } from './unit-draft.ts'
import type { Planned, UnitPlan } from './unit-plan.ts'
import type { UnitState } from './unit-state.ts'
import { computeUnitTime } from './unit-time.ts'
import { EMPTY_WORLD } from './world-check.ts'

export function planUnit(unit: Unit, state: UnitState, context: UnitContext): Planned {
  const at = computeUnitTime(unit, context.now, (trajectory) => state.findHead(trajectory))
  const guard = findFailedGuard(unit.guards, state, at)
  if (guard !== undefined) return { ok: false, failed: guard }

  const draft = new UnitDraft(state, context, at)
  for (const write of unit.writes) {
    const failed = draftWrite(write, draft)
    if (failed !== undefined) return { ok: false, failed }
  }
  return { ok: true, plan: buildPlan(unit, draft) }
}

export function toUnitOutcome(plan: UnitPlan): UnitOutcome {
  const entries = plan.entries.map(({ id, envelope: { trajectory, seq } }) => {
    return { trajectory, seq, id }
  })
  return { ok: true, at: plan.at, entries }
}

function draftWrite(write: Write, draft: UnitDraft): DeltaFailure | undefined {
  switch (write.kind) {
    case 'append':
      return append(write, draft)
    case 'append_commit':
      return appendCommit(write, draft)
    case 'append_branch':
      return void appendBranch(write, draft)
    case 'count':
      return void count(write.id, write.by, draft)
    case 'put_record':
      return void draft.changeRecord(write, write.body)
    case 'drop_record':
      return void draft.changeRecord(write, null)
    case 'put_flow':
    case 'put_execution':
    case 'drop_execution':
    case 'put_writ':
    case 'erase_flow':
    case 'archive_flow':
    case 'restore_flow':
      return undefined
    default:
      return assertUnreachable(write)
  }
}

function append(write: Extract<Write, { kind: 'append' }>, draft: UnitDraft): undefined {
  const { kind: _, entry, ...rest } = write
  const head = draft.findHead(write.trajectory)
  const start = entry === 'root' ? { id: null, worldRoot: EMPTY_WORLD } : undefined
  draft.append({ ...rest, kind: entry }, head?.world_root ?? EMPTY_WORLD, start)
}

function count(id: string, by: number, draft: UnitDraft): void {
  const value = draft.getCounter(id) + by
  assert(Number.isSafeInteger(value), 'a counter is a safe integer')
  assert(value >= 0, 'a counter never falls below 0: more was released than was taken')
  draft.counters.set(id, value)
}

function buildPlan(unit: Unit, draft: UnitDraft): UnitPlan {
  const flows: FlowRow[] = []
  const claims = collectClaims(unit, draft)
  const writs: WritRow[] = []
  for (const write of unit.writes) {
    if (write.kind === 'put_flow') flows.push(write.flow)
    if (write.kind === 'put_writ') {
      writs.push({ writ: write.writ, position: getEntryPosition(write.entry, unit, draft) })
    }
  }
  const { at, entries, heads, worlds, counters } = draft
  const erased = collectErasedFlows(unit, draft)
  const archived = collectArchivedFlows(unit)
  const restored = collectRestoredPayloads(
    unit,
    (trajectory, seq) => draft.findEntry(trajectory, seq),
    draft.context.sha256,
  )
  const records = [...draft.records.values()]
  return {
    at,
    entries,
    heads,
    worlds,
    counters,
    flows,
    erased,
    archived,
    restored,
    ...claims,
    writs,
    records,
  }
}

/** What is erased is named by an erasure that comes with it, and the other way round. */
function collectErasedFlows({ writes }: Unit, { entries }: UnitDraft): readonly string[] {
  const erased = writes.flatMap((write) => (write.kind === 'erase_flow' ? [write.dfid] : []))
  const named = entries.flatMap(({ envelope: { kind, dfid } }) =>
    kind === 'erasure' && dfid !== undefined ? [dfid] : [],
  )
  const isSame = erased.length === named.length && erased.every((dfid) => named.includes(dfid))
  assert(isSame, 'payloads go only with the erasure that names them')
  return erased
}

/** Of several writes to one step the last one stands: no row is both put and dropped. */
function collectClaims(
  unit: Unit,
  draft: UnitDraft,
): Pick<UnitPlan, 'executions' | 'droppedExecutions'> {
  const put = new Map<string, ExecutionRow>()
  const dropped = new Map<string, UnitPlan['droppedExecutions'][number]>()
  for (const write of unit.writes) {
    if (write.kind === 'put_execution') {
      const row = toExecutionRow(write, unit, draft)
      const name = claimName(row)
      dropped.delete(name)
      put.set(name, row)
    } else if (write.kind === 'drop_execution') {
      const { dfid, step_id } = write
      const name = claimName(write)
      put.delete(name)
      dropped.set(name, { dfid, step_id })
    }
  }
  return { executions: [...put.values()], droppedExecutions: [...dropped.values()] }
}

/** Neither part holds a NUL. */
function claimName({ dfid, step_id }: Pick<ExecutionRow, 'dfid' | 'step_id'>): string {
  return `${dfid}\0${step_id}`
}

type PutExecution = Extract<Write, { kind: 'put_execution' }>

function toExecutionRow(
  { execution, entry, settles = false }: PutExecution,
  unit: Unit,
  draft: UnitDraft,
): ExecutionRow {
  const placed =
    entry === undefined
      ? execution
      : { ...execution, dispatched: getEntryPosition(entry, unit, draft) }
  return settles ? { ...placed, settled_at: draft.at } : placed
}

/** Where the append that stands at `index` among the unit's writes has put its entry. */
function getEntryPosition(index: number, { writes }: Unit, draft: UnitDraft): Position {
  const appends = writes.slice(0, index).filter(isAppend).length
  const write = writes[index]
  const entry = write !== undefined && isAppend(write) ? draft.entries[appends] : undefined
  assert(entry !== undefined, 'a row that names an entry names an append of its unit')
  const { trajectory, seq } = entry.envelope
  return { trajectory, seq }
}

function isAppend({ kind }: Write): boolean {
  return kind === 'append' || kind === 'append_commit' || kind === 'append_branch'
}
