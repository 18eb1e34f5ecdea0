import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lookups } from '../lookups/lookup.ts'
import { refuseOverload } from '../problems/problem.ts'
import { toReply } from '../schemas/route.ts'
import { get, problemOf, served } from '../served.test-support.ts'

const SIZE = { entries: 7, open_flows: 1, ended_flows: 2, archived_flows: 3, failed_notices: 4 }

test('rows of a tenant are counted where lookups are answered, and not in the thread that decides', async (t) => {
  let isFull = false
  const lookups: Lookups = {
    answer: async (name) => {
      assert.equal(name, 'measureStore')
      return isFull ? refuseOverload('64 questions wait already') : toReply(SIZE)
    },
  }
  const it = await served(t, { parts: { lookups } })
  const { store } = it.runtime
  const countRows = t.mock.method(store, 'countRows', () => assert.fail('counted here'))
  const ann = it.person('ann', 'auditor')
  const { status, body } = await get(ann, '/v1/tenants')
  assert.equal(status, 200, JSON.stringify(body))
  assert.partialDeepStrictEqual(body.tenants, [{ ...SIZE, name: 'default', here: true, agents: 1 }])
  isFull = true
  assert.deepEqual(problemOf(await get(ann, '/v1/tenants')), [503, 'OVERLOADED'])
  assert.equal(countRows.mock.callCount(), 0)
})
