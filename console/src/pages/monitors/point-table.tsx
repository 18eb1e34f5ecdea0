/** The chart as a table: the same points, for whoever does not see it, and by keys. */
import { type ReactNode, useState } from 'react'
import type { SeriesPoint } from 'rubicon-agents/client'
import { type Standing, Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'

const SHOWN = 20

const SAYS: Readonly<Record<SeriesPoint['says'], readonly [Standing, string]>> = {
  ok: ['allowed', 'ok'],
  trip: ['rejected', 'tripped'],
  no_data: ['unknown', 'no data'],
}

export function PointTable({
  points,
  chosen,
  choose,
}: {
  readonly points: readonly SeriesPoint[]
  readonly chosen: string
  readonly choose: (leaf: string) => void
}): ReactNode {
  const [all, showAll] = useState(false)
  if (points.length === 0) return null
  const newest = points.toReversed()
  return (
    <details open={chosen !== ''}>
      <summary>The points as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <div className="points" tabIndex={0}>
        <Table
          label="points"
          columns={[
            'when',
            { name: 'value', is: 'number' },
            { name: 'samples', is: 'number' },
            'result',
            'flows',
          ]}
        >
          <tbody>
            {(all ? newest : newest.slice(0, SHOWN)).map((point) => (
              <PointRow key={point.leaf} point={point} chosen={chosen} choose={choose} />
            ))}
          </tbody>
        </Table>
      </div>
      {all || newest.length <= SHOWN ? null : (
        <button type="button" onClick={() => showAll(true)}>
          All {newest.length}
        </button>
      )}
    </details>
  )
}

function PointRow({
  point,
  chosen,
  choose,
}: {
  readonly point: SeriesPoint
  readonly chosen: string
  readonly choose: (leaf: string) => void
}): ReactNode {
  const { at, value, samples, says, leaf } = point
  const [standing, word] = SAYS[says]
  return (
    <tr>
      <td>
        <When at={at} />
      </td>
      <td className="number">{value ?? 'none'}</td>
      <td className="number">{samples}</td>
      <td>
        <Status standing={standing} word={word} />
      </td>
      <td>
        <button
          type="button"
          className="plain"
          aria-pressed={chosen === String(leaf)}
          onClick={() => choose(String(leaf))}
        >
          behind entry {leaf}
        </button>
      </td>
    </tr>
  )
}
