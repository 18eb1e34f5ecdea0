/** A list of settings with what was opened from it: asked for once, and again after something was changed. */
import type { ReactNode } from 'react'
import type { Client, ClientAnswer } from 'rubicon-agents/client'
import { type Replied, useReply } from '../../api/use-reply.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'

export type AdminListProps<T> = {
  readonly what: string
  readonly tab: string
  readonly id: string
  readonly ask: (client: Client, signal: AbortSignal) => Promise<ClientAnswer<readonly T[]>>
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  /** What stands above the rows: what these are, and what can be added. */
  readonly lead: (asked: Replied<readonly T[]>) => ReactNode
  readonly empty: ReactNode
  /** Null: the row is gone. */
  readonly detail: (row: T | null, rows: readonly T[], again: () => void) => ReactNode
}

export function AdminList<T>({
  what,
  tab,
  id,
  ask,
  columns,
  keyOf,
  lead,
  empty,
  detail,
}: AdminListProps<T>): ReactNode {
  const asked = useReply(tab, ask)
  const { reply, again } = asked
  if (reply.state === 'loading') return <Loading what={what} />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  const rows = reply.value
  const open = rows.find((row) => keyOf(row) === id) ?? null
  return (
    <ListDetail
      list={
        <div className="settings-list">
          {lead(asked)}
          {rows.length === 0 ? (
            empty
          ) : (
            <Rows
              label={what}
              rows={rows}
              columns={id === '' ? columns : columns.filter(({ wide }) => wide !== true)}
              keyOf={keyOf}
              hrefOf={(row) => toSettingHref(tab, keyOf(row))}
              selected={id}
            />
          )}
        </div>
      }
      detail={id === '' ? null : detail(open, rows, again)}
    />
  )
}

export function toSettingHref(tab: string, id: string): string {
  return `/settings${id === '' ? '' : `/${encodeURIComponent(id)}`}?in=${tab}`
}
