/** The scrubber. Its axis is the entry of the ledger, so that it cannot disagree with it. */
import { type ReactNode, useEffect, useState } from 'react'
import type { WorldMoment } from 'rubicon-agents/client'
import { useKeys } from '../../keys/keys.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { go, replaceQuery } from '../../url/location.ts'
import { TimeLabels } from './time-labels.tsx'

const STEP_MS = 700

export type ControlsProps = {
  readonly trajectory: string
  readonly head: Pick<WorldMoment, 'entries'>
  readonly now: Pick<WorldMoment, 'moment'>
  readonly live: boolean
  /** Below the axis. */
  readonly children?: ReactNode
}

export function MomentControls(props: ControlsProps): ReactNode {
  const { trajectory, head, now, live, children } = props
  const last = head.entries - 1
  const { seq, kind, at, id } = now.moment
  const [playing, setPlaying] = useState(false)
  const show = (wanted: number): void => {
    const to = Math.min(last, Math.max(0, wanted))
    go(replaceQuery({ at: String(to) }), { replace: true })
  }
  const showLive = (): void => {
    setPlaying(false)
    go(replaceQuery({ at: '' }), { replace: true })
  }
  useKeys([
    { keys: 'arrowleft', does: 'previous entry', run: () => show(seq - 1) },
    { keys: 'arrowright', does: 'next entry', run: () => show(seq + 1) },
    { keys: 'p', does: 'play or stop', run: () => setPlaying(!playing) },
    { keys: 'end', does: 'latest entry, live', run: showLive },
  ])
  usePlaying(playing, seq, last, show, () => setPlaying(false))
  return (
    <div className="moment">
      <p className="row">
        <button type="button" aria-label="previous entry" onClick={() => show(seq - 1)}>
          ←
        </button>
        <button type="button" onClick={() => setPlaying(!playing)}>
          {playing ? 'Stop' : 'Play'}
        </button>
        <button type="button" aria-label="next entry" onClick={() => show(seq + 1)}>
          →
        </button>
        <button type="button" onClick={showLive} aria-pressed={live}>
          Live
        </button>
        <span>
          entry <strong className="mono">{seq}</strong> of {last},{' '}
          <Link href={`/ledger?q=${encodeURIComponent(id)}`}>{kind}</Link>, <When at={at} />
        </span>
        {live ? <Status standing="running" word="live" /> : null}
      </p>
      <label className="moment-axis">
        <span className="unseen">ledger entry</span>
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={seq}
          aria-valuetext={`entry ${seq}, ${at}`}
          onChange={(event) => show(Number(event.target.value))}
        />
      </label>
      {children}
      <TimeLabels key={trajectory} trajectory={trajectory} last={last} />
    </div>
  )
}

/** One entry after the other, until the last. */
function usePlaying(
  playing: boolean,
  seq: number,
  last: number,
  show: (seq: number) => void,
  stop: () => void,
): void {
  useEffect(() => {
    if (!playing) return
    const timer = setTimeout(() => (seq < last ? show(seq + 1) : stop()), STEP_MS)
    return () => clearTimeout(timer)
  })
}
