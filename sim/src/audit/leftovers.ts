/**
 * I7, for what the engine keeps beside the ledger: when the faults have stopped and all is settled,
 * nothing is held or kept that nobody needs any more.
 */
import type { Report } from './report.ts'

export type Leftovers = {
  readonly executions: Iterable<{
    readonly dfid: string
    readonly step_id: string
    readonly status: string
  }>
  readonly flows: ReadonlyMap<string, { readonly state: string }>
  readonly locks: Iterable<{ readonly resource: string; readonly holder: string }>
  /** Flows that have notes, or are said to have some. */
  readonly noted: Iterable<string>
}

const SETTLED: readonly string[] = ['SUCCESS', 'FAILED', 'ABANDONED']
const ENDED: readonly string[] = ['CLOSED', 'ABORTED']

export function auditLeftovers(report: Report, left: Leftovers): void {
  const open = new Map<string, string>()
  for (const { dfid, step_id, status } of left.executions) {
    const name = `${dfid}:${step_id}`
    if (!SETTLED.includes(status)) open.set(name, status)
    if (!SETTLED.includes(status) && status !== 'MANUAL_REVIEW')
      report('I7', `${name} is ${status}, and nobody works on it`)
  }
  for (const { resource, holder } of left.locks)
    if (!open.has(holder)) report('I7', `${resource} is held by ${holder}, which is over`)
  for (const dfid of left.noted) {
    const state = left.flows.get(dfid)?.state ?? 'unknown'
    if (ENDED.includes(state)) report('I7', `notes of ${dfid} are kept, and it is ${state}`)
  }
}
