/** Where on the axis of time proposals were made, from the observation to the end of the window. */
import type { EventAccount, EventMember } from 'rubicon-agents/client'

export type WindowMark = {
  readonly dfid: string
  readonly agent: string
  readonly rank: number | null
  readonly outcome: EventMember['answers'][number]['outcome']
  /** From 0 to 100. */
  readonly at: number
  /** Marks of one moment stand below each other. */
  readonly line: number
}

/** Marks that are closer than that would lie on each other. */
const CLOSE = 8

export function listWindowMarks(
  { at, closes_at }: Pick<EventAccount, 'at' | 'closes_at'>,
  members: readonly EventMember[],
): readonly WindowMark[] {
  const from = Date.parse(at)
  const spoken = members.flatMap(({ answers, ...member }) => {
    const last = answers.at(-1)
    return last === undefined ? [] : [{ ...member, last, moment: Date.parse(last.at) }]
  })
  const end = Math.max(Date.parse(closes_at ?? at), ...spoken.map(({ moment }) => moment))
  const marks: WindowMark[] = []
  for (const { dfid, agent, place, last, moment } of spoken) {
    const share = end === from ? 0 : ((moment - from) / (end - from)) * 100
    const near = marks.filter((mark) => Math.abs(mark.at - share) < CLOSE)
    const { outcome } = last
    marks.push({ dfid, agent, rank: place?.rank ?? null, outcome, at: share, line: near.length })
  }
  return marks
}
