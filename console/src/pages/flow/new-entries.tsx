/** What a flow writes while somebody reads it waits behind a button: nothing moves under the reader. */
import { type ReactNode, useEffect, useState } from 'react'
import type { EntryEvent } from 'rubicon-agents/events'
import { useLive } from '../../api/live.tsx'
import type { FlowEntry } from './story-parts.ts'
import './new-entries.css'

export function NewEntries({
  flow,
  entries,
  show,
}: {
  readonly flow: string
  /** Those on the screen. */
  readonly entries: readonly FlowEntry[]
  readonly show: () => void
}): ReactNode {
  const { hear } = useLive()
  const [heard, hold] = useState<readonly EntryEvent[]>([])
  useEffect(
    () =>
      hear((event) => {
        if (event.dfid === flow) hold((before) => [...before.slice(-MOST), event])
      }),
    [hear, flow],
  )
  const shown = new Set(entries.map(({ id }) => id))
  const fresh = heard.filter(({ id }) => !shown.has(id))
  return (
    <div className="new-entries" role="status">
      {fresh.length === 0 ? null : (
        <button type="button" onClick={show}>
          {fresh.length > MOST ? `More than ${MOST}` : fresh.length} new in this flow:{' '}
          {fresh.at(-1)?.kind}. Show
        </button>
      )}
    </div>
  )
}

const MOST = 100
