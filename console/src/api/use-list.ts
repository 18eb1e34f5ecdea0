/**
 * A list that lives: rows that are on the screen are brought up to date where they stand; rows that are
 * new gather until the reader asks for them; older ones come page by page.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { AnyProblem, Client, ClientAnswer, FilterCounts, Indexed } from 'rubicon-agents/client'
import { loadFilledPage } from './filled-page.ts'
import { appendOlder, gatherFresh, type Listed, refreshList } from './list-state.ts'
import { useClient } from './session.tsx'

/** What a list that is searched says beside its rows. */
export type BesideRows = {
  /** Of the first page. */
  readonly counts: FilterCounts | null
  readonly indexed: Indexed | null
}

export type RowPage<T> = {
  readonly rows: readonly T[]
  readonly next: string | null
} & Partial<BesideRows>
export type AskPage<T> = (
  client: Client,
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<ClientAnswer<RowPage<T>>>

export type LiveList<T> = {
  readonly state: 'loading' | 'failed' | 'ready'
  readonly problem: AnyProblem | null
  readonly rows: readonly T[]
  readonly next: string | null
  readonly beside: BesideRows
  /** How many came since. */
  readonly fresh: number
  readonly showFresh: () => void
  readonly older: () => void
  /** Something happened: look again. */
  readonly look: () => void
}

type Held<T> = { readonly key: string; readonly list: Listed<T>; readonly beside: BesideRows }

const NOTHING_BESIDE: BesideRows = { counts: null, indexed: null }

/** `key` names the list: other filters are another list. */
export function useList<T>(key: string, idOf: (row: T) => string, ask: AskPage<T>): LiveList<T> {
  const client = useClient()
  const [held, hold] = useState<Held<T>>()
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const asking = useRef({ ask, idOf })
  asking.current = { ask, idOf }
  const leaving = useRef(new AbortController())
  const shown = held?.key === key ? held : null
  const list = shown?.list ?? null
  const latest = useRef(shown)
  latest.current = shown
  const read = useCallback(
    async (cursor: string | undefined): Promise<void> => {
      const { signal } = leaving.current
      const ask = (from: string | undefined): Promise<ClientAnswer<RowPage<T>>> =>
        asking.current.ask(client, from, signal)
      const answer = await loadFilledPage(ask, cursor, signal)
      if (signal.aborted) return
      setProblem(answer.ok ? null : answer.problem)
      if (!answer.ok) return
      const { body } = answer
      const before = latest.current?.list ?? null
      const merged =
        cursor === undefined || before === null
          ? refreshList(before, body, asking.current.idOf)
          : appendOlder(before, body, asking.current.idOf)
      const { indexed = null } = body
      const counts = body.counts ?? latest.current?.beside.counts ?? null
      hold({ key, list: merged, beside: { counts, indexed } })
    },
    [client, key],
  )
  useEffect(() => {
    leaving.current = new AbortController()
    const { current } = leaving
    void read(undefined)
    return () => current.abort()
  }, [read])
  return {
    state: list !== null ? 'ready' : problem !== null ? 'failed' : 'loading',
    problem,
    rows: list?.rows ?? [],
    next: list?.next ?? null,
    beside: shown?.beside ?? NOTHING_BESIDE,
    fresh: list?.fresh.length ?? 0,
    showFresh: () => shown !== null && hold({ ...shown, list: gatherFresh(shown.list) }),
    older: () => list !== null && list.next !== null && void read(list.next),
    look: () => void read(undefined),
  }
}
