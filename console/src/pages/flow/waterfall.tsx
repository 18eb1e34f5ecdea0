/** Where the time went. Working time is to scale; what is long and idle is folded, and says how long. */
import { type ReactNode, useState } from 'react'
import { formatDuration as spanText } from '../../time/clock.ts'
import type { Span } from './story-parts.ts'
import { type Bar, computeBars } from './waterfall-bars.ts'
import './waterfall.css'

export function Waterfall({ spans }: { readonly spans: readonly Span[] }): ReactNode {
  const [unfolded, setUnfolded] = useState(false)
  const bars = computeBars(spans, unfolded)
  const hasFolded = computeBars(spans, false).some(({ folded }) => folded)
  if (bars.length === 0) return <p className="quiet">Nothing has happened since.</p>
  return (
    <figure className="waterfall">
      <figcaption className="row small quiet">
        <span>{spanText(spans.reduce((sum, { ms }) => sum + ms, 0))} in total</span>
        {hasFolded ? (
          <button type="button" className="plain" onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? 'Shorten idle time' : 'Show idle time to scale'}
          </button>
        ) : null}
      </figcaption>
      <ol className="waterfall-bars">
        {bars.map((bar) => (
          <BarRow key={bar.span.to.id} bar={bar} />
        ))}
      </ol>
    </figure>
  )
}

function BarRow({ bar }: { readonly bar: Bar }): ReactNode {
  const { span, left, width, folded } = bar
  const label = `${span.what}, ${spanText(span.ms)}${folded ? ', not to scale' : ''}`
  return (
    <li className="waterfall-row">
      <span className="small waterfall-what">
        {span.what} <span className="quiet">→ {span.to.kind}</span>
      </span>
      <span className="waterfall-track">
        <span
          className={`waterfall-bar waterfall-${span.who}${folded ? ' waterfall-folded' : ''}`}
          style={{ left: `${left}%`, width: `${width}%` }}
          title={label}
        />
      </span>
      <span className="number small">
        {spanText(span.ms)}
        {folded ? ' ⋯' : ''}
      </span>
    </li>
  )
}
