/** Why a request is not decided together with others; everybody can open it and decide it by itself. */
import type { EscalationBrief } from 'rubicon-agents/client'
import { explainNoOverride, mayNotWords } from '../inbox-words.ts'

export type BatchWord = 'OVERRIDE' | 'ABORT'

/** Null: nothing. It is asked of every request twice: when it is shown, and before it is decided. */
export function findBatchObstacle(brief: EscalationBrief, word: BatchWord): string | null {
  const { state, impact, acknowledge, kind, may, outlook, claimed } = brief
  if (state !== 'open') return 'It is decided already.'
  if (impact !== 'LOW_IMPACT' || acknowledge !== null)
    return 'It has a high impact: open it to decide it.'
  if (kind !== 'proposal') return 'It has no proposal: open it to decide it.'
  const code = may[word]
  if (code !== null)
    return word === 'OVERRIDE' ? explainNoOverride(outlook, code) : mayNotWords(code)
  if (word === 'OVERRIDE' && outlook !== null && outlook.kind !== 'runs')
    return 'If approved now, it would not run: open it to ask again.'
  return claimed === null || claimed.yours
    ? null
    : `${claimed.by} looks after it: open it to decide it anyway.`
}
