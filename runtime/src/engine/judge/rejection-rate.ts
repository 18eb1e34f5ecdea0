/**
 * How many proposals of an agent may be refused in an hour, over all its flows. Beyond that nothing
 * more is judged until the hour is over: a fresh flow would otherwise start every count anew, and every
 * refusal is an entry. Instances count with their class, which could make fresh ones. Hours are those of the clock, in UTC; a transient refusal does not count.
 */
import {
  type Answer,
  type DeployedContract,
  findPinnedContract,
  formatInstant,
  getCountOwner,
  LIMITS,
  parseInstant,
  REASONS,
  type ReasonCode,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildRejectedAnswer } from '../rows/answer.ts'

const HOUR_MS = 3_600_000

/** There is no space in the names of budgets. */
export function toRejectionCounter(agent: string, ms: number): string {
  return `rejected ${agent} ${Math.floor(ms / HOUR_MS)}`
}

/** To be told that a flow is not open, or that somebody else stopped its event. */
const NOBODYS_FAULT: readonly ReasonCode[] = ['FLOW_NOT_OPEN', 'EVENT_HALTED']

/** With the entry of a refusal; `alone`: for the instance only. */
export function countRejection(
  { agent_id }: FlowRow,
  deployed: DeployedContract | undefined,
  now: string,
  code: ReasonCode,
  alone: boolean,
): readonly Write[] {
  if (REASONS[code].transient || NOBODYS_FAULT.includes(code)) return []
  const counted = alone ? agent_id : getCountOwner(deployed?.contract ?? { agent_id })
  return [{ kind: 'count', id: toRejectionCounter(counted, parseInstant(now) ?? 0), by: 1 }]
}

type Looked = {
  readonly flow: FlowRow
  readonly now: string
  /** What was read with the flow, if anything. */
  readonly counters?: Readonly<Record<string, number>>
}

/** The answer to whoever was refused too often in this hour; null: it is judged. */
export async function checkRejectionRate(context: Context, looked: Looked): Promise<Answer | null> {
  const { flow, now, counters = {} } = looked
  const ms = parseInstant(now) ?? 0
  const authority = await context.authorities.loadAtLeast(flow.contract_seq)
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  let refused = 0
  // An instance has a count of its own, of what only its narrowing refused.
  for (const name of new Set([flow.agent_id, getCountOwner(deployed?.contract ?? flow)])) {
    const id = toRejectionCounter(name, ms)
    refused += counters[id] ?? (await context.store.readCounter(id))
  }
  if (refused === 0) return null
  const per_hour = deployed?.contract.safety_rules.rejections_per_hour ?? LIMITS.rejectionsPerHour
  if (refused < per_hour) return null
  const until = formatInstant((Math.floor(ms / HOUR_MS) + 1) * HOUR_MS)
  const details = { per_hour, until }
  const { dfid } = flow
  const answer = { dfid, attempt: 0, code: 'AGENT_RATE', stage: 'queue', trace_id: '' } as const
  return buildRejectedAnswer({ ...answer, details }, null)
}
