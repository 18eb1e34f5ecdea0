/** Monitors: is the sum of it still right? */
import type { ReactNode } from 'react'
import type { MonitorStatus } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { formatAmount } from '../../parts/amount.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { getMonitorStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { Link } from '../../url/link.tsx'
import { useQuery } from '../../url/location.ts'
import { useKeptOrder } from '../overview/keep-order.ts'
import { MonitorCards } from './monitor-cards.tsx'
import { MonitorDetail } from './monitor-detail.tsx'
import { NEW_MONITOR, NewMonitor } from './monitor-editor.tsx'
import { toMonitorPath } from './monitor-path.ts'
import { listByNearness } from './nearness.ts'

const COLUMNS: readonly Column<MonitorStatus>[] = [
  { head: 'monitor', cell: ({ monitor }) => monitor.name },
  { head: 'state', cell: ({ state }) => <Status {...getMonitorStanding(state)} />, hand: 'corner' },
  { head: 'agent', cell: ({ agent_id }) => agent_id, wide: true, hand: 'bare' },
  {
    head: 'value',
    cell: ({ verdict, state }) => (state === 'NO_DATA' ? '' : formatAmount(verdict.value ?? '')),
    number: true,
  },
  { head: 'samples', cell: ({ verdict }) => verdict.samples, number: true, wide: true },
]
/** Entries after which a monitor may say something else. */
const MOVING: readonly string[] = [
  'commit',
  'settle',
  'policy',
  'contract',
  'lifecycle',
  'evidence',
]

export function MonitorsPage({ id }: { readonly id: string }): ReactNode {
  const [agent] = useQuery('agent')
  const { reply, again } = useReply('monitors', (client, signal) => client.listMonitors({ signal }))
  useBell(({ kind }) => MOVING.includes(kind), again)
  const detail =
    id === '' ? null : id === NEW_MONITOR ? (
      <NewMonitor changed={again} />
    ) : (
      <MonitorDetail key={`${id} ${agent}`} name={id} agent={agent} moved={again} />
    )
  return (
    <Page
      name="monitors"
      actions={
        <Link className="button" href={`/monitors/${encodeURIComponent(NEW_MONITOR)}`}>
          New monitor
        </Link>
      }
    >
      <ListDetail
        list={
          <>
            {reply.state === 'loading' ? <Loading what="monitors" /> : null}
            {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
            {reply.state === 'ready' ? (
              <MonitorList
                monitors={reply.value.monitors}
                selected={`${id} ${agent}`}
                isAlone={id === ''}
              />
            ) : null}
          </>
        }
        detail={detail}
      />
    </Page>
  )
}

function MonitorList({
  monitors,
  selected,
  isAlone,
}: {
  readonly monitors: readonly MonitorStatus[]
  readonly selected: string
  readonly isAlone: boolean
}): ReactNode {
  // Where they are at first they stay while somebody reads.
  const sorted = useKeptOrder(listByNearness(monitors), toMonitorPath)
  if (monitors.length === 0)
    return (
      <Empty
        what="No monitors yet. Add thresholds to a contract, or deploy a monitor file:"
        command="npx rubicon monitors deploy FILE"
      />
    )
  if (isAlone) return <MonitorCards monitors={sorted} />
  return (
    <Rows
      label="monitors"
      rows={sorted}
      columns={COLUMNS}
      keyOf={({ monitor, agent_id }) => `${monitor.name} ${agent_id}`}
      hrefOf={toMonitorPath}
      selected={selected}
    />
  )
}
