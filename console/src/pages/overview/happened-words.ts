/** What happened lately, as sentences. */
import type { HappenedEvent } from 'rubicon-agents/client'
import type { Standing } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'

type Told = {
  readonly standing: Standing
  readonly words: string
  /** Reasons are quoted; names and versions belong to the sentence. */
  readonly said: boolean
}

const TOLD: Readonly<Record<HappenedEvent['what'], Told>> = {
  suspended: { standing: 'rejected', words: 'suspended', said: true },
  reactivated: { standing: 'allowed', words: 'reactivated', said: true },
  retired: { standing: 'repeated', words: 'retired', said: true },
  tripped: { standing: 'rejected', words: 'monitor tripped', said: false },
  approved: { standing: 'allowed', words: 'request approved', said: true },
  modified: { standing: 'allowed', words: 'request edited and approved', said: true },
  aborted: { standing: 'rejected', words: 'request rejected', said: true },
  deployed: { standing: 'running', words: 'contract deployed', said: false },
  revoked: { standing: 'rejected', words: 'revoked', said: false },
  rules: { standing: 'running', words: 'rules put in force', said: false },
  watched: { standing: 'running', words: 'monitor added', said: false },
  unwatched: { standing: 'repeated', words: 'monitor removed', said: false },
  key: { standing: 'running', words: 'key', said: false },
  erased: { standing: 'repeated', words: 'flow erased', said: false },
}

export type HappenedWords = {
  readonly standing: Standing
  readonly words: string
  /** Who did it and why, where the entry says. */
  readonly more: string
}

export function describeHappened({ what, agent, who, detail }: HappenedEvent): HappenedWords {
  const told = TOLD[what] ?? { standing: 'unknown', words: what, said: false }
  const longest = told.said ? LONGEST_REASON : LONGEST_NAME
  const shown = detail === null ? null : shorten(toVisibleText(detail), longest)
  const name = told.said ? null : shown
  const words = [agent === null ? null : `${agent}:`, told.words, name].filter(isSaid).join(' ')
  const by = who === null ? null : `by ${toVisibleText(who)}`
  const reason = told.said && shown !== null ? `“${shown}”` : null
  return { standing: told.standing, words, more: [by, reason].filter(isSaid).join(', ') }
}

const LONGEST_REASON = 80
/** Of a hash nobody reads more. */
const LONGEST_NAME = 32

function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function isSaid(text: string | null): text is string {
  return text !== null && text !== ''
}
