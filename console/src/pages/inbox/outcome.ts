/** What became of a request, in a word. */
import type { Decided, EscalationBrief } from 'rubicon-agents/client'
import type { Standing } from '../../parts/status.tsx'
import { getEndedStanding } from './inbox-words.ts'

export type Outcome = {
  readonly standing: Standing
  readonly word: string
  readonly code: string | null
}

export function describeOutcome(
  { ended, state, needs, decisions }: EscalationBrief,
  decided: Decided | null,
): Outcome {
  if (decided !== null) return describeOwnOutcome(decided)
  if (ended !== null) return { ...getEndedStanding(ended.as), code: null }
  const word =
    state === 'approved' ? 'approved' : `${decisions.length} of ${needs} have approved it`
  return { standing: 'running', word, code: null }
}

function describeOwnOutcome({ outcome, missing, answer }: Decided): Outcome {
  switch (outcome) {
    case 'aborted':
      return { standing: 'rejected', word: 'aborted: the flow has ended', code: null }
    case 'sent_back':
      return { standing: 'allowed', word: 'sent back: the agent goes on', code: null }
    case 'waiting':
      return { standing: 'waiting', word: `counted: ${missing} more to approve`, code: null }
    case 'approved':
      return { standing: 'running', word: 'approved: its runtime carries it out', code: null }
    case 'released':
      return describeRelease(answer)
  }
}

/** What was approved is compiled again: it may have run, or been refused after all. */
function describeRelease(answer: Decided['answer']): Outcome {
  const { outcome, execution, reason_code: code = null } = answer ?? {}
  if (outcome === 'ACCEPTED' || outcome === 'REPEATED') {
    const status = execution?.status ?? 'PENDING'
    const standing = status === 'SUCCESS' ? 'allowed' : status === 'FAILED' ? 'rejected' : 'unknown'
    const code = execution?.reason_code ?? null
    return { standing, word: `it ran: ${status.toLowerCase().replaceAll('_', ' ')}`, code }
  }
  if (outcome === 'ESCALATED')
    return { standing: 'waiting', word: 'it asks again, for something else', code }
  return { standing: 'rejected', word: 'approved, and refused at its release', code }
}
