/** What becomes of a suspended proposal: a request, recorded with all it is bound to. */
import {
  type Answer,
  assert,
  type CapabilityDescription,
  type CompileInput,
  chooseChannel,
  chooseQueue,
  type EscalationRequest,
  findChannelAgent,
  findNearestAncestor,
  formatAcknowledgement,
  getQuorum,
  judgeImpact,
  parseInstant,
  type Refusal,
  requestTimes,
  toCanonicalText,
  toChannel,
  type Verdict,
} from 'rubicon-kernel'
import type { FlowRow, Guard } from '../../ports/store.ts'
import { isNarrowing } from '../authority/narrowing.ts'
import { buildMemory } from '../context/memory.ts'
import type { Context } from '../engine-context.ts'
import type { Gathered } from '../judge/gathered.ts'
import { buildPauseGuards } from '../judge/pause.ts'
import type { Received } from '../judge/receive.ts'
import { buildFlowUnit, recordMembers, toDecision, traceText } from '../judge/record.ts'
import { storeRejection, traceId } from '../judge/reject.ts'
import { buildEscalatedAnswer, toSuspended } from '../rows/answer.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { askUnit } from './ask.ts'
import { loadContractPersons } from './contract-persons.ts'
import { askParent } from './parent.ts'
import { loadAgentPast } from './past.ts'
import { buildBudgetStop, stopMarked } from './stop-agents.ts'

type Suspended = Extract<Verdict, { kind: 'suspended' }>

/** `held`: what must still hold when it is asked. Null: a guard failed, so the world moved; start over. */
export async function escalate(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Suspended,
  held: readonly Guard[],
): Promise<Answer | null> {
  const { view, input, law } = gathered
  const { flow, now } = view
  const { contract } = input
  assert(contract !== null && law !== undefined, 'a suspended proposal has a contract and a law')
  const request = await buildProposalRequest(context, flow, now, verdict, input, law.description)
  // A person who asks again is not the agent, which paid when it asked.
  const paid = received.release?.approval.decisions === 0
  const proposal = received.document.value
  const alone = isNarrowing(gathered, verdict)
  const asking = { flow, now, contract, request, ...received, proposal, paid, alone }
  const asked = await askUnit(context, asking)
  if ('code' in asked) return refuse(context, gathered, received, verdict, asked, alone)

  const { unit, after } = await buildPendingApprovalUnit(
    context,
    flow,
    now,
    verdict,
    received,
    input,
    request,
  )
  const { guards = [], writes = [] } = received.release?.unit ?? {}
  await context.failpoints.reach('escalate.before_commit')
  const outcome = await context.store.commit({
    guards: [
      ...unit.guards,
      ...asked.guards,
      ...buildPauseGuards(gathered, received),
      ...(received.session?.guards ?? []),
      ...(received.stake?.leave.guards ?? []),
      ...held,
      ...guards,
    ],
    writes: [...unit.writes, ...asked.writes, ...writes, ...(received.stake?.leave.writes ?? [])],
  })
  if (!outcome.ok) return null
  await context.failpoints.reach('escalate.after_commit')
  await askParent(context, request.id)
  return buildEscalatedAnswer(flow.dfid, after.attempts, toSuspended(request), traceId(outcome))
}

async function buildProposalRequest(
  context: Context,
  flow: FlowRow,
  now: string,
  verdict: Suspended,
  input: CompileInput,
  description: CapabilityDescription,
): Promise<EscalationRequest> {
  const { contract, proposal, document, facts } = input
  assert(contract !== null, 'a suspended proposal has a contract')
  const { triggers, code, domain_code, trace } = verdict
  const { measures = {} } = trace.find(({ stage }) => stage === 'preconditions') ?? {}
  const past = await loadAgentPast(context, flow.agent_id, description)
  const found = judgeImpact(description, measures, past)
  const quorum = getQuorum(contract)
  const attempt = flow.attempts + 1
  return {
    id: `${flow.dfid}:${attempt}`,
    kind: 'proposal',
    dfid: flow.dfid,
    agent_id: flow.agent_id,
    step_id: proposal.step_id,
    attempt,
    intent_digest: verdict.intent_digest,
    proposal_hash: document.address,
    rules_hash: input.rules.hash,
    triggers,
    reason_code: code,
    ...(domain_code === undefined ? {} : { domain_code }),
    ...found,
    past,
    reversible: description.reversible,
    ...(found.impact === 'LOW_IMPACT'
      ? {}
      : { acknowledge: formatAcknowledgement(description, proposal.params, found.exposure) }),
    facts_digest: facts.address,
    shown_snapshot: flow.snapshot_id,
    queue: chooseQueue(triggers),
    ...quorum,
    persons: await loadContractPersons(context, flow),
    ...requestTimes(parseInstant(now) ?? 0, found.impact, contract),
    channel: await findFirstChannel(
      context,
      now,
      proposal,
      chooseChannel({ triggers, ...found, ...quorum }),
    ),
  }
}

/** To the nearest agent above that may be asked; what is for people stays with them. */
async function findFirstChannel(
  { authorities }: Context,
  now: string,
  { agent_id: agent, policy_kind: kind }: CompileInput['proposal'],
  channel: string,
): Promise<string> {
  const parent = findChannelAgent(channel)
  if (parent === undefined) return channel
  const authority = await authorities.loadLatest()
  return toChannel(findNearestAncestor(parent, { authority, now, agent, kind }))
}

async function buildPendingApprovalUnit(
  context: Context,
  flow: FlowRow,
  now: string,
  verdict: Suspended,
  received: Received,
  input: CompileInput,
  request: EscalationRequest,
): Promise<{ readonly unit: ReturnType<typeof buildFlowUnit>; readonly after: FlowRow }> {
  const { attempt: attempts } = request
  const waited = received.stake?.waited === true
  const path = waited ? (['ESCALATED'] as const) : (['VALIDATING', 'ESCALATED'] as const)
  const after = moveFlow(flow, path, now, { attempts })
  const payload = composeCanonicalObject({
    ...recordMembers(context, received, attempts, traceText(verdict.trace), input),
    request: toCanonicalText(request),
  })
  const { code, domain_code, triggers } = verdict
  const memory = await buildMemory(context, {
    ...toDecision(flow, now, input.document.value),
    outcome: 'ESCALATED',
    code,
    ...(domain_code === undefined ? {} : { domain_code }),
    details: triggers.find((trigger) => trigger.code === code)?.details ?? {},
  })
  return { unit: buildFlowUnit(flow, after, 'pending_approval', payload, memory.write), after }
}

/** Nobody is asked: the agent has asked too often, or too many of its proposals wait already. */
async function refuse(
  context: Context,
  { view, input }: Gathered,
  received: Received,
  { trace, code: asked }: Suspended,
  { code, details }: Refusal,
  alone: boolean,
): Promise<Answer | null> {
  const { flow, now } = view
  const rejection = { code, details: { ...details, asked }, stage: 'queue', trace } as const
  const authority = await context.authorities.loadAtLeast(flow.contract_seq)
  const also = code === 'ESCALATION_BUDGET_EXHAUSTED' ? buildBudgetStop(authority, flow, alone) : []
  const source = { ...received, facts: input.facts, also, alone }
  const answer = await storeRejection(context, flow, now, rejection, source)
  if (answer !== null && also.length > 0) await stopMarked(context)
  return answer
}
