/**
 * What is open is little beside what has ended, and what went wrong is little beside what went well, so
 * each has an index of its own. A list over several of them is put together from one list of each:
 * nothing is looked for among rows of another kind.
 */
import { type ExecutionStatus, FLOW_STATES, type FlowState } from 'rubicon-kernel'

export type FlowPart = 'running' | 'waiting' | 'aborted' | 'closed'

const FLOW_PARTS: Readonly<Partial<Record<FlowState, FlowPart>>> = {
  ESCALATED: 'waiting',
  ABORTED: 'aborted',
  CLOSED: 'closed',
}

export function toFlowPart(state: FlowState): FlowPart {
  return FLOW_PARTS[state] ?? 'running'
}

export type ExecutionPart = 'open' | 'failed' | 'succeeded'

export function toExecutionPart(status: ExecutionStatus): ExecutionPart {
  if (status === 'SUCCESS') return 'succeeded'
  return status === 'FAILED' || status === 'ABANDONED' ? 'failed' : 'open'
}

export type Part<Name, Word> = { readonly part: Name; readonly words: readonly Word[] }

export function splitIntoParts<Name, Word>(
  words: readonly Word[],
  partOf: (word: Word) => Name,
): readonly Part<Name, Word>[] {
  return [...Map.groupBy(words, partOf)].map(([part, words]) => ({ part, words }))
}

/** Then no row has to be looked at to be counted. */
export function isEveryState(states: readonly FlowState[]): boolean {
  return FLOW_STATES.every((state) => states.includes(state))
}

/** The first of all of them; each is in order, and shorter lists cannot hide what comes later. */
export function mergeLists<Row>(
  lists: readonly (readonly Row[])[],
  order: (a: Row, b: Row) => number,
  limit: number,
): Row[] {
  const rows = lists.flat()
  return lists.length > 1 ? rows.sort(order).slice(0, limit) : rows
}
