/** Somebody with the database changes an entry; the server finds it, and people come to see what happened. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { signIn } from '../../people/browser.test-support.ts'
import { get, problemOf, served } from '../served.test-support.ts'

test('on a damaged ledger nothing is decided, and who is to find out why gets in and can check it', async (t) => {
  const { runtime, server, ...it } = await served(t)
  const agent = await it.agent()
  const flow = await it.open(agent)
  await runtime.engine.checkpoint()
  const { store } = runtime.engine.context
  const asStored = store.listLeaves.bind(store)
  t.mock.method(store, 'listLeaves', async (from: number, limit: number) =>
    (await asStored(from, limit)).map(({ payload, ...entry }) => ({
      ...entry,
      payload: payload?.replace('ticket 4711', 'ticket 4712') ?? null,
    })),
  )
  await assert.rejects(runtime.engine.scrub(), { code: 'HEAD_MISMATCH' })

  assert.deepEqual(problemOf(await it.propose(agent, flow)), [503, 'HEAD_MISMATCH'])
  const browser = await signIn(it.person('jane', 'auditor', 'approver'))
  const { name, roles, person: known } = browser.session
  assert.deepEqual([name, roles, known], ['jane', ['auditor', 'approver'], null])
  const { body } = await browser.ask('GET', '/v1/sign-in')
  assert.deepEqual(body, { token: true, oidc: null, session: browser.session })
  const file = await browser.ask('GET', '/v1/ledger/export')
  assert.equal(file.status, 200)
  const [first] = verifyAny(file.body, nodeCrypto).findings
  assert.equal(first?.code, 'PAYLOAD_HASH')
  for (const path of ['/v1/inbox', `/v1/bundles/${flow.dfid}/statement`])
    assert.deepEqual(problemOf(await browser.ask('GET', path)), [503, 'HEAD_MISMATCH'])
  assert.equal((await get(server, '/v1/sign-in')).status, 200)
})
