/**
 * An accepted intent that is not dispatched: nothing has left the process, so that claim, budget and
 * resources are simply given back. The flow goes on, unless its authority ended.
 */
import {
  assert,
  type Contract,
  type FlowState,
  findPinnedContract,
  govern,
  type Refusal,
  type SettlePayload,
  type SignedIntent,
  toCanonicalText,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, Write } from '../../ports/store.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import { buildMemory } from '../context/memory.ts'
import { loadWanted } from '../context/rationale.ts'
import type { Context } from '../engine-context.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { buildDriftNotices } from '../notices/drift-notices.ts'
import { releaseWindow } from '../rows/agent-window.ts'
import { release } from '../rows/budget-counters.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { mintSalt } from '../rows/identity.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { dropLocks } from './locks.ts'

export type Accepted = {
  readonly intent: SignedIntent
  readonly execution: ExecutionRow
  readonly flow: FlowRow
}

export type Abandoned = {
  readonly execution: ExecutionRow
  readonly flow: FlowRow
  /** The entry that says so. */
  readonly trace_id: string
}

/** Null: somebody else has moved it on meanwhile. `ends`: the flow is over with it. */
export async function abandon(
  context: Context,
  { intent, execution, flow }: Accepted,
  { code, details }: Refusal,
  ends: boolean,
): Promise<Abandoned | null> {
  assert(execution.status === 'ACCEPTED', 'only what was not dispatched can be abandoned')
  const { store } = context
  const { now } = await store.readNow(flow.trajectory)
  const contract = await loadPinnedContract(context, flow)
  const after = moveAbandonedFlow(flow, contract, code, ends, now)
  const [writ] = await loadWritChain(context, flow, intent.writ_id)
  assert(writ !== undefined, 'an accepted intent stands on a writ in the ledger')
  const payload: SettlePayload = {
    salt: mintSalt(context),
    intent_id: intent.intent_id,
    status: 'ABANDONED',
    reason_code: code,
    details,
  }
  const memory = await buildMemory(context, {
    agent_id: flow.agent_id,
    at: now,
    dfid: flow.dfid,
    attempt: intent.attempt,
    policy_kind: intent.policy_kind,
    outcome: 'ABANDONED',
    code,
    wanted: await loadWanted(context, { intent, execution, flow }),
    details,
  })
  const { dfid, step_id, version } = execution
  const writes: Write[] = [
    {
      kind: 'append',
      trajectory: flow.trajectory,
      entry: 'settle',
      dfid,
      payload: toCanonicalText(payload),
    },
    { kind: 'drop_execution', dfid, step_id },
    { kind: 'put_flow', flow: after },
    ...release(writ.body.nonce, intent.cost, {}),
    ...(await releaseWindow(context, flow, intent, {})),
    ...dropLocks(intent),
    memory.write,
    ...buildDriftNotices(contract, after, { code, details }),
  ]
  const outcome = await store.commit({
    guards: [
      { kind: 'execution_version', dfid, step_id, version },
      { kind: 'flow_version', dfid, version: flow.version },
    ],
    writes: [...writes, ...(await returnBudget(context, flow, after, writes))],
  })
  if (!outcome.ok) return null
  const [entry] = outcome.entries
  return {
    execution: {
      ...execution,
      status: 'ABANDONED',
      reason_code: code,
      result: details,
      settled_at: outcome.at,
    },
    flow: after,
    trace_id: entry === undefined ? '' : `${entry.trajectory}/${entry.seq}`,
  }
}

/** How an accepted step ended that has no row any more: its flow's own entries say why. */
export async function readGivenBack({ store }: Context, row: ExecutionRow): Promise<ExecutionRow> {
  const { intent_id } = parseIntent(row.intent)
  const entries = await store.listFlowEntries(row.dfid, ['settle'])
  for (const { payload } of entries.toReversed()) {
    if (payload === null) continue
    const settled = JSON.parse(payload) as SettlePayload
    if (settled.intent_id !== intent_id) continue
    const { reason_code, details } = settled
    return { ...row, status: 'ABANDONED', reason_code, result: details }
  }
  return row
}

async function loadPinnedContract(
  { authorities }: Context,
  flow: FlowRow,
): Promise<Contract | undefined> {
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  return findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
}

/** It counts against the agent like any other refusal of its proposals. */
function moveAbandonedFlow(
  flow: FlowRow,
  contract: Contract | undefined,
  code: Refusal['code'],
  ends: boolean,
  now: string,
): FlowRow {
  const retries = contract?.safety_rules.max_intent_retries
  const { ended, ...counted } = govern(flow, code, retries)
  const to: FlowState = ends || ended !== null ? 'ABORTED' : 'ACTIVE'
  return moveFlow(flow, [to], now, counted)
}
