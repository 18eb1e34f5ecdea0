import { type ReactNode, useState } from 'react'
import type { Client } from 'rubicon-agents/client'
import { useReply } from '../../api/use-reply.ts'
import { When } from '../../parts/when.tsx'

const PARTS = 4

type Label = { readonly seq: number; readonly at: string }

/** Below the axis: when some of its entries were written. They stay, however far it grows meanwhile. */
export function TimeLabels({
  trajectory,
  last,
}: {
  readonly trajectory: string
  readonly last: number
}): ReactNode {
  const [end] = useState(last)
  const { reply } = useReply<readonly Label[]>(
    `times ${trajectory} ${end}`,
    async (client, signal) => {
      const labels = await Promise.all(
        computePlaces(end).map((seq) => fetchLabel(client, trajectory, seq, signal)),
      )
      return { ok: true, status: 200, body: labels.flat() }
    },
  )
  if (reply.state !== 'ready') return <ol className="time-labels" aria-hidden="true" />
  return (
    <ol className="time-labels small quiet" aria-label="when entries were written">
      {reply.value.map(({ seq, at }) => (
        <li key={seq}>
          <span className="mono">{seq}</span> <When at={at} />
        </li>
      ))}
    </ol>
  )
}

/** Evenly over the axis; of a short one each once. */
function computePlaces(end: number): readonly number[] {
  const all = Array.from({ length: PARTS + 1 }, (_, part) => Math.round((end * part) / PARTS))
  return [...new Set(all)]
}

async function fetchLabel(
  client: Client,
  id: string,
  seq: number,
  signal: AbortSignal,
): Promise<readonly Label[]> {
  const query = { at: String(seq), limit: '1' }
  const answer = await client.getWorld({ params: { id }, query, signal })
  return answer.ok ? [{ seq, at: answer.body.moment.at }] : []
}
