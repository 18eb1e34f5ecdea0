import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type FlowState, LIMITS } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createScriptedProvider } from '../../compose.ts'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { CONTRACT, type Example, exampleRuntime } from '../../evidence/example.test-support.ts'
import { exportBundle } from '../../evidence/export-bundle.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { recompileTrajectory } from '../../evidence/recompile.ts'
import { replayTrajectory } from '../../evidence/replay.ts'
import { StoreError } from '../../ports/store.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { endOperatorKeyBefore } from '../authority/ended-operator.test-support.ts'
import { indexLeaves } from '../ledger/find/index-leaves.ts'
import { buildQueueWrite, DUE, FAILED, toNoticeKey } from '../notices/queue.ts'
import { forgetRecords } from './flow-records.ts'

const REASON = 'asked for by the customer'
const SECRET = 'ticket 1'

async function ledgerOf({ runtime }: Example): Promise<string> {
  await runtime.engine.checkpoint()
  const lines: string[] = []
  assert.ok((await exportLedger(runtime.store, (line) => void lines.push(line))).ok)
  return lines.join('')
}

async function erase({ runtime }: Example, dfid: string): Promise<string> {
  const done = await runtime.engine.oversight.erase({ dfid, reason: REASON, by: 'p_olga' })
  return done.ok ? 'erased' : done.error.code
}

test('what a flow said is gone, and the ledger and its bundle still verify', async () => {
  const example = await exampleRuntime()
  const { runtime } = example
  const { store, engine } = runtime
  const [{ dfid }, other] = [await example.refund('20.00'), await example.refund('35.50')]
  assert.ok((await ledgerOf(example)).includes(SECRET))

  const planned = await engine.oversight.planErasure(dfid)
  assert.ok(planned.ok)
  assert.equal(planned.value.seq, null)
  assert.ok(planned.value.payloads.length >= 3)
  assert.ok((await ledgerOf(example)).includes(SECRET), 'a look changes nothing')

  assert.equal(await erase(example, dfid), 'erased')
  const text = await ledgerOf(example)
  assert.equal(text.includes(SECRET), false)
  assert.equal(text.includes('"20.00"'), false)
  assert.deepEqual(await foundByBoth(text), [])
  for (const one of [dfid, other.dfid]) {
    const bundle = await exportBundle(store, sha256, one)
    assert.ok(bundle.ok)
    assert.deepEqual(await foundByBoth(bundle.value), [], one)
  }
  const flow = await store.readFlow(dfid)
  assert.deepEqual([flow?.trigger, flow?.tags], ['', ['ERASED']])
  const memory = await store.listRecords('memory', 'refunds_bot', { limit: LIMITS.memoryKept })
  assert.deepEqual(new Set(memory.map(({ body }) => body.dfid)), new Set([other.dfid]))
  const replayed = await replayTrajectory(store, 'main', sha256)
  assert.deepEqual(replayed.findings, [])
  const heads = await store.listHeads()
  assert.equal(
    replayed.world_hash,
    heads.find(({ trajectory }) => trajectory === 'main')?.world_root,
  )
  const again = await recompileTrajectory(store, 'main', engine.context.book.rules)
  assert.deepEqual(again.differing, [])
  await example.close()
})

test('an erasure is found by both verifiers if one payload goes that it does not name', async () => {
  const example = await exampleRuntime()
  const { dfid } = await example.refund('20.00')
  const other = await example.refund('35.50')
  await erase(example, dfid)
  const lines = (await ledgerOf(example)).split('\n')
  const at = lines.findIndex((line) => line.includes(other.dfid) && line.includes('"dispatch"'))
  const { payload: _, ...rest } = JSON.parse(lines[at] ?? '{}')
  const { envelope, id } = rest
  lines[at] = JSON.stringify({ envelope, id, payload: null })
  assert.ok((await foundByBoth(lines.join('\n'))).includes(`${at - 1} ERASURE_UNSIGNED`))
  await example.close()
})

test('a notice that is taken, or kept as failed, between the look and the erasure goes with the flow', async () => {
  for (const group of [DUE, FAILED] as const) {
    const example = await exampleRuntime()
    const { store, engine } = example.runtime
    const { dfid } = await example.refund('20.00')
    const agent_id = 'refunds_bot'
    const at = '2026-06-01T12:00:00.000Z'
    const about = { kind: 'expiry', agent_id, dfid, reason_code: 'ESCALATION_EXPIRED', at } as const
    const notice = { ...about, id: 'n_1', channel: 'operator', details: {} }
    const due = { notice, attempts: 0, next_at: null }
    const later = { notice, attempts: 1, next_at: at }
    await store.commit({ guards: [], writes: [buildQueueWrite(DUE, due)] })
    const flow = await store.readFlow(dfid)
    assert.ok(flow !== null)
    const look = await forgetRecords(engine.context, flow, [])
    const taken = [
      { kind: 'drop_record', record: 'notice', group: DUE, key: toNoticeKey(due) } as const,
      buildQueueWrite(group, later),
    ]
    assert.ok((await store.commit({ guards: [], writes: taken })).ok)
    assert.ok(!(await store.commit(look)).ok, `what was seen is not what is there: ${group}`)
    assert.equal(await erase(example, dfid), 'erased')
    for (const one of [DUE, FAILED])
      assert.deepEqual(await store.listRecords('notice', one, { limit: 10 }), [])
    await example.close()
  }
})

test('a flow is erased once, with a reason, and late proposals leave nothing behind', async () => {
  const example = await exampleRuntime()
  const { runtime } = example
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: SECRET })
  const params = { order: 'o-1', amount: '20.00' }
  await flow.propose({ policy_kind: 'REFUND', params })
  const { oversight } = runtime.engine
  const unsaid = await oversight.erase({ dfid: flow.dfid, reason: ' ' })
  assert.equal(unsaid.ok ? '' : unsaid.error.code, 'JUSTIFICATION_REQUIRED')
  const unknown = await oversight.erase({ dfid: 'no-such-flow', reason: REASON })
  assert.equal(unknown.ok ? '' : unknown.error.code, 'FLOW_UNKNOWN')

  const done = await Promise.all([erase(example, flow.dfid), erase(example, flow.dfid)])
  assert.deepEqual(done.toSorted(), ['FLOW_ERASED', 'erased'])
  const size = await runtime.store.countLeaves()
  for (const step_id of ['step-1', 'step-2']) {
    const answer = await flow.propose({ policy_kind: 'REFUND', step_id, params })
    assert.equal(answer.reason_code, 'FLOW_ENDED', step_id)
  }
  assert.equal(await runtime.store.countLeaves(), size)
  assert.deepEqual(await foundByBoth(await ledgerOf(example)), [])
  await example.close()
})

test('a flow that is open, or below or above an open one, is not erased', async () => {
  const example = await exampleRuntime()
  const { runtime } = example
  const spawning = { ...CONTRACT, version: '1.1.0' }
  await runtime.deploy(spawning)
  const above = await runtime.open({ agent: 'refunds_bot', trigger: 'above', steps: 'many' })
  assert.equal(await erase(example, above.dfid), 'ERASURE_WAITS')
  const below = await runtime.open({
    agent: 'refunds_bot',
    trigger: 'below',
    parent: above.dfid,
    steps: 'many',
  })
  await runtime.engine.close(below.dfid)
  assert.equal(await erase(example, below.dfid), 'ERASURE_WAITS')
  await runtime.engine.close(above.dfid)
  const states = await Promise.all(
    [above, below].map(async ({ dfid }) => (await runtime.store.readFlow(dfid))?.state),
  )
  assert.deepEqual(states, ['CLOSED', 'CLOSED'] satisfies FlowState[])
  // The parent first: what is below it stands on a writ that is gone.
  assert.equal(await erase(example, above.dfid), 'erased')
  assert.deepEqual(await foundByBoth(await ledgerOf(example)), [])
  const bundle = await exportBundle(runtime.store, sha256, below.dfid)
  assert.ok(bundle.ok)
  assert.deepEqual(await foundByBoth(bundle.value), [])
  assert.equal(await erase(example, below.dfid), 'erased')
  assert.deepEqual(await foundByBoth(await ledgerOf(example)), [])
  await example.close()
})

test('the directory of the ledger forgets why something was refused', async () => {
  const example = await exampleRuntime()
  const { store } = example.runtime
  const { dfid } = await example.refund('900.00')
  const flow = await store.readFlow(dfid)
  if (flow?.state === 'ACTIVE') await example.runtime.engine.cancel(dfid, 'enough')
  while ((await store.countLeaves()) < 256) await example.refund('1.00')
  await indexLeaves(store)
  const [block] = await store.listRecords('leaf_block', 'leaves', { limit: 1 })
  assert.ok(block?.body.cells.some((cell, i) => i % 4 === 2 && cell !== 0))
  assert.equal(await erase(example, dfid), 'erased')
  const [after] = await store.listRecords('leaf_block', 'leaves', { limit: 1 })
  assert.equal(
    after?.body.cells.some((cell, i) => i % 4 === 2 && cell !== 0),
    false,
  )
  await example.close()
})

test('nothing of it is left in the file of the store', async () => {
  const path = join(temporaryFolder(), 'store.db')
  const example = await exampleRuntime({ store: `sqlite:${path}` })
  const secret = 'the-words-of-a-customer'
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: secret })
  const params = { order: secret, amount: '20.00' }
  await flow.propose({ policy_kind: 'REFUND', params, justification: secret.repeat(40) })
  const packed = packedPayloads(path, flow.dfid)
  assert.equal(packed.length, 3)
  assert.equal(await erase(example, flow.dfid), 'erased')
  await example.close()
  const file = readFileSync(path)
  for (const bytes of packed)
    assert.equal(file.includes(Buffer.from(bytes.subarray(0, 100))), false)
  const left = file.toString('latin1')
  // The World is what is so, not what the flow said: its resource is named after the order.
  const places = left.split(secret).length - 1
  assert.ok(places <= 2, `${places} places`)
})

function packedPayloads(path: string, dfid: string): readonly Uint8Array[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT packed FROM entries WHERE dfid = ?').all(dfid)
  database.close()
  return rows.flatMap(({ packed }) => (packed instanceof Uint8Array ? [packed] : []))
}

test('nothing of it is left where rows grew or pages were split before it was erased', async () => {
  const path = join(temporaryFolder(), 'store.db')
  const secret = 'the-words-of-a-customer'
  const acme = createScriptedProvider({ script: () => 'yes' })
  const example = await exampleRuntime({ store: `sqlite:${path}`, models: { acme } })
  const words = { model: 'm', messages: [{ role: 'user', text: secret }], max_tokens: 9 } as const
  const told: string[] = []
  for (let number = 0; number < 40; number++) {
    const trigger = `${secret} ${number}`
    const flow = await example.runtime.open({ agent: 'refunds_bot', trigger, steps: 'many' })
    told.push(flow.dfid)
    await flow.note(`${secret} ${'x'.repeat(number * 20)}`)
    await flow.generate(words)
    await flow.close()
    await example.refund('1.00')
  }
  // Several at once share what follows them; the last one is alone.
  const [last = '', ...others] = told.toReversed()
  for (const dfid of [...others.slice(20), last]) assert.equal(await erase(example, dfid), 'erased')
  const done = await Promise.all(others.slice(0, 20).map((dfid) => erase(example, dfid)))
  assert.deepEqual(new Set(done), new Set(['erased']))
  assert.equal(countIn([path, `${path}-wal`], secret), 0, 'while it is open')
  await example.close()
  assert.equal(countIn([path], secret), 0, 'once it is closed')
})

function countIn(paths: readonly string[], text: string): number {
  const files = paths.map((path) => readFileSync(path).toString('latin1'))
  return files.reduce((sum, file) => sum + file.split(text).length - 1, 0)
}

test('a flow is not called erased while pieces of it may be in the file', async () => {
  const example = await exampleRuntime()
  const { store } = example.runtime
  const { dfid } = await example.refund('20.00')
  const overwrite = store.overwriteRemains
  store.overwriteRemains = () =>
    Promise.reject(new StoreError('STORE_LOCKED', 'somebody reads', 'end that process'))
  for (const _ of ['first', 'again']) assert.equal(await erase(example, dfid), 'ERASURE_UNFINISHED')
  assert.equal((await ledgerOf(example)).includes(SECRET), false)
  store.overwriteRemains = overwrite
  assert.equal(await erase(example, dfid), 'FLOW_ERASED')
  await example.close()
})

test('nothing is erased under a key that another operator has ended meanwhile', async () => {
  const example = await exampleRuntime()
  const { dfid } = await example.refund('20.00')
  await endOperatorKeyBefore(example.runtime, 'erase_flow')
  assert.equal(await erase(example, dfid), 'KEY_UNREGISTERED')
  const text = await ledgerOf(example)
  assert.ok(text.includes(SECRET), 'it is all there')
  assert.deepEqual(await foundByBoth(text), [])
  await example.close()
})
