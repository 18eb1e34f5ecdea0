/** The world as the ledger says it is, at any of its entries. */
import { type ReactNode, useRef } from 'react'
import type { WorldMoment } from 'rubicon-agents/client'
import { type Reply, useReply } from '../../api/use-reply.ts'
import { Id } from '../../parts/id.tsx'
import { ListDetail } from '../../parts/list-detail.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { Term } from '../../parts/term/term.tsx'
import { usePlace, useQuery } from '../../url/location.ts'
import { MomentControls } from './moment-controls.tsx'
import { MomentFilters } from './moment-filters.tsx'
import { ResourceDetail } from './resource-detail.tsx'
import { ResourceTable } from './resource-table.tsx'
import { useFollowedMoment } from './use-followed-moment.tsx'
import { useLastStop } from './use-last-stop.ts'
import { parseName } from './world-rows.ts'
import './world-page.css'

/** As many as the server lists at once. */
const LISTED = '1000'

export function WorldPage({ id }: { readonly id: string }): ReactNode {
  const trajectory = id === '' ? 'main' : id
  return (
    <Page name="world">
      <WorldView key={trajectory} trajectory={trajectory} />
    </Page>
  )
}

type Asked = { readonly at?: string; readonly since?: string; readonly kind?: string }

/** What was asked last stays on the screen until the next is there. */
function useWorld(trajectory: string, asked: Asked): Reply<WorldMoment> & { again(): void } {
  const key = `world ${trajectory} ${JSON.stringify(asked)}`
  const { reply, again } = useReply<WorldMoment>(key, async (client, signal) => {
    const query = { ...asked, limit: LISTED }
    return client.getWorld({ params: { id: trajectory }, query, signal })
  })
  const last = useRef<Reply<WorldMoment>>({ state: 'loading' })
  if (reply.state !== 'loading') last.current = reply
  return { ...last.current, again }
}

function WorldView({ trajectory }: { readonly trajectory: string }): ReactNode {
  const { query } = usePlace()
  const at = query.get('at') ?? ''
  const kind = query.get('kind') ?? ''
  const filter = kind === '' ? {} : { kind }
  const head = useWorld(trajectory, filter)
  const now = useWorld(trajectory, at === '' ? filter : { ...filter, at })
  const page = { trajectory, at, what: 'the world', latest: '/world' }
  const shown = useFollowedMoment(page, head, now)
  if ('instead' in shown) return shown.instead
  return <Moment trajectory={trajectory} head={shown.head} now={shown.now} live={at === ''} />
}

type MomentProps = {
  readonly trajectory: string
  /** At the last entry: every resource that there ever was. */
  readonly head: WorldMoment
  readonly now: WorldMoment
  readonly live: boolean
}

function Moment({ trajectory, head, now, live }: MomentProps): ReactNode {
  const { seq } = now.moment
  const [compared] = useQuery('since')
  const [thing] = useQuery('thing')
  const stop = useLastStop(seq)
  const since = compared === '' ? stop : Number(compared)
  const [from, to] = [Math.min(since, seq), Math.max(since, seq)]
  const delta = useWorld(trajectory, { at: String(to), since: String(from) })
  const changes = delta.state === 'ready' ? delta.value : null
  const isOfThese = changes !== null && changes.moment.seq === to
  const selected = parseName(thing)
  return (
    <div className="world">
      <MomentControls trajectory={trajectory} head={head} now={now} live={live} />
      <MomentFilters trajectory={trajectory} head={head} now={now} compared={compared} />
      <p className="world-root small quiet row">
        <span>
          <Term word="World" /> <Id value={now.root} />
        </span>
        {now.unknown_from === null ? null : (
          <span className="status-unknown">
            ? incomplete from entry {now.unknown_from} on: payloads were erased
          </span>
        )}
        {head.next === null ? null : (
          <span>the first {head.resources.length} resources; choose a kind to see others</span>
        )}
      </p>
      <div className="world-body">
        {head.resources.length === 0 ? (
          <Empty
            what={`Nothing has been committed yet. ${DEMO_INVITATION}`}
            command={DEMO_COMMAND}
          />
        ) : (
          <ListDetail
            list={
              <ResourceTable
                head={head}
                now={now}
                changes={isOfThese ? changes : null}
                compared={compared !== ''}
                backwards={since > seq}
                selected={thing}
              />
            }
            detail={
              selected === null ? null : (
                <ResourceDetail
                  key={thing}
                  trajectory={trajectory}
                  now={now}
                  live={live}
                  kind={selected.kind}
                  id={selected.id}
                />
              )
            }
          />
        )}
      </div>
    </div>
  )
}
