/**
 * What is told of a flow as a whole, from its row: how long it waited for somebody, and how it ended.
 * The row knows its history, so that it does not matter which engine opened the flow.
 */
import { formatBudgetUnits, parseInstant } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Span } from '../../ports/telemetry.ts'
import { toCounterId } from '../rows/budget-counters.ts'
import { toFlowSpan } from './span-refs.ts'
import type { Teller } from './teller.ts'

/** The 48 bits of an id that say when it was made. */
const ID_TIME_DIGITS = 12
/** Whose agents they are: which model stands behind one, only its own process knows. */
const PROVIDER = 'rubicon'

/** Every time that the flow stops waiting for the parent agent or a person. */
export function tellWaited(teller: Teller, { dfid, agent_id, history, updated_at }: FlowRow): void {
  for (const [index, { from, to, at }] of history.entries()) {
    const began = history[index - 1]?.at
    if (from !== 'ESCALATED' || at !== updated_at || began === undefined) continue
    if (!teller.claimOnce(`${dfid} ${index}`)) continue
    teller.telemetry.span({
      ref: { dfid, name: 'escalation', ordinal: String(index) },
      parent: toFlowSpan(dfid),
      start: toMillis(began),
      end: toMillis(at),
      attributes: { 'gen_ai.agent.id': agent_id, 'rubicon.state': to },
    })
  }
}

/** When its id was made, which every process can read from it. */
export function computeFlowStart({ dfid, opened_at }: Pick<FlowRow, 'dfid' | 'opened_at'>): number {
  const minted = Number.parseInt(dfid.replaceAll('-', '').slice(0, ID_TIME_DIGITS), 16)
  return Math.min(minted, toMillis(opened_at))
}

/**
 * The root of the trace, as far as it goes: whoever looks at a flow that is open finds what its spans hang
 * under. It is told again, under the same id, when the flow has ended.
 */
export function tellBegun({ telemetry }: Teller, flow: FlowRow, end: number): void {
  telemetry.span(buildFlowSpan(flow, {}, end))
}

/** `end`: of the unit that ended it. */
export function tellEnded(teller: Teller, flow: FlowRow, end: number): void {
  const { telemetry } = teller
  const { dfid, agent_id, state, attempts, opened_at, updated_at } = flow
  if (!teller.claimOnce(dfid)) return
  telemetry.count('rubicon_flows_ended_total', { state })
  const ms = toMillis(updated_at) - toMillis(opened_at)
  const said = { level: 'info', event: 'flow_ended' } as const
  teller.writeLine({ ...said, dfid, agent_id, state, attempt: attempts, ms })
  // The counters outlive the flow; a store that has gone meanwhile knows nothing more.
  teller.tellAfterProposals(dfid, Math.max(end, toMillis(updated_at)), (last) => {
    void readUsed(teller, flow).then(
      (used) => tellWhole(teller, flow, used, last),
      () => tellWhole(teller, flow, {}, last),
    )
  })
}

/** Amounts by measure. */
type Used = { readonly [M in (typeof MEASURES)[number]]?: number }

const MEASURES = ['tokens', 'input_tokens', 'output_tokens'] as const

/** By the agent's own word, over all its reports. */
async function readUsed({ store }: Teller, { writs }: FlowRow): Promise<Used> {
  const nonce = writs[0]?.nonce ?? ''
  const used: { [M in (typeof MEASURES)[number]]?: number } = {}
  for (const measure of MEASURES) {
    const units = await store.readCounter(toCounterId(nonce, measure))
    if (units > 0) used[measure] = Number(formatBudgetUnits(measure, BigInt(units)))
  }
  return used
}

function tellWhole({ telemetry }: Teller, flow: FlowRow, used: Used, end: number): void {
  if (used.tokens !== undefined) telemetry.observe('token_budget_burn', used.tokens)
  telemetry.span(buildFlowSpan(flow, used, end))
}

function buildFlowSpan(flow: FlowRow, used: Used, end: number): Span {
  const { tokens, input_tokens: input, output_tokens: output } = used
  const { dfid, agent_id, parent_dfid, root_dfid, state, attempts } = flow
  return {
    ref: toFlowSpan(dfid),
    parent: null,
    start: computeFlowStart(flow),
    end,
    failed: state === 'ABORTED',
    ...(parent_dfid === null ? {} : { links: [toFlowSpan(parent_dfid)] }),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': PROVIDER,
      'gen_ai.agent.id': agent_id,
      'rubicon.dfid': dfid,
      'rubicon.root_dfid': root_dfid,
      'rubicon.state': state,
      'rubicon.attempt': attempts,
      ...(parent_dfid === null ? {} : { 'rubicon.parent_dfid': parent_dfid }),
      ...(tokens === undefined ? {} : { 'rubicon.tokens': tokens }),
      ...(input === undefined ? {} : { 'gen_ai.usage.input_tokens': input }),
      ...(output === undefined ? {} : { 'gen_ai.usage.output_tokens': output }),
    },
  }
}

function toMillis(text: string): number {
  return parseInstant(text) ?? 0
}
