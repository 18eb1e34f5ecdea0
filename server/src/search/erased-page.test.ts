import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Runtime } from '../../../runtime/src/compose.ts'
import { parseFilter } from './filter.ts'
import { act, follow, openIndex, refunds } from './indexed.test-support.ts'
import { refuseMovedPage } from './moved-page.ts'
import { findRows, listMeasures } from './query.ts'

type Query = Readonly<Record<string, string>>
type Page = { readonly dfids: readonly string[]; readonly next: string | null }

async function erase(runtime: Runtime, dfid: string): Promise<void> {
  const erased = await runtime.engine.oversight.erase({ dfid, reason: 'asked to' })
  assert.ok(erased.ok, JSON.stringify(erased))
}

/** As the lookup of lists does it. */
function ask(database: DatabaseSync, query: Query): Page | string {
  const measures = listMeasures(database, null)
  const filter = parseFilter(query, { list: 'flows', own: null, measures, limit: 1 })
  if (!filter.ok) return filter.error.path
  const moved = refuseMovedPage(database, 'flows', filter.value)
  if (moved !== null) return moved.path
  const { rows, next } = findRows(database, 'flows', filter.value)
  return { dfids: rows.map(({ dfid }) => String(dfid)), next }
}

function askNext(database: DatabaseSync, query: Query, before: Page | string): Page | string {
  return typeof before === 'string'
    ? before
    : ask(database, { ...query, cursor: before.next ?? '' })
}

test('a list of amounts goes on behind a row that was erased meanwhile, and nothing comes twice', async (t) => {
  const runtime = await refunds(t)
  const index = openIndex(runtime)
  t.after(() => index.close())
  const [small, middle, large] = [
    await act(runtime, 'o_1', '10.00'),
    await act(runtime, 'o_2', '20.00'),
    await act(runtime, 'o_3', '30.00'),
  ]
  await runtime.open({ agent: 'refunds_bot', trigger: 'nothing to pay' })
  await follow(index)
  const query = { sort: 'amount' }
  const first = ask(index.database, query)
  assert.deepEqual(typeof first === 'string' ? first : first.dfids, [small])
  await erase(runtime, small)
  await follow(index)
  const second = askNext(index.database, query, first)
  assert.deepEqual(typeof second === 'string' ? second : second.dfids, [middle])
  // Nothing in the index has an amount any more: the list is still one of amounts, and not of every flow.
  for (const dfid of [middle, large]) await erase(runtime, dfid)
  await follow(index)
  assert.deepEqual(listMeasures(index.database, null), [])
  assert.deepEqual(askNext(index.database, query, second), { dfids: [], next: null })
})

test('a list in the order of what an erased flow has lost has to be begun again', async (t) => {
  const runtime = await refunds(t)
  const index = openIndex(runtime)
  t.after(() => index.close())
  const dfids = [await act(runtime, 'o_1', '10.00'), await act(runtime, 'o_2', '20.00')]
  await follow(index)
  const query = { sort: 'kind' }
  const first = ask(index.database, query)
  assert.deepEqual(typeof first === 'string' ? first : first.dfids, [dfids[0]])
  const untouched = askNext(index.database, query, first)
  assert.deepEqual(typeof untouched === 'string' ? untouched : untouched.dfids, [dfids[1]])
  await erase(runtime, dfids[0] ?? '')
  await follow(index)
  assert.equal(askNext(index.database, query, first), '/cursor')
  const again = ask(index.database, query)
  assert.deepEqual(typeof again === 'string' ? again : again.dfids, [dfids[1]])
})
