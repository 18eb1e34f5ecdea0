import type { ReactNode } from 'react'
import { useReply } from '../../api/use-reply.ts'
import { toArtifactPath } from '../../url/artifact-path.ts'
import { go } from '../../url/location.ts'

/** Which trajectory is shown, where there is more than one. */
export function TrajectoryChoice({
  trajectory,
  name = '',
}: {
  readonly trajectory: string
  /** The artifact that is open. */
  readonly name?: string
}): ReactNode {
  const { reply } = useReply('trajectories', (client, signal) =>
    client.listTrajectories({ signal }),
  )
  const known = reply.state === 'ready' ? reply.value.trajectories : []
  const names = [...new Set([trajectory, ...known.map((one) => one.trajectory)])]
  if (names.length < 2) return null
  return (
    <label className="row artifacts-trajectory">
      trajectory
      <select
        value={trajectory}
        onChange={(event) => go(toArtifactPath(name, { trajectory: event.target.value }))}
      >
        {names.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
}
