/**
 * A page that has something on it. The server looks through so much for one request, and what is rare
 * may stand far behind: an empty page with a `next` is no end.
 */
import type { ClientAnswer } from 'rubicon-agents/client'

type Page = { readonly rows: readonly unknown[]; readonly next: string | null }

export async function loadFilledPage<Filled extends Page>(
  ask: (cursor: string | undefined) => Promise<ClientAnswer<Filled>>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ClientAnswer<Filled>> {
  for (let from = cursor; ; ) {
    const answer = await ask(from)
    if (!answer.ok || signal.aborted) return answer
    const { rows, next } = answer.body
    if (rows.length > 0 || next === null) return answer
    from = next
  }
}
