/**
 * Judges what a MODIFY would let happen before anybody decides on it: compiled as it would be, nothing
 * is sent, and of all that it finds only the judgement is kept, with the request.
 *
 * 1. Whoever asks begins to read then: that moment is the store's, and asking again does not move it,
 *    forward or back, unless the impact is another by now.
 * 2. What would be refused is not kept, so that nobody can approve it.
 */
import {
  type Address,
  checkMessage,
  computeModificationDigest,
  type EscalationDecision,
  err,
  type Failure,
  formatAcknowledgement,
  type ImpactFinding,
  isSamePerson,
  type JudgedModification,
  judgeImpact,
  LIMITS,
  type Modification,
  NO_PAST,
  NOBODY,
  ok,
  type Persons,
  parseInstant,
  parseModification,
  type Refusal,
  type Result,
  readBy,
  toAddressed,
} from 'rubicon-kernel'
import { identifyPerson } from '../authority/persons/person-behind.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { buildUnreadableRefusal, toRefusalFailure } from '../rows/refusal-failure.ts'
import {
  buildChangedEscalation,
  type Escalation,
  loadEscalation,
  type StoredEscalation,
} from '../rows/stored-escalation.ts'
import { type DecidedBy, type PersonDeciding, toApproverName } from './approver.ts'
import {
  type AsIfApproved,
  buildSupposedYes,
  compileAsApproved,
  type Outlook,
} from './brief/as-if-approved.ts'
import { type BriefEffect, buildBriefEffect } from './brief/effect.ts'
import { applyModification } from './decision-unit.ts'
import { loadNotOpenRefusal } from './not-open.ts'

export type ModificationView = ImpactFinding & {
  readonly request_id: string
  /** By the clock that decides. */
  readonly now: string
  readonly reversible: boolean
  readonly outlook: Outlook
  readonly effect: BriefEffect
  /** What a decision names; null: it would be refused. */
  readonly digest: Address | null
  /** What whoever approves it has to type; null: nothing. */
  readonly acknowledge: string | null
  /** From when on they may. */
  readonly not_before: string | null
}

/** For this person, from now on. */
export async function judgeModification(
  context: Context,
  id: string,
  input: Modification,
  by: PersonDeciding,
): Promise<Result<ModificationView, Failure>> {
  const read = checkMessage(input)
  const modified = read.ok
    ? parseModification(read.value)
    : err(buildUnreadableRefusal(read.error.detail))
  if (!modified.ok) return err(toRefusalFailure(modified.error))
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const stored = await loadEscalation(context, 'open', id)
    if (stored === null) return err(toRefusalFailure(await loadNotOpenRefusal(context, id)))
    const { now, authority_seq } = await context.store.readNow(stored.body.trajectory)
    const authority = await context.authorities.loadCurrent(authority_seq)
    const { persons } = authority
    const asking = { name: by.principal, judged_for: await identifyPerson(context, authority, by) }
    const found = await judgeNow(context, stored.body, modified.value, asking, now)
    if ('code' in found) return err(toRefusalFailure(found))
    if (found.live.outlook.kind === 'refused')
      return ok(toModificationView(context, found, now, null))
    const kept = findKeptJudgement(persons, stored.body, found.judged)
    if (kept !== null) return ok(toModificationView(context, found, now, kept))
    const outcome = await context.store.commit(keepUnit(persons, stored, found.judged))
    if (outcome.ok) return ok(toModificationView(context, found, now, found.judged))
  }
  return err(buildContentionFailure('the request'))
}

/** Whoever is about to decide: by what name, and who that is. */
type Asking = { readonly name: string; readonly judged_for: string }

type Found = { readonly judged: JudgedModification; readonly live: AsIfApproved }

async function judgeNow(
  context: Context,
  body: Escalation,
  modified: Modification,
  { name, judged_for }: Asking,
  now: string,
): Promise<Found | Refusal> {
  const { request } = body
  if (request.kind !== 'proposal')
    return { code: 'MODIFICATION_IMPOSSIBLE', details: { kind: request.kind } }
  if (judged_for === NOBODY) return { code: 'PERSON_UNKNOWN', details: { approver: name } }
  const proposal = applyModification(body, { modified })
  const { address: proposal_hash } = toAddressed('proposal', proposal, context.sha256)
  const yes = buildSupposedYes(request, name)
  // Judged as the most that it can be, so that it is not the impact that asks.
  const most = { ...yes, decision: 'MODIFY', binds: proposal_hash, impact: 'HIGH_IMPACT' } as const
  const live = await compileAsApproved(context, { ...body, proposal }, most)
  if (live === null)
    return { code: 'MODIFICATION_IMPOSSIBLE', details: { detail: 'it cannot be read here' } }
  const { description } = live.law
  const found = judgeImpact(description, live.measures, request.past ?? NO_PAST)
  const words = formatAcknowledgement(description, modified.params, found.exposure)
  const judged: JudgedModification = {
    request_id: request.id,
    judged_for,
    proposal_hash,
    ...found,
    ...(found.impact === 'LOW_IMPACT' ? {} : { acknowledge: words }),
    not_before: readBy(parseInstant(now) ?? 0, found.impact),
  }
  return { judged, live }
}

/** The same person has begun to read the same before. */
function findKeptJudgement(
  persons: Persons,
  body: Escalation,
  { judged_for, proposal_hash, impact }: JudgedModification,
): JudgedModification | null {
  const known = findJudgement(persons, body, judged_for, proposal_hash)
  return known?.impact === impact ? known : null
}

function findJudgement(
  persons: Persons,
  { judged }: Escalation,
  person: string,
  proposal_hash: Address,
): JudgedModification | null {
  const isIt = (one: JudgedModification): boolean =>
    one.proposal_hash === proposal_hash && isSamePerson(persons, one.judged_for, person)
  return judged.find(isIt) ?? null
}

/** Of each person the latest few: nobody reads a hundred at once. */
function keepUnit(
  persons: Persons,
  stored: StoredEscalation,
  fresh: JudgedModification,
): ReturnType<typeof buildChangedEscalation> {
  const { body } = stored
  const isOwn = ({ judged_for }: JudgedModification): boolean =>
    isSamePerson(persons, judged_for, fresh.judged_for)
  const others = body.judged.filter((one) => !isOwn(one))
  const own = body.judged.filter((one) => isOwn(one) && one.proposal_hash !== fresh.proposal_hash)
  const judged = [...others, ...own.slice(1 - LIMITS.modificationsJudged), fresh]
  return buildChangedEscalation(stored, { ...body, judged })
}

function toModificationView(
  { book, sha256 }: Context,
  { judged, live }: Found,
  now: string,
  kept: JudgedModification | null,
): ModificationView {
  const { request_id, impact, impact_reasons, exposure, acknowledge } = kept ?? judged
  const { proposal, law, outlook, facts, contract } = live
  const capability = book.capability(proposal.policy_kind)
  return {
    ...{ request_id, now, impact, impact_reasons, exposure, outlook },
    reversible: law.description.reversible,
    effect: buildBriefEffect(capability, proposal.params, facts, contract),
    digest: kept === null ? null : computeModificationDigest(kept, sha256),
    acknowledge: acknowledge ?? null,
    not_before: kept?.not_before ?? null,
  }
}

/** Who decides, if it is a person, and who is who at that moment. */
type DecidedWhen = { readonly persons: Persons; readonly person: string; readonly now: string }

/** As it was judged for this person; an agent's is judged now. Null: it is no MODIFY, or nobody did. */
export async function resolveModification(
  context: Context,
  body: Escalation,
  { modified }: EscalationDecision,
  by: DecidedBy,
  { persons, person, now }: DecidedWhen,
): Promise<{ readonly judged: JudgedModification; readonly digest: Address } | null> {
  if (modified === undefined) return null
  const name = toApproverName(by)
  const judged =
    by.kind === 'agent'
      ? await judgeForAgent(context, body, modified, { name, judged_for: name }, now)
      : findJudgement(persons, body, person, computeModifiedAddress(context, body, modified))
  return judged === null
    ? null
    : { judged, digest: computeModificationDigest(judged, context.sha256) }
}

async function judgeForAgent(
  ...asked: Parameters<typeof judgeNow>
): Promise<JudgedModification | null> {
  const found = await judgeNow(...asked)
  return 'code' in found ? null : found.judged
}

function computeModifiedAddress(
  { sha256 }: Context,
  body: Escalation,
  modified: Modification,
): Address {
  return toAddressed('proposal', applyModification(body, { modified }), sha256).address
}
