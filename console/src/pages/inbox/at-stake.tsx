/** What is at stake in a row: how much, how far over which limit, and what makes it grave or odd. */
import type { ReactNode } from 'react'
import type { Exposure, Stakes } from 'rubicon-agents/client'
import { Measured } from '../../parts/measured.tsx'
import { describeOver, type StakeWord } from './stake-words.ts'
import './at-stake.css'

export function AtStake({
  exposure,
  stakes,
}: {
  readonly exposure: Exposure | null
  readonly stakes: Stakes | null
}): ReactNode {
  const over = stakes?.over ?? null
  return (
    <>
      {exposure === null ? (
        <span className="stake-none quiet small">no amount</span>
      ) : (
        <Measured amount={exposure.value} measure={exposure.measure} />
      )}
      {over === null ? null : <span className="stake-over quiet small">{describeOver(over)}</span>}
    </>
  )
}

export function StakeWords({ words }: { readonly words: readonly StakeWord[] }): ReactNode {
  if (words.length === 0) return null
  return (
    <span className="stake-words">
      {words.map(({ text, tone }) => (
        <span key={text} className={`stake-word stake-${tone}`}>
          {text}
        </span>
      ))}
    </span>
  )
}
