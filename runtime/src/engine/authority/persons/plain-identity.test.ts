import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleRuntime } from '../../../evidence/example.test-support.ts'
import { normalisePersonName } from './plain-identity.ts'

const SAME = [
  ['josé@example.com', 'jose\u0301@example.com', 'JOSÉ@example.com', ' JOSE\u0301@EXAMPLE.COM '],
  ['ｊörg', 'JÖRG', 'jo\u0308rg'],
  ['ﬁona', 'FIONA'],
] as const

test('one name is one person, in whatever form its letters were typed', async () => {
  const { runtime, close } = await exampleRuntime()
  const { people } = runtime.engine
  for (const [name, ...others] of SAME) {
    const first = await people.register(name)
    assert.ok(first.ok)
    for (const other of others) {
      const met = await people.meet(other)
      assert.deepEqual(met, { ok: true, value: { ...first.value, unchanged: true } }, other)
    }
  }
  assert.notEqual(normalisePersonName('josé'), normalisePersonName('jose'))
  await close()
})
