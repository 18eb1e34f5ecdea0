/** How an agent's proposals of the last day ended, by what it remembers of them. */
import { formatInstant, LIMITS, parseInstant } from 'rubicon-kernel'
import type { Store } from '../../../ports/store.ts'

const DAY_MS = 86_400_000

export type VerdictMix = {
  /** Counted from here on: a day ago, or later where more was decided than is remembered. */
  readonly since: string
  readonly outcomes: Readonly<Record<string, number>>
  /** Reasons of what did not succeed, the most frequent first. */
  readonly reasons: readonly { readonly code: string; readonly count: number }[]
  /** When it last heard a verdict; null: not in this time. */
  readonly last: string | null
}

const REASONS_SHOWN = 5

export async function loadVerdictMix(
  store: Pick<Store, 'listRecords'>,
  agent: string,
  now: string,
): Promise<VerdictMix> {
  const day = formatInstant((parseInstant(now) ?? 0) - DAY_MS)
  const limit = LIMITS.memoryKept
  const found = await store.listRecords('memory', agent, { after: day, newest: true, limit })
  const outcomes: Record<string, number> = {}
  const reasons = new Map<string, number>()
  for (const { body } of found) {
    outcomes[body.outcome] = (outcomes[body.outcome] ?? 0) + 1
    const { reason_code: code } = body
    if (code !== null) reasons.set(code, (reasons.get(code) ?? 0) + 1)
  }
  const since = found.length < limit ? day : (found.at(-1)?.body.at ?? day)
  return { since, outcomes, reasons: listMostFrequent(reasons), last: found[0]?.body.at ?? null }
}

function listMostFrequent(reasons: ReadonlyMap<string, number>): VerdictMix['reasons'] {
  return [...reasons]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, REASONS_SHOWN)
}
