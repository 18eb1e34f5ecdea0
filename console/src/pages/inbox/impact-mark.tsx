import type { ReactNode } from 'react'
import type { Impact } from 'rubicon-agents/client'
import './impact-mark.css'

/** How much harm a yes without reading could do: an icon and a word. */
export function ImpactMark({ impact }: { readonly impact: Impact }): ReactNode {
  const high = impact === 'HIGH_IMPACT'
  return (
    <span className={high ? 'impact impact-high' : 'impact'}>
      <span aria-hidden="true">{high ? '⚠' : '·'}</span> {high ? 'HIGH' : 'low'}
    </span>
  )
}
