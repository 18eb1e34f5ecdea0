/** All pages of a list, one after the other: for what is only of use whole. */
import type { ClientAnswer } from 'rubicon-agents/client'

type Page<T> = { readonly rows: readonly T[]; readonly next: string | null }

export async function loadEveryPage<T>(
  ask: (cursor: string | undefined) => Promise<ClientAnswer<Page<T>>>,
): Promise<ClientAnswer<readonly T[]>> {
  const rows: T[] = []
  for (let cursor: string | undefined; ; ) {
    const answer = await ask(cursor)
    if (!answer.ok) return answer
    rows.push(...answer.body.rows)
    const { next } = answer.body
    if (next === null) return { ...answer, body: rows }
    cursor = next
  }
}
