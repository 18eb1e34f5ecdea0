/** Orders of lists, and where their pages end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countRows } from './count-rows.ts'
import { parseFilter } from './filter.ts'
import { act, follow, openIndex, refunds } from './indexed.test-support.ts'
import { LIST_NAMES, LISTS, type ListName } from './lists.ts'
import { findRows } from './query.ts'
import type { SearchIndex } from './search-index.ts'

type Query = Readonly<Record<string, string>>

function read(index: SearchIndex, list: ListName, query: Query, limit: number) {
  const filter = parseFilter(query, { list, own: null, measures: ['refund_usd'], limit })
  assert.ok(filter.ok, JSON.stringify(filter))
  const { total } = countRows(index.database, list, filter.value)
  const { rows, next } = findRows(index.database, list, filter.value)
  return { names: rows.map(({ named }) => named), next, total }
}

function readPages(index: SearchIndex, list: ListName, query: Query): readonly unknown[] {
  const found: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = read(index, list, cursor === '' ? query : { ...query, cursor }, 2)
    found.push(...page.names)
    cursor = page.next
  }
  return found
}

test('each list has each of its rows once, in every order, page by page', async (t) => {
  const runtime = await refunds(t)
  for (const amount of ['20.00', '30.00', '20000.00', '1200.00', '1300.00', '1400.00'])
    await act(runtime, `o_${amount}`, amount)
  const index = openIndex(runtime)
  await follow(index)
  for (const list of LIST_NAMES)
    for (const sort of Object.keys(LISTS[list].sorts))
      for (const order of [sort, `-${sort}`])
        for (const besides of [
          {},
          { words: 'o_' },
          { words: '1' },
          { since: '2020-01-01T00:00:00Z' },
        ]) {
          const query = { ...besides, sort: order }
          const { names, next, total } = read(index, list, query, 500)
          assert.equal(next, null)
          assert.equal(total, names.length, `${list} ${JSON.stringify(query)}`)
          assert.equal(new Set(names).size, names.length)
          assert.deepEqual(readPages(index, list, query), names, `${list} ${JSON.stringify(query)}`)
        }
  assert.ok(read(index, 'executions', {}, 500).names.length > 1)
  assert.ok(read(index, 'escalations', {}, 500).names.length > 1)
})

test('entries of no agent come behind those of agents, whichever way', async (t) => {
  const runtime = await refunds(t)
  await act(runtime, 'o_1', '20.00')
  const index = openIndex(runtime)
  await follow(index)
  const agents = 'SELECT leaf, agent IS NULL AS hasNone FROM entry'
  const hasNone = new Map(
    index.database
      .prepare(agents)
      .all()
      .map(({ leaf, hasNone }) => [leaf, hasNone === 1]),
  )
  for (const sort of ['agent', '-agent']) {
    const found = readPages(index, 'entries', { sort }).map((leaf) => hasNone.get(Number(leaf)))
    assert.equal(found.length, hasNone.size)
    assert.deepEqual(
      found,
      found.toSorted((a, b) => Number(a) - Number(b)),
    )
    assert.ok(found.includes(true) && found.includes(false))
  }
})
