/** Channels in ordinary words. */
import type { Channel, ChannelPlace, NoticeKind, NoticeSeverity } from 'rubicon-agents/client'
import type { Standing } from '../../../parts/status.tsx'

export const KIND_WORDS: Readonly<Record<ChannelPlace['kind'], string>> = {
  webhook: 'Webhook',
  slack: 'Slack or compatible',
  mail: 'Mail',
}

export const NOTICE_WORDS: Readonly<Record<NoticeKind, string>> = {
  escalation: 'a request waits for approval',
  expiry: 'a request expired undecided',
  suspension: 'an agent was suspended, by a monitor or a rule',
  dirty_flow: 'half of a job is done',
  manual_review: 'the outcome of an action is unknown',
  drift: 'the world moved under a decision',
  tool_drift: 'a tool is not the approved one',
  needs_review: 'an action was flagged for review',
  adviser_budget: 'an adviser has used up its budget',
}

export const NOTICES: readonly NoticeKind[] = [
  'escalation',
  'expiry',
  'suspension',
  'manual_review',
  'dirty_flow',
  'drift',
  'tool_drift',
  'needs_review',
  'adviser_budget',
]

export const SEVERITY_WORDS: Readonly<Record<NoticeSeverity, string>> = {
  info: 'everything',
  warning: 'warnings and critical',
  critical: 'critical only',
}

export function describePlace(place: ChannelPlace): string {
  if (place.kind === 'mail') return place.to.join(', ')
  return typeof place.url === 'string' ? place.url : `secret ${place.url.secret}`
}

export function describeStanding({
  paused,
  problem,
  waiting,
  standing,
}: Pick<Channel, 'paused' | 'problem' | 'waiting' | 'standing'>): {
  readonly standing: Standing
  readonly word: string
} {
  const { last, attempts, given_up } = standing
  if (paused) return { standing: 'repeated', word: 'paused' }
  if (problem !== null) return { standing: 'rejected', word: 'cannot be used' }
  if (attempts > 0 && waiting > 0 && last?.ok === false)
    return { standing: 'waiting', word: `failing, tried ${attempts} times` }
  if (last === null) return { standing: 'unknown', word: 'not used yet' }
  if (!last.ok)
    return { standing: 'rejected', word: given_up?.at === last.at ? 'given up' : 'failed' }
  return { standing: 'allowed', word: last.notices === 0 ? 'test sent' : 'sent' }
}

export function formatQuiet(seconds: number): string {
  if (seconds === 0) return 'each at once'
  if (seconds % 3_600 === 0) return `one message in ${seconds / 3_600} h`
  return seconds % 60 === 0 ? `one message in ${seconds / 60} min` : `one message in ${seconds} s`
}
