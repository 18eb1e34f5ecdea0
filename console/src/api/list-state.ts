/** What a live list holds, and how it changes. Rows on the screen are never moved by what comes in. */
export type Listed<T> = {
  readonly rows: readonly T[]
  readonly next: string | null
  /** New ones, newest first, not shown yet. */
  readonly fresh: readonly T[]
}

type Page<T> = { readonly rows: readonly T[]; readonly next: string | null }

/** The newest page was read again. */
export function refreshList<T>(
  before: Listed<T> | null,
  page: Page<T>,
  idOf: (row: T) => string,
): Listed<T> {
  if (before === null || before.rows.length === 0) return { ...page, fresh: [] }
  const read = new Map(page.rows.map((row) => [idOf(row), row]))
  const shown = new Set(before.rows.map(idOf))
  const first = page.rows.findIndex((row) => shown.has(idOf(row)))
  const ahead = first < 0 ? page.rows : page.rows.slice(0, first)
  return {
    rows: before.rows.map((row) => read.get(idOf(row)) ?? row),
    next: before.next,
    fresh: ahead.filter((row) => !shown.has(idOf(row))),
  }
}

export function appendOlder<T>(
  before: Listed<T>,
  page: Page<T>,
  idOf: (row: T) => string,
): Listed<T> {
  const shown = new Set(before.rows.map(idOf))
  const older = page.rows.filter((row) => !shown.has(idOf(row)))
  return { ...before, rows: [...before.rows, ...older], next: page.next }
}

/** The reader wants to see what came. */
export function gatherFresh<T>({ rows, next, fresh }: Listed<T>): Listed<T> {
  return { rows: [...fresh, ...rows], next, fresh: [] }
}
