/** What of the inbox is on the screen. Rows stay where they are until the reader asks for others. */
import type { InboxRow } from 'rubicon-agents/client'

export type InboxShown = {
  readonly rows: readonly InboxRow[]
  /** On the screen, and not in this tab any more: somebody decided or claimed them, or they expired. */
  readonly gone: ReadonlySet<string>
  /** What came since. */
  readonly fresh: readonly InboxRow[]
}

/** `held` are the rows as they were first shown; null: nothing was shown yet. */
export function deriveShownInbox(
  held: readonly InboxRow[] | null,
  latest: readonly InboxRow[],
): InboxShown {
  if (held === null || held.length === 0) return { rows: latest, gone: new Set(), fresh: [] }
  const found = new Map(latest.map((row) => [row.id, row]))
  const shown = new Set(held.map(({ id }) => id))
  return {
    rows: held.map((row) => found.get(row.id) ?? row),
    gone: new Set(held.filter(({ id }) => !found.has(id)).map(({ id }) => id)),
    fresh: latest.filter(({ id }) => !shown.has(id)),
  }
}

/** The next one that waits: below this one, then from the top, then what came; null: nothing else does. */
export function findNextWaiting({ rows, gone, fresh }: InboxShown, id: string): string | null {
  const at = rows.findIndex((row) => row.id === id)
  const around = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at)), ...fresh]
  return around.find((row) => !gone.has(row.id))?.id ?? null
}
