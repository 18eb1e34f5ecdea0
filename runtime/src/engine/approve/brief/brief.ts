/**
 * Everything that somebody needs to decide a request, in the order in which it is read: what would
 * happen, why they are asked, on which facts, what it costs; and apart from that what the agent says.
 *
 * Boundary: it reads and computes. What it says of the future (`outlook`, `may`) is said by the same
 * functions that will judge the decision and the release.
 */
import {
  type Address,
  type Authority,
  describeObject,
  type EscalationRequest,
  findPinnedContract,
  isInstance,
  isObject,
  isSamePerson,
  type JsonObject,
  type JsonValue,
  listAskedChannels,
  type PolicyProposal,
  parseProposal,
  REASONS,
  type ReasonCode,
  toPeopleChannel,
  UNKNOWN_NAMING,
} from 'rubicon-kernel'
import type { FlowRow } from '../../../ports/store.ts'
import { identifyPerson } from '../../authority/persons/person-behind.ts'
import type { Context } from '../../engine-context.ts'
import {
  ESCALATION_STATES,
  type Escalation,
  type EscalationState,
  loadEscalation,
} from '../../rows/stored-escalation.ts'
import { findStandingClaim, readClaim, type ShownClaim } from '../claim.ts'
import { readComments, type ShownComment, showComments } from '../comments.ts'
import { buildSupposedYes, compileAsApproved, type Outlook } from './as-if-approved.ts'
import { type DecidedBefore, loadDecidedBefore } from './before.ts'
import {
  type AskedThisHour,
  type BriefBudget,
  buildBriefBudgets,
  countAskedThisHour,
} from './budgets.ts'
import { type AgentClaims, collectClaims } from './claims.ts'
import { type BriefEffect, buildBriefEffect } from './effect.ts'
import { type BriefFact, buildBriefFacts, hashShownFacts } from './facts.ts'
import { type Recorded, type RecordedApproval, readRecordedRequest } from './recorded.ts'
import { applyOutlook, type DecisionStanding, judgeStanding, type Onlooker } from './standing.ts'

/** What is shown of the request as it stands. */
type Shown = Pick<
  EscalationRequest,
  | 'id'
  | 'kind'
  | 'dfid'
  | 'agent_id'
  | 'step_id'
  | 'attempt'
  | 'impact'
  | 'impact_reasons'
  | 'exposure'
  | 'reversible'
  | 'queue'
  | 'channel'
  | 'needs'
  | 'approvers'
  | 'requested_at'
  | 'not_before'
  | 'expires_at'
>

export type EscalationBrief = Shown & {
  /** By the clock that decides. */
  readonly now: string
  readonly state: EscalationState
  readonly ended: Escalation['ended']
  /** Who looks after it; null: nobody said. */
  readonly claimed: ShownClaim | null
  /** What people said to each other about it, oldest first. */
  readonly comments: readonly ShownComment[]
  /** The kind of action, and what it is about; null: there is no proposal. */
  readonly action: string | null
  readonly object: string | null
  readonly summary: string | null
  readonly effect: BriefEffect | null
  /** If somebody said yes now; null: nothing would run, or it is decided. */
  readonly outlook: Outlook | null
  readonly why: readonly Why[]
  /** What the kernel computed, by name. */
  readonly measures: Readonly<Record<string, JsonValue>>
  readonly facts: readonly BriefFact[]
  readonly claims: AgentClaims
  readonly budgets: readonly BriefBudget[]
  readonly asked_this_hour: AskedThisHour | null
  readonly before: DecidedBefore
  /** What whoever approves has to type; null: nothing. */
  readonly acknowledge: string | null
  readonly binds: Binds
  readonly decisions: readonly RecordedApproval[]
  readonly may: DecisionStanding
  /** An ABORT ends the agent as well. */
  readonly abort_ends_agent: boolean
  /** Of the parameters that a MODIFY may put in the place of the agent's. */
  readonly schema: JsonObject | null
}

/** Why somebody is asked. */
export type Why = {
  readonly id: string
  readonly code: ReasonCode
  readonly domain_code: string | null
  readonly means: string
  readonly details: JsonObject
}

/** What a decision on this brief says, so that it counts for this and nothing else. */
export type Binds = {
  readonly intent_digest: string
  readonly shown_snapshot: string
  readonly shown_facts: Address
  readonly facts_digest: string | null
  readonly rules_hash: string
  readonly lifts: readonly string[]
}

/** Null: there is no such request. */
export async function loadEscalationBrief(
  context: Context,
  id: string,
  onlooker: Onlooker,
): Promise<EscalationBrief | null> {
  for (const state of ESCALATION_STATES) {
    const stored = await loadEscalation(context, state, id)
    const flow = stored === null ? null : await context.store.readFlow(stored.body.request.dfid)
    if (stored === null || flow === null) continue
    return buildBrief(context, state, stored.body, flow, onlooker)
  }
  return null
}

async function buildBrief(
  context: Context,
  state: EscalationState,
  body: Escalation,
  flow: FlowRow,
  onlooker: Onlooker,
): Promise<EscalationBrief> {
  const { store, book, sha256 } = context
  const { request, ended } = body
  const { now, authority_seq } = await store.readNow(flow.trajectory)
  const authority = await context.authorities.loadCurrent(authority_seq)
  const contract = findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
  const proposal = parseStoredProposal(body)
  const capability = proposal === null ? undefined : book.capability(proposal.policy_kind)
  const recorded = await readRecordedRequest(store, request)
  const live =
    state === 'open'
      ? await compileAsApproved(context, body, buildSupposedYes(request, onlooker.name))
      : null
  const facts = buildBriefFacts(recorded.facts, live)
  const latest = live?.facts ?? recorded.facts
  const { params = {} } = proposal ?? {}
  const law = capability?.law.description
  return {
    ...toShownRequest(request),
    now,
    state,
    ended,
    claimed: await loadShownClaim(context, authority, body, onlooker, now),
    comments: await loadShownComments(context, authority, request.id, onlooker),
    action: proposal?.policy_kind ?? null,
    object: proposal === null ? null : describeObject(law ?? UNKNOWN_NAMING, params),
    summary: capability?.law.description.summary ?? null,
    effect:
      proposal === null ? null : buildBriefEffect(capability, params, latest, contract ?? null),
    outlook: live?.outlook ?? null,
    why: request.triggers.map((one) => describeTrigger(one, listAskedChannels(request).length > 1)),
    measures: getMeasures(recorded),
    facts,
    claims: collectClaims(request, proposal, recorded),
    budgets: buildBriefBudgets(latest, live?.contract ?? null, live?.cost ?? null),
    asked_this_hour: contract === undefined ? null : await countAskedThisHour(store, contract, now),
    before: await loadDecidedBefore(store, request, proposal?.policy_kind ?? null, now),
    acknowledge: request.acknowledge ?? null,
    binds: toBinds(request, hashShownFacts(request.id, facts, sha256)),
    decisions: recorded.decisions,
    may: applyOutlook(live?.outlook ?? null, await judgeStanding(context, body, flow, onlooker)),
    abort_ends_agent: isInstance(authority, flow.agent_id),
    schema: capability?.law.description.params ?? null,
  }
}

async function loadShownClaim(
  context: Context,
  authority: Authority,
  body: Escalation,
  { name, ...came }: Onlooker,
  now: string,
): Promise<ShownClaim | null> {
  const { persons } = authority
  const claim = findStandingClaim(
    await readClaim(context.store, body.request.id),
    body,
    persons,
    now,
  )
  if (claim === null) return null
  const person = await identifyPerson(context, authority, { principal: name, ...came })
  return { ...claim, yours: isSamePerson(persons, claim.person, person) }
}

async function loadShownComments(
  context: Context,
  authority: Authority,
  id: string,
  { name, ...came }: Onlooker,
): Promise<readonly ShownComment[]> {
  const comments = await readComments(context.store, id)
  if (comments.length === 0) return []
  const person = await identifyPerson(context, authority, { principal: name, ...came })
  return showComments(comments, authority.persons, person)
}

/** What stands in the record is what was parsed when it came in. */
function parseStoredProposal({ proposal }: Escalation): PolicyProposal | null {
  const read = isObject(proposal) ? parseProposal(proposal) : null
  return read?.ok === true ? read.value : null
}

function toShownRequest(request: EscalationRequest): Shown {
  const { id, kind, dfid, agent_id, step_id, attempt } = request
  const { impact, impact_reasons, exposure, reversible, queue, channel } = request
  const { needs, approvers, requested_at, not_before, expires_at } = request
  return {
    ...{ id, kind, dfid, agent_id, step_id, attempt },
    ...{ impact, impact_reasons, exposure, reversible, queue, channel },
    ...{ needs, approvers, requested_at, not_before, expires_at },
  }
}

/** What the agent wrote into its request stands with its claims. Where several are asked, who, by what. */
function describeTrigger(
  trigger: EscalationRequest['triggers'][number],
  isOneOfSeveral: boolean,
): Why {
  const { id, code, domain_code = null, details, channel } = trigger
  const { means } = REASONS[code]
  const { reason: _, ...computed } = details
  const own = code === 'AGENT_ASKS' ? computed : details
  const asked = isOneOfSeveral ? { asked: toPeopleChannel(channel) } : {}
  return { id, code, domain_code, means, details: { ...own, ...asked } }
}

function getMeasures({ trace }: Recorded): EscalationBrief['measures'] {
  return trace.find(({ stage }) => stage === 'preconditions')?.measures ?? {}
}

function toBinds(request: EscalationRequest, shown_facts: Address): Binds {
  const { intent_digest, shown_snapshot, facts_digest, rules_hash, triggers } = request
  const lifts = triggers.map(({ id }) => id)
  return { intent_digest, shown_snapshot, shown_facts, facts_digest, rules_hash, lifts }
}
