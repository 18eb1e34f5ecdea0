/** Whoever has something erased keeps nobody waiting, however much there is to be looked through. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant } from 'rubicon-kernel'
import { exampleRuntime } from '../../evidence/example.test-support.ts'
import type { Write } from '../../ports/store.ts'
import { buildDuePut } from '../flow/kept-claims.ts'

const ANSWERS = 2_000
const CHILDREN = 400
/** Fewer in a row keep nobody waiting. */
const IN_A_ROW = 100

test('others go first again and again while kept answers are looked through', async () => {
  const example = await exampleRuntime()
  const { store, engine } = example.runtime
  const expires_at = formatInstant(Date.now() + 3_600_000)
  const writes = Array.from({ length: ANSWERS }, (_, n): readonly Write[] => {
    const place = { group: 'agent other_bot', key: `k${n}` }
    const reply = { status: 200, body: { n } }
    const body = { body_hash: 'h', reply, epoch: store.epoch, expires_at }
    return [
      { kind: 'put_record', record: 'http_reply', ...place, body },
      buildDuePut({ ...place, body }),
    ]
  })
  assert.ok((await store.commit({ guards: [], writes: writes.flat() })).ok)
  const { dfid } = await example.refund('20.00')
  const turns = await countTurns(async () => {
    assert.ok((await engine.oversight.erase({ dfid, reason: 'asked for' })).ok)
  })
  assert.ok(turns >= ANSWERS / IN_A_ROW, `${turns} turns of others`)
  await example.close()
})

test('others go first again and again while the flows of a whole are looked through', async () => {
  const example = await exampleRuntime()
  const { runtime } = example
  const parent = await runtime.open({ agent: 'refunds_bot', trigger: 'many tickets' })
  const below = { parent: parent.dfid, budget: { calls: '0' } }
  for (let n = 0; n < CHILDREN; n++) {
    const trigger = `ticket ${n}`
    const { dfid } = await runtime.open({ agent: 'refunds_bot', trigger, ...below })
    await runtime.engine.cancel(dfid, 'enough')
  }
  await runtime.engine.cancel(parent.dfid, 'enough')
  const { oversight } = runtime.engine
  const turns = await countTurns(async () => void (await oversight.planErasure(parent.dfid)))
  assert.ok(turns >= CHILDREN / IN_A_ROW, `${turns} turns of others`)
  await example.close()
})

/** How often others had their turn meanwhile. */
async function countTurns(work: () => Promise<void>): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return turns
}
