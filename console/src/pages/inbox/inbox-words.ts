/** Requests in plain words. */
import type { EscalationBrief, InboxRow } from 'rubicon-agents/client'
import type { Standing } from '../../parts/status.tsx'

const WITHOUT_PROPOSAL: Readonly<Record<InboxRow['kind'], string>> = {
  proposal: 'a proposal',
  silence: 'an agent fell silent',
  failure: 'effects keep failing',
  asked: 'an agent asks for a person',
}

export function describeRequest({ action, kind }: Pick<InboxRow, 'action' | 'kind'>): string {
  return action ?? WITHOUT_PROPOSAL[kind]
}

type Shown = { readonly standing: Standing; readonly word: string }
type EndedAs = NonNullable<InboxRow['ended']>['as']

const ENDED: Readonly<Record<EndedAs, Shown>> = {
  released: { standing: 'allowed', word: 'released' },
  sent_back: { standing: 'allowed', word: 'sent back' },
  aborted: { standing: 'rejected', word: 'aborted' },
  expired: { standing: 'rejected', word: 'expired' },
  moot: { standing: 'repeated', word: 'moot' },
  superseded: { standing: 'repeated', word: 'asked again' },
}

export function getEndedStanding(as: EndedAs): Shown {
  return ENDED[as]
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['irreversible', 'cannot be taken back'],
  ['risk_high', 'high risk'],
  ['risk_critical', 'critical risk'],
  ['exposure', 'more at stake than usual'],
  ['unusual', 'unusual for this agent'],
])

export function describeImpact({
  impact_reasons,
  reversible,
}: Pick<EscalationBrief, 'impact_reasons' | 'reversible'>): string {
  const reasons = impact_reasons.map((reason) => REASONS.get(reason) ?? reason)
  return (
    reasons.length > 0 ? reasons : [reversible ? 'can be taken back' : 'little at stake']
  ).join(' · ')
}

const MAY_NOT: ReadonlyMap<string, string> = new Map([
  ['ROLE_MISSING', 'Deciding takes the role approver.'],
  ['SELF_APPROVAL', 'You answer for this agent, so somebody else approves it. You may abort it.'],
  ['PERSON_UNKNOWN', 'Nobody has said who this login is; an operator links it to a person.'],
  ['APPROVER_UNKNOWN', 'You are not among those who may decide this.'],
  ['APPROVER_REPEATED', 'You have approved it already; others have to agree.'],
  ['APPROVAL_DIVERGES', 'Others have approved something else.'],
  ['ESCALATION_DECIDED', 'It is decided.'],
  ['ESCALATION_EXPIRED', 'Its time is over.'],
  ['MODIFICATION_IMPOSSIBLE', 'There is no proposal to modify.'],
])

export function mayNotWords(code: string): string {
  return MAY_NOT.get(code) ?? code
}

/** Why there is no Override: whoever looks may not, or nobody could, since it would be refused. */
export function explainNoOverride(outlook: EscalationBrief['outlook'], code: string): string {
  if (outlook?.kind !== 'refused' || outlook.code !== code) return mayNotWords(code)
  return `A yes would be refused as it stands (${code}): ask again, modify it, or abort it.`
}
