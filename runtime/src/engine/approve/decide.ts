/**
 * Takes a decision in: judged by the kernel, signed, recorded, and only then acted on.
 *
 * D1 a request is decided once: the decision is guarded by the version of its record and of its flow.
 * D2 nothing is sent from here. What was approved is released as a decision of its own, by `release.ts`,
 *    now or by whoever finds it after this engine has ended.
 */
import {
  type Answer,
  buildApprovalBody,
  checkMessage,
  type Decider,
  type EscalationDecision,
  err,
  type Failure,
  findPinnedContract,
  isInstance,
  isSelfApproval,
  judgeDecision,
  LIMITS,
  NOBODY,
  ok,
  parseDecision,
  type Refusal,
  type Result,
  resolveDecisionPersons,
} from 'rubicon-kernel'
import { identifyPerson } from '../authority/persons/person-behind.ts'
import { checkAgentStatus } from '../authority/registry/stopped-agent.ts'
import type { Context } from '../engine-context.ts'
import { findParentRefusal, passOn } from '../escalate/parent.ts'
import { stopMarked } from '../escalate/stop-agents.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { buildUnreadableRefusal, toRefusalFailure } from '../rows/refusal-failure.ts'
import {
  type Escalation,
  loadEscalation,
  type StoredEscalation,
} from '../rows/stored-escalation.ts'
import { type DecidedBy, toApproverName, verifyDecider, vouch } from './approver.ts'
import { findMovedRefusal } from './brief/moved.ts'
import {
  abortUnit,
  applyModification,
  approveUnit,
  countMissingApprovals,
  type DecidedAs,
  type PreparedDecision,
  type Say,
  sendBackUnit,
  waitUnit,
} from './decision-unit.ts'
import { resolveModification } from './modification.ts'
import { loadNotOpenRefusal } from './not-open.ts'
import { findOutlookRefusal } from './outlook.ts'
import { release } from './release.ts'

export type { DecidedBy }

/** What became of a decision. */
export type DecidedEscalation = DecidedAs & {
  /** What became of it at its release. */
  readonly answer?: Answer
}

export async function decideEscalation(
  context: Context,
  id: string,
  input: EscalationDecision,
  by: DecidedBy,
): Promise<Result<DecidedEscalation, Failure>> {
  const read = checkMessage(input)
  const decision = read.ok
    ? parseDecision(read.value)
    : err(buildUnreadableRefusal(read.error.detail))
  if (!decision.ok) return err(toRefusalFailure(decision.error))
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const stored = await loadEscalation(context, 'open', id)
    if (stored === null) return err(toRefusalFailure(await loadNotOpenRefusal(context, id)))
    const prepared = await prepare(context, stored, decision.value, by)
    if ('code' in prepared) {
      // A person can, where a parent cannot.
      if (prepared.code === 'PARENT_NOT_ADMITTED') await passOn(context, id)
      return err(toRefusalFailure(prepared))
    }
    await context.failpoints.reach('decide.before_commit')
    const outcome = await context.store.commit(prepared.unit)
    if (!outcome.ok) continue
    await context.failpoints.reach('decide.after_commit')
    await stopMarked(context)
    return ok(await releaseApproved(context, prepared.decided))
  }
  return err(buildContentionFailure('the request'))
}

/** What was approved runs at once where somebody here can; elsewhere its engine finds it. */
async function releaseApproved(context: Context, decided: DecidedAs): Promise<DecidedEscalation> {
  if (decided.outcome !== 'approved') return decided
  const answer = await release(context, decided.request_id)
  return answer === null ? decided : { ...decided, outcome: 'released', answer }
}

async function prepare(
  context: Context,
  stored: StoredEscalation,
  decision: EscalationDecision,
  by: DecidedBy,
): Promise<PreparedDecision | Refusal> {
  const { store, authorities } = context
  const { request, counted } = stored.body
  const flow = await store.readFlow(request.dfid)
  if (flow === null) return { code: 'ESCALATION_UNKNOWN', details: { request: request.id } }
  const { now, authority_seq } = await store.readNow(flow.trajectory)
  const authority = await authorities.loadCurrent(authority_seq)
  const stopped = by.kind === 'agent' ? checkAgentStatus(authority, by.agent_id) : null
  if (stopped !== null)
    return { code: 'PARENT_NOT_ADMITTED', details: { code: stopped.code, details: {} } }
  const approver = toApproverName(by)
  const person = by.kind === 'person' ? await identifyPerson(context, authority, by) : NOBODY
  const modification = await resolveModification(context, stored.body, decision, by, {
    persons: authority.persons,
    person,
    now,
  })
  // An agent's is judged here and now, so that it is named here too.
  const named =
    by.kind === 'agent' && modification !== null
      ? { ...decision, modification: modification.digest }
      : decision
  const body = buildApprovalBody(request, named, approver, person)
  const decider: Decider =
    by.kind === 'person'
      ? await verifyDecider(context, authority, { principal: by.principal, person }, body, decision)
      : { ...by, refusal: await findAgentRefusal(context, stored.body, decision, by) }
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  const persons = deployed?.persons ?? { owner: NOBODY, approvers: [] }
  const compared = resolveDecisionPersons(authority.persons, persons, counted)
  const facts = { now, open: flow.state === 'ESCALATED', by: decider, ...compared, modification }
  const judged = judgeDecision(request, named, facts)
  const refusal =
    judged ??
    (await findMovedRefusal(context, stored.body, decision, approver)) ??
    (await findOutlookRefusal(context, stored.body, named, modification?.judged ?? null, approver))
  if (refusal !== null) return refusal
  const signed = await vouch(context, body, by.kind, decision.signature)
  const approvals = new Set(compared.counted.map((one) => one.person)).size + 1
  const judgement = modification?.judged ?? null
  const isSelf = isSelfApproval(request, named, facts)
  const say = { decision: named, modification: judgement, body, signed, now, approvals, isSelf }
  const retires = decision.retire === true || isInstance(authority, flow.agent_id)
  const prepared =
    decision.decision === 'ABORT'
      ? await abortUnit(context, stored, flow, say, retires)
      : chooseApprovalUnit(stored.body, say)(context, stored, flow, say)
  return addAuthorityGuard(prepared, authority.seq)
}

/** What follows once enough have said the same. */
function chooseApprovalUnit(body: Escalation, say: Say): typeof approveUnit {
  if (countMissingApprovals(body, say) > 0) return waitUnit
  return body.request.kind === 'proposal' ? approveUnit : sendBackUnit
}

/** Who somebody is, and who may still decide, may change before the decision is durable. */
function addAuthorityGuard(prepared: PreparedDecision, seq: number): PreparedDecision {
  const { guards, writes } = prepared.unit
  return { ...prepared, unit: { guards: [{ kind: 'authority_seq', seq }, ...guards], writes } }
}

function findAgentRefusal(
  context: Context,
  body: Escalation,
  decision: EscalationDecision,
  by: Extract<DecidedBy, { kind: 'agent' }>,
): Promise<Refusal | null> {
  const proposal = applyModification(body, decision)
  return findParentRefusal(context, { ...body, proposal }, by)
}
