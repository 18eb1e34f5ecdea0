/** What the page of an artifact asks the server. */
import { useRef } from 'react'
import type {
  ArtifactChange,
  ArtifactComparison,
  ArtifactPage,
  ArtifactPlan,
  ArtifactSymbol,
  ArtifactText,
} from 'rubicon-agents/client'
import { loadEveryPage } from '../../api/every-page.ts'
import { type LiveList, useList } from '../../api/use-list.ts'
import { type Asking, type Reply, useReply } from '../../api/use-reply.ts'

export type Kept<T> = Reply<T> & { again(): void }

/** Which artifact, of which trajectory; `at` empty: at the latest entry. */
export type ArtifactAsked = {
  readonly trajectory: string
  readonly name: string
  readonly at: string
}

/** As many as the server lists at once. */
const LISTED = '1000'

/** What was asked last stays on the screen until the next is there. */
function useKept<T>(key: string, ask: Asking<T>): Kept<T> {
  const { reply, again } = useReply<T>(key, ask)
  const last = useRef<Reply<T>>({ state: 'loading' })
  if (reply.state !== 'loading') last.current = reply
  return { ...last.current, again }
}

function pickMoment(at: string): { readonly at?: string } {
  return at === '' ? {} : { at }
}

/** The entry, and one artifact: for where the slider stands. */
export function useMoment(trajectory: string, at: string): Kept<ArtifactPage> {
  return useKept(`artifact moment ${trajectory} ${at}`, (client, signal) => {
    const query = { ...pickMoment(at), limit: '1' }
    return client.listWorldArtifacts({ params: { id: trajectory }, query, signal })
  })
}

export function useSymbols({
  trajectory,
  name,
  at,
}: ArtifactAsked): Kept<readonly ArtifactSymbol[]> {
  return useKept(`symbols ${trajectory} ${at} ${name}`, (client, signal) =>
    loadEveryPage(async (cursor) => {
      const paged = cursor === undefined ? {} : { cursor }
      const query = { name, ...pickMoment(at), ...paged, limit: LISTED }
      const answer = await client.listArtifactSymbols({ params: { id: trajectory }, query, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.symbols, next: answer.body.next } }
    }),
  )
}

export function useText(asked: ArtifactAsked, path: string): Kept<ArtifactText> {
  const { trajectory, name, at } = asked
  return useKept(`text ${trajectory} ${at} ${name} ${path}`, (client, signal) => {
    const query = { name, ...pickMoment(at), ...(path === '' ? {} : { path }) }
    return client.getArtifactText({ params: { id: trajectory }, query, signal })
  })
}

/** Null: it is the same moment. */
export function useComparison(
  { trajectory, name }: Omit<ArtifactAsked, 'at'>,
  from: number,
  to: number,
): Kept<ArtifactComparison | null> {
  return useKept<ArtifactComparison | null>(
    `comparison ${trajectory} ${from} ${to} ${name}`,
    async (client, signal) => {
      if (from === to) return { ok: true, status: 200, body: null }
      const query = { name, from: String(from), to: String(to) }
      return client.compareArtifact({ params: { id: trajectory }, query, signal })
    },
  )
}

/** Open plans at a moment. */
export function usePlans(trajectory: string, at: string): Kept<readonly ArtifactPlan[]> {
  return useKept(`plans ${trajectory} ${at}`, (client, signal) =>
    loadEveryPage(async (cursor) => {
      const paged = cursor === undefined ? {} : { cursor }
      const query = { ...pickMoment(at), ...paged, limit: LISTED }
      const answer = await client.listArtifactPlans({ params: { id: trajectory }, query, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.plans, next: answer.body.next } }
    }),
  )
}

/** The newest first; the empty name: of all artifacts. */
export function useChanges(trajectory: string, name: string): LiveList<ArtifactChange> {
  return useList<ArtifactChange>(
    `artifact changes ${trajectory} ${name}`,
    (change) => `${change.entry} ${change.name}`,
    async (client, cursor, signal) => {
      const query = {
        ...(name === '' ? {} : { name }),
        ...(cursor === undefined ? {} : { cursor }),
      }
      const answer = await client.listArtifactChanges({ params: { id: trajectory }, query, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.changes, next: answer.body.next } }
    },
  )
}
