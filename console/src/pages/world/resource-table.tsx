/** The resources of a moment, each in its place; what changed is marked. */
import type { ReactNode } from 'react'
import type { WorldMoment } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { HashText } from '../../parts/hash-text.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { replaceQuery } from '../../url/location.ts'
import { buildWorldRows, formatValue, type WorldRow } from './world-rows.ts'

export type ResourceTableProps = {
  readonly head: WorldMoment
  readonly now: WorldMoment
  readonly changes: WorldMoment | null
  /** Two moments beside each other, and only what differs. */
  readonly compared: boolean
  /** The moment that it is compared with is the later one. */
  readonly backwards: boolean
  readonly selected: string
}

const NAME: Column<WorldRow> = {
  head: 'resource',
  cell: ({ kind, id, changed }) => (
    <span className="wrap">
      {kind} <HashText text={id} />
      {changed ? <span className="world-changed"> ● changed</span> : null}
    </span>
  ),
}

const VERSION: Column<WorldRow> = {
  head: 'version',
  cell: ({ resource }) => resource?.version ?? '',
  number: true,
}

const VALUE: Column<WorldRow> = {
  head: 'value',
  hand: 'bare',
  cell: ({ resource }) => <State state={resource} />,
}

/** The later of the two moments has what it was at the earlier one. */
const COMPARED: readonly Column<WorldRow>[] = [
  NAME,
  { head: 'then', cell: ({ before = null }) => <State state={before} /> },
  VALUE,
]
const BACKWARDS: readonly Column<WorldRow>[] = [
  NAME,
  { head: 'at this entry', cell: ({ before = null }) => <State state={before} /> },
  { head: 'later', cell: ({ resource }) => <State state={resource} /> },
]

export function ResourceTable(props: ResourceTableProps): ReactNode {
  const { head, now, changes, compared, backwards, selected } = props
  const later = backwards && compared && changes !== null ? changes : now
  const all = buildWorldRows(head, later, changes)
  const rows = compared ? all.filter(({ changed }) => changed) : all
  if (rows.length === 0) return <Empty what="There is no difference between these two moments." />
  const both = backwards ? BACKWARDS : COMPARED
  return (
    <Rows
      label="resources"
      rows={rows}
      columns={compared ? both : [NAME, VALUE, VERSION]}
      keyOf={({ name }) => name}
      hrefOf={({ name }) => replaceQuery({ thing: name })}
      selected={selected}
    />
  )
}

type Shown = { readonly value: unknown; readonly retracted: boolean }

function State({ state }: { readonly state: Shown | null }): ReactNode {
  if (state === null) return <span className="quiet">did not exist yet</span>
  if (state.retracted) return <span className="quiet">retracted</span>
  return (
    <span className="world-value mono wrap">
      <AgentText text={formatValue(state.value)} />
    </span>
  )
}
