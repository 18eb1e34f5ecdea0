/** The window as a line: when it opened and closed, and when each agent was answered. */
import type { ReactNode } from 'react'
import type { EventAccount, EventMember } from 'rubicon-agents/client'
import { describeAnswer } from './event-words.ts'
import { listWindowMarks, type WindowMark } from './window-marks.ts'
import './window-picture.css'

const LINE_PX = 22
const AXIS_PX = 14
/** Marks for which there is room; the list below has all. */
const MOST = 12

/** Words stay as large as they are: only places are in percent. */
export function WindowPicture({
  event,
  members,
}: {
  readonly event: EventAccount
  readonly members: readonly EventMember[]
}): ReactNode {
  const marks = listWindowMarks(event, members).slice(0, MOST)
  if (marks.length === 0 || event.closes_at === null) return null
  const lines = Math.max(...marks.map(({ line }) => line)) + 1
  const seconds = (Date.parse(event.closes_at) - Date.parse(event.at)) / 1_000
  return (
    <svg
      className="window-picture"
      height={AXIS_PX + lines * LINE_PX + 6}
      role="img"
      aria-label={`a window of ${seconds} seconds; ${marks.map(describeMark).join('; ')}`}
    >
      <line className="window-axis" x1="0" x2="100%" y1={AXIS_PX} y2={AXIS_PX} />
      <line className="window-axis" x1="1" x2="1" y1={AXIS_PX - 6} y2={AXIS_PX + 6} />
      <text className="window-word" x="6" y={AXIS_PX - 4}>
        observed
      </text>
      <text className="window-word" x="100%" y={AXIS_PX - 4} textAnchor="end">
        {seconds} s
      </text>
      {marks.map((mark) => (
        <Mark key={mark.dfid} mark={mark} />
      ))}
    </svg>
  )
}

function Mark({
  mark: { agent, rank, outcome, at, line },
}: {
  readonly mark: WindowMark
}): ReactNode {
  const { standing } = describeAnswer(outcome)
  const y = AXIS_PX + 8 + line * LINE_PX
  // Beyond the middle words stand before their mark, so that they are not cut off.
  const isLeft = at > 50
  const x = `${Math.min(99, Math.max(1, at))}%`
  return (
    <g className={`status-${standing}`}>
      <circle cx={x} cy={y + 6} r="5" fill="currentColor" />
      <text
        className="window-mark"
        x={x}
        y={y + 10}
        dx={isLeft ? -10 : 10}
        textAnchor={isLeft ? 'end' : 'start'}
      >
        {rank === null ? '' : `${rank} `}
        {agent}
      </text>
    </g>
  )
}

function describeMark({ agent, rank, outcome }: WindowMark): string {
  return `${rank === null ? '' : `${rank}: `}${agent} ${describeAnswer(outcome).word}`
}
