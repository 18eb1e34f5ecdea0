import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { refundCapability } from '../demo/refunds.ts'
import { get, post, refund, served } from './served.test-support.ts'

test('a proposal that waits at shutdown is answered and settled; nobody new gets in', async (t) => {
  const folder = temporaryFolder()
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let reached = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    reached = resolve
  })
  const capability = {
    ...refundCapability([]),
    async execute() {
      reached()
      await held
      return { result: { refund: 're_1' } }
    },
  }
  const stateDirectory = join(folder, 'state')
  const stage = await served(t, { store, stateDirectory, capabilities: [capability] })
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  const proposed = stage.propose(bot, flow)
  await arrived
  const closed = stage.close()
  await assert.rejects(get({ url: stage.server.url }, '/healthz'))
  release()
  const { status, body } = await proposed
  assert.deepEqual([status, body.outcome, body.execution.status], [200, 'ACCEPTED', 'SUCCESS'])
  await closed
  const kept = await openStore(store, 'default', undefined, 'read')
  const [execution] = await kept.listExecutions({ dfid: flow.dfid, limit: 1 })
  await kept.close()
  assert.equal(execution?.status, 'SUCCESS')
})

test('after a restart on the same store everything is where it was', async (t) => {
  const folder = temporaryFolder()
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  const place = { store, stateDirectory: join(folder, 'state') }
  const calls: string[] = []
  const before = await served(t, { ...place, calls })
  const bot = await before.agent()
  const flow = await before.open(bot)
  const headers = { 'idempotency-key': 'k1' }
  const body = { trigger: 'ticket 2' }
  const opened = await post(bot, '/v1/flows', { body, headers })
  assert.equal((await before.propose(bot, flow)).body.outcome, 'ACCEPTED')
  await before.close()

  const after = await served(t, { ...place, calls })
  const same = { ...bot, url: after.server.url }
  const again = await post(same, '/v1/flows', { body, headers })
  assert.deepEqual(
    [again.body.dfid, again.headers.get('idempotent-replayed')],
    [opened.body.dfid, 'true'],
  )
  const repeated = await post(same, `/v1/flows/${flow.dfid}/proposals`, { body: refund(flow) })
  assert.deepEqual([repeated.status, repeated.body.outcome], [200, 'REPEATED'])
  assert.equal(calls.length, 1)
  const shown = await get(same, `/v1/flows/${flow.dfid}`)
  assert.equal(shown.body.flow.state, 'CLOSED')
})
