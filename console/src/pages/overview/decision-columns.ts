/** Decisions in columns of equal time, from the first of them to the last. */
import type { DecisionRow } from 'rubicon-agents/client'
import type { ColumnSeries, StackedColumn } from '../../parts/stacked-columns.tsx'
import { formatAbsolute } from '../../time/clock.ts'

export const OUTCOMES: readonly (ColumnSeries & { readonly outcome: DecisionRow['outcome'] })[] = [
  { outcome: 'ACCEPTED', standing: 'allowed', word: 'accepted' },
  { outcome: 'REJECTED', standing: 'rejected', word: 'rejected' },
  { outcome: 'ESCALATED', standing: 'waiting', word: 'asked a person' },
]

const COLUMNS = 24

export type DecisionSpan = {
  readonly columns: readonly StackedColumn[]
  /** How many decisions of an agent fell into each column, busiest agent first. */
  readonly agents: readonly { readonly agent: string; readonly counts: readonly number[] }[]
}

export function groupDecisions(rows: readonly DecisionRow[], utc: boolean): DecisionSpan {
  const times = rows.map(({ at }) => Date.parse(at))
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const width = Math.max(1, (to - from) / COLUMNS)
  const findColumn = (at: string): number =>
    Math.min(COLUMNS - 1, Math.floor((Date.parse(at) - from) / width))
  const grouped = Map.groupBy(rows, ({ at }) => findColumn(at))
  const columns = Array.from({ length: COLUMNS }, (_, index) => {
    const inside = grouped.get(index) ?? []
    return {
      label: formatAbsolute(new Date(from + index * width).toISOString(), utc),
      href: inside[0] === undefined ? null : `/flows/${inside[0].dfid}`,
      counts: OUTCOMES.map(
        ({ outcome }) => inside.filter((decision) => decision.outcome === outcome).length,
      ),
    }
  })
  return { columns, agents: listBusiest(rows, findColumn) }
}

function listBusiest(
  rows: readonly DecisionRow[],
  findColumn: (at: string) => number,
): DecisionSpan['agents'] {
  return [...Map.groupBy(rows, ({ agent_id }) => agent_id)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([agent, decisions]) => {
      const counts = Array.from({ length: COLUMNS }, () => 0)
      for (const { at } of decisions) {
        const column = findColumn(at)
        counts[column] = (counts[column] ?? 0) + 1
      }
      return { agent, counts }
    })
}
