/** Lists of the API come in pages; a verb shows as many rows as were asked for, or all. */
import { LIMITS } from 'rubicon-kernel'

export type PageQuery = { readonly limit: string; readonly cursor: string | undefined }

export type RowPage<Row> = {
  readonly rows: readonly Row[]
  /** Where more would begin; null: that was all. */
  readonly next: string | null
}

export async function collectRows<Row>(
  most: number,
  readPage: (query: PageQuery) => Promise<RowPage<Row>>,
): Promise<RowPage<Row>> {
  const found: Row[] = []
  for (let cursor: string | undefined; ; ) {
    const limit = String(Math.min(LIMITS.listed, most - found.length))
    const { rows, next } = await readPage({ limit, cursor })
    found.push(...rows)
    if (next === null || found.length >= most) return { rows: found, next }
    cursor = next
  }
}

export const ALL_ROWS: number = Number.MAX_SAFE_INTEGER
