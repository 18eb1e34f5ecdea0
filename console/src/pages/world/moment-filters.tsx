/** Which trajectory, which kind, and with which other moment this one is compared. */
import type { ReactNode } from 'react'
import type { WorldMoment } from 'rubicon-agents/client'
import { useReply } from '../../api/use-reply.ts'
import { go, replaceQuery, useQuery } from '../../url/location.ts'

export function MomentFilters({
  trajectory,
  head,
  now,
  compared,
}: {
  readonly trajectory: string
  readonly head: WorldMoment
  readonly now: WorldMoment
  readonly compared: string
}): ReactNode {
  const [kind, setKind] = useQuery('kind')
  const { reply } = useReply('trajectories', (client, signal) =>
    client.listTrajectories({ signal }),
  )
  const known = reply.state === 'ready' ? reply.value.trajectories : []
  const names = [...new Set([trajectory, ...known.map((one) => one.trajectory)])]
  return (
    <div className="row moment-filters">
      <label className="row">
        trajectory
        <select
          value={trajectory}
          onChange={(event) => go(`/world/${encodeURIComponent(event.target.value)}`)}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label className="row">
        kind
        <select value={kind} onChange={(event) => setKind(event.target.value)}>
          <option value="">all</option>
          {head.kinds.map(({ kind: one, resources }) => (
            <option key={one} value={one}>
              {one} ({resources})
            </option>
          ))}
        </select>
      </label>
      {compared === '' ? (
        <button
          type="button"
          onClick={() =>
            go(replaceQuery({ since: String(now.moment.seq), at: String(now.moment.seq) }))
          }
        >
          Compare with another moment
        </button>
      ) : (
        <>
          <span>
            compared with entry <strong className="mono">{compared}</strong>; move the slider to the
            other moment
          </span>
          <button type="button" onClick={() => go(replaceQuery({ since: '' }), { replace: true })}>
            Stop comparing
          </button>
        </>
      )}
    </div>
  )
}
