/** A runtime that refunds, and an index over what it has done. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createRuntime, type Runtime, systemClock } from '../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../demo/refunds.ts'
import { countRows } from './count-rows.ts'
import { parseFilter } from './filter.ts'
import type { Indexed } from './indexed.ts'
import { findRows } from './query.ts'
import { type IndexParts, SearchIndex } from './search-index.ts'

export const SECRET = 'order-of-a-customer-who-asked'

export async function refunds(t: TestContext, store = 'memory'): Promise<Runtime> {
  const runtime = await createRuntime({
    store,
    stateDirectory: temporaryFolder(),
    report: () => {},
    capabilities: [refundCapability([])],
  })
  t.after(() => runtime.close())
  await runtime.deploy(buildRefundsContract())
  return runtime
}

export async function act(runtime: Runtime, order: string, amount: string): Promise<string> {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: `ticket about ${order}` })
  await flow.propose({ policy_kind: 'REFUND', params: { order, amount } })
  return flow.dfid
}

export function openIndex(
  { store }: Pick<IndexParts, 'store'>,
  path: string | null = null,
): SearchIndex {
  return new SearchIndex({ store, clock: systemClock, path, pause: async () => {} })
}

export async function follow(index: SearchIndex): Promise<Indexed> {
  for (;;) {
    const indexed = await index.catchUp()
    if (indexed.leaf === indexed.size) return indexed
  }
}

export function find(
  index: SearchIndex,
  query: Readonly<Record<string, string>>,
): readonly string[] {
  const frame = { list: 'flows', own: null, measures: ['refund_usd'], limit: 50 } as const
  const filter = parseFilter(query, frame)
  assert.ok(filter.ok, JSON.stringify(filter))
  const { rows } = findRows(index.database, 'flows', filter.value)
  assert.equal(countRows(index.database, 'flows', filter.value).total, rows.length)
  return rows.map(({ dfid }) => String(dfid))
}

/** In any file of the index. */
export function hasWords(folder: string, words: string = SECRET): boolean {
  return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(words))
}
