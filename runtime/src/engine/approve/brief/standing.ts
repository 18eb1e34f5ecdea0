/**
 * Whether whoever asks could decide this, by the law that will judge the decision (`judgeDecision`):
 * it is asked about a decision in which everything else is right.
 */
import {
  buildApprovalBody,
  type DecisionFacts,
  type DecisionWord,
  type EscalationDecision,
  findPinnedContract,
  formatInstant,
  judgeDecision,
  LIMITS,
  NOBODY,
  parseInstant,
  type ReasonCode,
  resolveDecisionPersons,
} from 'rubicon-kernel'
import type { FlowRow } from '../../../ports/store.ts'
import { type CameBy, identifyPerson } from '../../authority/persons/person-behind.ts'
import type { Context } from '../../engine-context.ts'
import type { Escalation } from '../../rows/stored-escalation.ts'
import { verifyDecider } from '../approver.ts'
import type { Outlook } from './as-if-approved.ts'

/** Who looks at a request. */
export type Onlooker = Omit<CameBy, 'principal'> & {
  readonly name: string
  /** The role that decides. */
  readonly approver: boolean
}

/** Why not, by a code; null: they may. */
export type DecisionStanding = Readonly<Record<DecisionWord, ReasonCode | 'ROLE_MISSING' | null>>

export async function judgeStanding(
  context: Context,
  body: Escalation,
  flow: FlowRow,
  { name, approver, ...came }: Onlooker,
): Promise<DecisionStanding> {
  if (!approver) return { OVERRIDE: NO_ROLE, MODIFY: NO_ROLE, ABORT: NO_ROLE }
  const { request, counted } = body
  const { now, authority_seq } = await context.store.readNow(flow.trajectory)
  const authority = await context.authorities.loadCurrent(authority_seq)
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  const named = deployed?.persons ?? { owner: NOBODY, approvers: [] }
  const person = await identifyPerson(context, authority, { principal: name, ...came })
  const decision = buildFlawlessDecision(body, now)
  const by = await verifyDecider(
    context,
    authority,
    { principal: name, person },
    buildApprovalBody(request, decision, name, person),
    decision,
  )
  const facts = {
    now: computeReadingEnd(request, now),
    open: flow.state === 'ESCALATED' && body.ended === null && body.approval === null,
    by,
    ...resolveDecisionPersons(authority.persons, named, counted),
  }
  const findRefusalCode = (word: DecisionWord): ReasonCode | null => {
    const { modification, ...said } = buildSupposedDecision(request, word, counted, person)
    const asked = modification === null ? {} : { modification: modification.digest }
    return (
      judgeDecision(request, { ...decision, ...said, ...asked }, { ...facts, modification })
        ?.code ?? null
    )
  }
  return {
    OVERRIDE: findRefusalCode('OVERRIDE'),
    MODIFY: findRefusalCode('MODIFY'),
    ABORT: findRefusalCode('ABORT'),
  }
}

/** A yes that could only come to nothing is not offered; `outlookRefusal` refuses it where it is given. */
export function applyOutlook(
  outlook: Outlook | null,
  standing: DecisionStanding,
): DecisionStanding {
  const refusal = outlook?.kind === 'refused' ? outlook.code : null
  return { ...standing, OVERRIDE: standing.OVERRIDE ?? refusal }
}

const NO_ROLE = 'ROLE_MISSING'

function buildFlawlessDecision({ request }: Escalation, now: string): EscalationDecision {
  const { intent_digest, shown_snapshot, triggers, impact, acknowledge = '' } = request
  const from = parseInstant(computeReadingEnd(request, now)) ?? 0
  return {
    decision: 'OVERRIDE',
    intent_digest,
    shown_snapshot,
    lifts: triggers.map(({ id }) => id),
    valid_until: formatInstant(from + LIMITS.dispatchWithinMs),
    justification: 'as if',
    acknowledged_impact: impact,
    acknowledgement: acknowledge,
  }
}

/** Whoever has to wait until then may decide; until when, the request says. */
function computeReadingEnd({ not_before }: Escalation['request'], now: string): string {
  return formatInstant(Math.max(parseInstant(now) ?? 0, parseInstant(not_before) ?? 0))
}

/**
 * Where others have approved already, the same as they. What somebody would make of it is not known: a
 * modification of little is anybody's who may decide, and one of more is refused when it is judged.
 */
function buildSupposedDecision(
  { id, intent_digest, not_before }: Escalation['request'],
  word: DecisionWord,
  counted: Escalation['counted'],
  judged_for: string,
): Pick<EscalationDecision, 'decision' | 'modified'> & Pick<DecisionFacts, 'modification'> {
  const [first] = counted
  if (word !== 'MODIFY') return { decision: word, modification: null }
  const little = { impact: 'LOW_IMPACT', impact_reasons: [], exposure: null, not_before } as const
  const judged = { request_id: id, judged_for, proposal_hash: intent_digest, ...little }
  const modified = first?.modified ?? { params: {} }
  return { decision: word, modified, modification: { judged, digest: intent_digest } }
}
