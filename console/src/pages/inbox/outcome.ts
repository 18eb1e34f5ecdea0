/** What became of a request, in a word. */
import type { Decided, EscalationBrief } from 'rubicon-agents/client'
import type { Standing } from '../../parts/status.tsx'
import { describeEnd } from './inbox-words.ts'

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
  if (ended !== null) return { ...describeEnd(ended.as), code: null }
  const word =
    state === 'approved' ? 'approved' : `${decisions.length} of ${needs} have approved it`
  return { standing: 'running', word, code: null }
}

function describeOwnOutcome({ outcome, missing, answer }: Decided): Outcome {
  switch (outcome) {
    case 'aborted':
      return { standing: 'rejected', word: 'rejected: the flow has ended', code: null }
    case 'sent_back':
      return { standing: 'allowed', word: 'returned: the agent continues', code: null }
    case 'waiting':
      return {
        standing: 'waiting',
        word: `your approval is recorded: ${missing} more needed`,
        code: null,
      }
    case 'approved':
      return { standing: 'running', word: 'approved: an executor will run it', code: null }
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
    return { standing: 'waiting', word: 'approved, but it needs another approval', code }
  return { standing: 'rejected', word: 'approved, but refused when it was checked again', code }
}
