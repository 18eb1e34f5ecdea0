import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnyProblem } from 'rubicon-agents/client'
import { loadEveryPage } from './every-page.ts'

const problem: AnyProblem = {
  type: 'urn:rubicon:reason:STOPPING',
  title: 'the runtime is stopping',
  status: 503,
  code: 'STOPPING',
  detail: 'requests in progress are finished first',
}

test('pages are asked for until there is none, also behind an empty one', async () => {
  const pages = new Map<string | undefined, readonly [readonly number[], string | null]>([
    [undefined, [[1, 2], 'b']],
    ['b', [[], 'c']],
    ['c', [[3], null]],
  ])
  const asked: (string | undefined)[] = []
  const answer = await loadEveryPage<number>(async (cursor) => {
    asked.push(cursor)
    const [rows, next] = pages.get(cursor) ?? [[], null]
    return { ok: true, status: 200, body: { rows, next } }
  })
  assert.deepEqual(answer, { ok: true, status: 200, body: [1, 2, 3] })
  assert.deepEqual(asked, [undefined, 'b', 'c'])
})

test('a page that is refused refuses the whole', async () => {
  const answer = await loadEveryPage<number>(async (cursor) =>
    cursor === undefined
      ? { ok: true, status: 200, body: { rows: [1], next: 'b' } }
      : { ok: false, problem },
  )
  assert.deepEqual(answer, { ok: false, problem })
})
