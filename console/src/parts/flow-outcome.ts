/** A flow in a word or two: where it is, and where it has ended, what came of it. */
import type { FlowSummary } from 'rubicon-agents/client'
import { getFlowStanding } from './standing.ts'
import type { StatusProps } from './status.tsx'

export type FlowCourse = Pick<FlowSummary, 'state' | 'steps' | 'tags' | 'rejections'> & {
  /** Of its last verdict, where that is known. */
  readonly outcome?: FlowSummary['outcome']
}

export function describeFlowOutcome(flow: FlowCourse): StatusProps {
  const { state, steps, tags, rejections, outcome } = flow
  const shown = getFlowStanding(state)
  const isFlagged = tags.includes('NEEDS_REVIEW')
  const refused = `${rejections} ${rejections === 1 ? 'refusal' : 'refusals'}`
  if (tags.includes('UNKNOWN')) return { standing: 'unknown', word: 'outcome unknown' }
  if (tags.includes('DIRTY')) return { standing: 'waiting', word: `${shown.word}, half done` }
  if (tags.includes('COMPENSATED')) return { standing: 'repeated', word: 'taken back' }
  if (state === 'ACTIVE' && rejections > 0) return { ...shown, word: `${refused}, may try again` }
  if (state === 'ABORTED' && rejections > 0) return { ...shown, word: `aborted, ${refused}` }
  if (state === 'CLOSED') {
    // What lost to another proposal ends like a job that was done.
    const isRefused = steps === 'one' && outcome === 'rejected'
    if (isRefused && !isFlagged) return { standing: 'repeated', word: 'not carried out' }
    const word = steps === 'one' ? 'done' : 'ended by its agent'
    return isFlagged ? { standing: 'waiting', word: `${word}, needs a review` } : { ...shown, word }
  }
  return shown
}
