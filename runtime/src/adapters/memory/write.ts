import { isArchivable, isErasable } from 'rubicon-kernel'
import type { LeafEntry } from '../../ports/store.ts'
import { redactExecution, redactFlow } from '../unit/erased-rows.ts'
import type { UnitPlan } from '../unit/unit-plan.ts'
import { ensure, groupName, type Tables } from './tables.ts'

/** Stores the rows of a unit. Nothing in here can fail, so a unit is never stored by halves. */
export function writePlan(plan: UnitPlan, tables: Tables): void {
  for (const planned of plan.entries) {
    const { trajectory, dfid } = planned.envelope
    const entry = { ...planned, leaf: tables.entries.length }
    tables.entries.push(entry)
    ensure(tables.byTrajectory, trajectory, () => []).push(entry)
    if (dfid !== undefined) ensure(tables.byFlow, dfid, () => []).push(entry)
  }
  for (const [trajectory, head] of plan.heads) tables.heads.set(trajectory, head)
  for (const [trajectory, change] of plan.worlds) {
    const { resources, pages } = ensure(tables.worlds, trajectory, () => {
      return { resources: new Map(), pages: new Map() }
    })
    for (const [name, resource] of change.resources) resources.set(name, resource)
    for (const [prefix, page] of change.pages) pages.set(prefix, page)
  }
  for (const flow of plan.flows) tables.flows.set(flow.dfid, flow)
  for (const execution of plan.executions) {
    ensure(tables.executions, execution.dfid, () => new Map()).set(execution.step_id, execution)
  }
  for (const { dfid, step_id } of plan.droppedExecutions) {
    tables.executions.get(dfid)?.delete(step_id)
  }
  for (const row of plan.writs) tables.writs.set(row.writ.id, row)
  for (const [id, used] of plan.counters) tables.counters.set(id, used)
  for (const { body, version, ...ref } of plan.records) {
    const { group, key } = ref
    const records = ensure(tables.records, groupName(ref), () => new Map())
    if (body === null) records.delete(key)
    else records.set(key, { group, key, version, body })
  }
  for (const dfid of plan.erased) eraseFlow(dfid, tables)
  for (const dfid of plan.archived)
    changePayloads(dfid, tables, (entry) =>
      isArchivable(entry.envelope.kind) ? null : entry.payload,
    )
  for (const { dfid, trajectory, seq, payload } of plan.restored) {
    changePayloads(dfid, tables, (entry) => {
      const isIt = entry.envelope.trajectory === trajectory && entry.envelope.seq === seq
      return isIt ? payload : entry.payload
    })
  }
}

function changePayloads(
  dfid: string,
  tables: Tables,
  change: (entry: LeafEntry) => string | null,
): void {
  const changed = (tables.byFlow.get(dfid) ?? []).map((entry): LeafEntry => {
    const { trajectory, seq } = entry.envelope
    const payload = change(entry)
    if (payload === entry.payload) return entry
    const other = { ...entry, payload }
    tables.entries[entry.leaf] = other
    const inTrajectory = tables.byTrajectory.get(trajectory)
    if (inTrajectory !== undefined) inTrajectory[seq] = other
    return other
  })
  tables.byFlow.set(dfid, changed)
}

function eraseFlow(dfid: string, tables: Tables): void {
  changePayloads(dfid, tables, (entry) => (isErasable(entry.envelope.kind) ? null : entry.payload))
  const flow = tables.flows.get(dfid)
  if (flow !== undefined) tables.flows.set(dfid, redactFlow(flow))
  const steps = tables.executions.get(dfid)
  for (const [step, row] of steps ?? []) steps?.set(step, redactExecution(row))
}
