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
  released: { standing: 'allowed', word: 'approved' },
  sent_back: { standing: 'allowed', word: 'returned to the agent' },
  aborted: { standing: 'rejected', word: 'rejected' },
  expired: { standing: 'rejected', word: 'expired' },
  moot: { standing: 'repeated', word: 'no longer needed' },
  superseded: { standing: 'repeated', word: 'asked again' },
}

/** `decision`: the last one, where a person decided. */
export function describeEnd(as: EndedAs, decision?: string): Shown {
  if (as === 'released' && decision === 'MODIFY') return { ...ENDED.released, word: 'edited' }
  return ENDED[as]
}

const MAY_NOT: ReadonlyMap<string, string> = new Map([
  ['ROLE_MISSING', 'You need the role approver to decide this.'],
  ['SELF_APPROVAL', 'You own this agent, so somebody else has to approve it. You may reject it.'],
  ['PERSON_UNKNOWN', 'Your login is not linked to a person yet. An operator can link it.'],
  ['APPROVER_UNKNOWN', 'You are not one of the approvers of this request.'],
  ['APPROVER_REPEATED', 'You have already approved it. Others have to approve it too.'],
  ['APPROVAL_DIVERGES', 'Others have approved a different version of it.'],
  ['ESCALATION_DECIDED', 'It is already decided.'],
  ['ESCALATION_EXPIRED', 'It has expired.'],
  ['MODIFICATION_IMPOSSIBLE', 'There is no proposal to edit.'],
])

export function mayNotWords(code: string): string {
  return MAY_NOT.get(code) ?? code
}

/** Why there is no Approve: whoever looks may not, or nobody could, since it would be refused. */
export function explainNoOverride(outlook: EscalationBrief['outlook'], code: string): string {
  if (outlook?.kind !== 'refused' || outlook.code !== code) return mayNotWords(code)
  return `If approved now, it would be refused (${code}). Ask again, edit it, or reject it.`
}
