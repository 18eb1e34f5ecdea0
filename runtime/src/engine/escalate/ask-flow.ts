/**
 * Asks a person about a flow that holds no proposal: it fell silent, or its effects keep failing. The
 * flow waits; approved, it goes back to its agent.
 */
import {
  type AskedPayload,
  type Contract,
  computeAddress,
  type EscalationKind,
  type EscalationRequest,
  type FlowState,
  findFailureTrigger,
  findPinnedContract,
  getQuorum,
  LIMITS,
  parseInstant,
  type Quorum,
  requestTimes,
  shorten,
  type Trigger,
  toCanonicalText,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, Unit, Write } from '../../ports/store.ts'
import { findNarrowedClass } from '../authority/narrowing.ts'
import type { Context } from '../engine-context.ts'
import { buildGovernorEntry } from '../rows/governor-entry.ts'
import { mintSalt } from '../rows/identity.ts'
import { askUnit } from './ask.ts'
import { loadContractPersons } from './contract-persons.ts'
import { buildBudgetStop } from './stop-agents.ts'

/** Where the flow goes, and what belongs into the unit that moves it there. */
export type AskedAbout = Unit & { readonly to: Extract<FlowState, 'ESCALATED' | 'ABORTED'> }

export async function askAboutFlow(
  context: Context,
  flow: FlowRow,
  now: string,
  contract: Contract,
  about: { readonly kind: Exclude<EscalationKind, 'proposal'>; readonly trigger: Trigger },
): Promise<AskedAbout> {
  const persons = await loadContractPersons(context, flow)
  const request = {
    ...buildFlowRequest(context, flow, now, about, contract),
    ...getQuorum(contract),
    persons,
  }
  const authority = await context.authorities.loadAtLeast(flow.contract_seq)
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  const ofClass = findNarrowedClass(authority, deployed)
  // A class that nobody watches for silence is not asked about for it.
  const isWatched = ofClass === undefined || ofClass.safety_rules.silence_watchdog !== undefined
  const alone = about.kind === 'silence' && !isWatched
  const asking = { flow, now, contract, request, received: '', proposal: null, alone }
  const asked = await askUnit(context, asking)
  if ('code' in asked) {
    const details = { ...asked.details, asked: request.reason_code }
    const entry = buildGovernorEntry(
      context,
      flow,
      asked.code,
      details,
      'ESCALATION_BUDGET_EXHAUSTED',
    )
    return {
      to: 'ABORTED',
      guards: [],
      writes: [entry, ...buildBudgetStop(authority, flow, alone)],
    }
  }
  const { guards, writes } = asked
  return { to: 'ESCALATED', guards, writes: [buildAskedEntry(context, flow, request), ...writes] }
}

function buildFlowRequest(
  { book, sha256 }: Context,
  flow: FlowRow,
  now: string,
  { kind, trigger }: Parameters<typeof askAboutFlow>[4],
  contract: Contract,
): Omit<EscalationRequest, 'persons' | keyof Quorum> {
  const { dfid, agent_id, attempts, version, snapshot_id } = flow
  const { code, channel } = trigger
  // A flow may be asked about more than once between two proposals.
  const id = `${dfid}:${attempts}.${version}`
  const bound = { id, trigger, snapshot_id }
  return {
    id,
    kind,
    dfid,
    agent_id,
    step_id: null,
    attempt: attempts,
    intent_digest: computeAddress('escalation', bound, sha256),
    proposal_hash: null,
    rules_hash: book.hash,
    triggers: [trigger],
    reason_code: code,
    // Nothing runs when it is approved: what the agent then proposes is judged like anything else.
    impact: 'LOW_IMPACT',
    impact_reasons: [],
    exposure: null,
    past: null,
    reversible: true,
    facts_digest: null,
    shown_snapshot: snapshot_id,
    queue: 'exception',
    ...requestTimes(parseInstant(now) ?? 0, 'LOW_IMPACT', contract),
    channel,
  }
}

/** The entry that says who is asked what. */
export function buildAskedEntry(
  context: Context,
  flow: FlowRow,
  request: EscalationRequest,
): Write {
  const payload: AskedPayload = { salt: mintSalt(context), attempt: flow.attempts, request }
  return {
    kind: 'append',
    trajectory: flow.trajectory,
    entry: 'pending_approval',
    dfid: flow.dfid,
    payload: toCanonicalText(payload),
  }
}

/** After a failure of one of its effects: null, when it is not one too many. */
export async function askAboutFailure(
  context: Context,
  flow: FlowRow,
  failed: ExecutionRow,
  now: string,
): Promise<AskedAbout | null> {
  const { dfid, agent_id, contract_seq, contract_hash } = flow
  const limit = LIMITS.entriesPerPage
  const earlier = await context.store.listExecutions({ dfid, status: ['FAILED'], limit })
  const all = [...earlier, failed]
  const failures = all.reduce((sum, { sends }) => sum + Math.max(1, sends), 0)
  const trigger = findFailureTrigger(failures, all.slice(-FAILURES_NAMED).map(describeFailedStep))
  const authority = await context.authorities.loadAtLeast(contract_seq)
  const contract = findPinnedContract(authority, agent_id, contract_hash)?.contract
  if (trigger === null || contract === undefined) return null
  return askAboutFlow(context, flow, now, contract, { kind: 'failure', trigger })
}

const FAILURES_NAMED = 5

/** What somebody has to know of a step that failed; the ledger has all of it. */
function describeFailedStep({ step_id, policy_kind, details }: ExecutionRow): string {
  const said = [details?.code, details?.detail].filter((one) => typeof one === 'string')
  return shorten([step_id, policy_kind, ...said].join(' '), LIMITS.wordsLength)
}
