/**
 * What a unit that has become durable says. Every change passes here, whoever made it: what is
 * counted is what stands in the ledger, once for each entry.
 */
import type { ExecutionRow, FlowRow, Unit, Write } from '../../ports/store.ts'
import { type Settled, tellSent, tellSettled } from './execution-signals.ts'
import { tellEnded, tellWaited } from './flow-signals.ts'
import { type Interval, type Teller, toKnownCode } from './teller.ts'

type Append = Extract<Write, { readonly kind: 'append' }>

/** The rows that a unit wrote. */
type Rows = { readonly flows: readonly FlowRow[]; readonly executions: readonly ExecutionRow[] }

export function tellCommitted(teller: Teller, { writes }: Unit, interval: Interval): void {
  const rows: Rows = {
    flows: writes.flatMap((write) => (write.kind === 'put_flow' ? [write.flow] : [])),
    executions: writes.flatMap((write) => {
      return write.kind === 'put_execution' ? [write.execution] : []
    }),
  }
  for (const write of writes) {
    if (write.kind === 'append') tellEntry(teller, write, rows, interval)
    if (write.kind === 'append_commit') {
      const { intent_id, settled_by } = write.payload
      const applied = { intent_id, status: 'SUCCESS', settled_by } as const
      tellSettled(teller, write.dfid, applied, findExecution(rows, write.dfid), interval)
    }
  }
  tellEscalated(teller, writes, rows)
  for (const flow of rows.flows) {
    tellWaited(teller, flow)
    if (flow.state === 'CLOSED' || flow.state === 'ABORTED') tellEnded(teller, flow, interval.end)
  }
}

/** The other kinds say nothing that is counted or timed. */
function tellEntry(teller: Teller, write: Append, rows: Rows, interval: Interval): void {
  const { entry, dfid = '' } = write
  const execution = findExecution(rows, dfid)
  const isSent = entry === 'accepted' || entry === 'dispatch' || entry === 'resend'
  if (isSent && execution !== undefined) tellSent(teller, entry, execution, interval)
  if (entry === 'settle')
    tellSettled(teller, dfid, parsePayload<Settled>(write), execution, interval)
  if (entry === 'approval') teller.writeLine({ level: 'info', event: 'escalation_decided', dfid })
  if (entry === 'lifecycle') tellMoved(teller, parsePayload<Moved>(write).body)
  // Cheap to look for; whether it is one is seen when it is read.
  if (entry === 'evidence' && write.payload.includes('"source":"monitor"'))
    tellTripped(teller, parsePayload<Tripped>(write))
}

function findExecution({ executions }: Rows, dfid: string): ExecutionRow | undefined {
  return executions.find((row) => row.dfid === dfid)
}

type Asked = { readonly request: { readonly agent_id?: string; readonly reason_code: string } }
type Governed = { readonly received: string; readonly reason_code: string }
type Moved = { readonly body: { readonly agent_id: string; readonly to: string } }
type Tripped = { readonly source: string; readonly details?: { readonly agent_id: string } }

/** Our own units: their payloads are the canonical text that we wrote. */
function parsePayload<T>({ payload }: Append): T {
  return JSON.parse(payload) as T
}

/**
 * Flows that began to wait for somebody: by a request, or without one because of what became of an
 * effect or of their silence. A unit may say both; that is one.
 */
function tellEscalated(teller: Teller, writes: readonly Write[], { flows }: Rows): void {
  const reasons = new Map<string, string>()
  for (const write of writes) {
    if (write.kind !== 'append' || write.dfid === undefined) continue
    const code = findAskReason(write)
    const isRequest = write.entry === 'pending_approval'
    if (code !== null && (isRequest || !reasons.has(write.dfid))) reasons.set(write.dfid, code)
  }
  for (const [dfid, reason] of reasons) {
    const flow = flows.find((row) => row.dfid === dfid)
    if (flow?.state !== 'ESCALATED') continue
    const { agent_id } = flow
    teller.telemetry.count('escalation_count', { agent_id, reason })
    teller.writeLine({ level: 'warn', event: 'escalated', dfid, agent_id, ...toKnownCode(reason) })
  }
}

function findAskReason(write: Append): string | null {
  if (write.entry === 'pending_approval') return parsePayload<Asked>(write).request.reason_code
  if (write.entry === 'settle') return parsePayload<Settled>(write).reason_code ?? null
  // What a proposal led to was counted with its answer.
  if (write.entry !== 'rejection' || !write.payload.includes('"received":""')) return null
  const { received, reason_code } = parsePayload<Governed>(write)
  return received === '' ? reason_code : null
}

function tellMoved(teller: Teller, { agent_id, to }: Moved['body']): void {
  teller.telemetry.count('rubicon_agent_moves_total', { state: to })
  const level = to === 'SUSPENDED' ? 'warn' : 'info'
  teller.writeLine({ level, event: 'agent_moved', agent_id, state: to })
}

/** The sweep counts them. */
function tellTripped(teller: Teller, { source, details }: Tripped): void {
  if (source !== 'monitor' || details === undefined) return
  const { agent_id } = details
  const code = toKnownCode('MONITOR_TRIPPED')
  teller.writeLine({ level: 'warn', event: 'monitor_tripped', agent_id, ...code })
}
