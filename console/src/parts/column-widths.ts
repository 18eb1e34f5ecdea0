/** How wide the columns of tables are, as somebody dragged them: in percent of the table, kept in the browser by its heads. */
export type ColumnWidths = readonly number[]

/** Room for a word, and for the border that is taken hold of. */
const LEAST = 5
/** Of tables that are remembered; the one that was changed longest ago is forgotten. */
const MOST = 40

/** The border at the right of a column: what one column gets its neighbour gives. */
export function moveBorder(widths: ColumnWidths, index: number, by: number): ColumnWidths {
  const [own, next] = [widths[index], widths[index + 1]]
  if (own === undefined || next === undefined) return widths
  const room = Math.max(0, next - LEAST)
  const slack = Math.max(0, own - LEAST)
  const moved = Math.min(room, Math.max(-slack, by))
  return widths.map((width, at) => {
    if (at === index) return own + moved
    return at === index + 1 ? next - moved : width
  })
}

/** What was kept for a table; null: nothing, or something that is no widths of as many columns. */
export function findWidths(kept: string | null, table: string, count: number): ColumnWidths | null {
  const found = new Map(parseKept(kept)).get(table)
  return found?.length === count ? found : null
}

/** Null: the table is as wide as its words again. */
export function keepWidths(
  kept: string | null,
  table: string,
  widths: ColumnWidths | null,
): string {
  const others = parseKept(kept).filter(([name]) => name !== table)
  const rounded = widths?.map((width) => Math.round(width * 10) / 10)
  const all = rounded === undefined ? others : [...others, [table, rounded]]
  return JSON.stringify(all.slice(-MOST))
}

type Kept = readonly [table: string, widths: ColumnWidths]

/** The browser keeps what people may have changed by hand. */
function parseKept(text: string | null): readonly Kept[] {
  if (text === null) return []
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(value: unknown): value is Kept {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [table, widths]: readonly unknown[] = value
  return typeof table === 'string' && Array.isArray(widths) && widths.every(isShare)
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= 100
}
