import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { createRuntime } from '../compose.ts'
import { AGENT, flowStage } from '../engine/flow/flow-stage.test-support.ts'
import { RubiconError } from '../rubicon-error.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { answerWith, type Listener, listen } from './http/outside.test-support.ts'

function buildManifest(port: number, change: JsonObject = {}): JsonObject {
  const headers = { authorization: { secret: 'ACME_KEY', format: 'Bearer {secret}' } }
  const url = `http://127.0.0.1:${port}/refunds/{/order}`
  return {
    manifest: 'rubicon/tool/1',
    kind: 'REFUND',
    version: '1',
    summary: 'pays an order back',
    params: {
      type: 'object',
      properties: { order: { type: 'string' }, amount: { type: 'string' } },
      required: ['order', 'amount'],
      additionalProperties: false,
    },
    effect: 'keyed',
    reversible: true,
    risk: 'medium',
    measures: { amount: { param: '/amount' } },
    idempotency: { carrier: 'Idempotency-Key', window_s: 86_400 },
    executor: {
      http: {
        method: 'POST',
        url,
        headers,
        body: { amount: { $: { param: '/amount' } } },
        idempotency_header: 'Idempotency-Key',
        applied: [201],
        not_applied: [422],
      },
    },
    ...change,
  }
}

/** A tools file with one manifest, and the provider that both are about. */
async function stageTools(
  t: TestContext,
  answer: (socket: Socket) => void,
  change: JsonObject = {},
): Promise<{ readonly path: string; readonly provider: Listener }> {
  const provider = await listen(t, answer)
  const { port } = provider
  const folder = temporaryFolder()
  const path = join(folder, 'tools.json')
  const allowance = { scheme: 'http', host: '127.0.0.1', port, methods: ['POST'] }
  const key = {
    from: { file: join(folder, 'key') },
    tools: ['REFUND'],
    hosts: [`127.0.0.1:${port}`],
  }
  writeFileSync(join(folder, 'key'), 'cnry7f3a9c21\n', { mode: 0o600 })
  writeFileSync(join(folder, 'refund.json'), JSON.stringify(buildManifest(port)))
  const config = {
    tools: ['refund.json'],
    allow: { http: [{ ...allowance, addresses: 'loopback' }] },
    secrets: { ACME_KEY: key },
    ...change,
  }
  writeFileSync(path, JSON.stringify(config))
  return { path, provider }
}

const CONTRACT = {
  permissions: {
    policy_kinds: ['REFUND'],
    limits: [{ id: 'amount', measure: 'amount', max: '500' }],
  },
}

test('from two files to an effect: no code, one request, its key and its secret', async (t) => {
  const { path, provider } = await stageTools(t, answerWith(201, '{"id": "re_1"}'))
  const stage = await flowStage({ tools: path, capabilities: [] })
  await stage.deploy(CONTRACT)
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const propose = (amount: string, step_id: string) =>
    flow.propose({ policy_kind: 'REFUND', step_id, params: { order: 'o-1', amount } })
  const refused = await propose('501', 'too-much')
  assert.deepEqual([refused.outcome, provider.seen()], ['REJECTED', 0])
  const { execution } = await propose('20', 'step-1')
  assert.deepEqual([execution?.status, execution?.result], ['SUCCESS', { id: 're_1' }])
  const again = await propose('20', 'step-1')
  assert.deepEqual([again.outcome, provider.seen()], ['REPEATED', 1])
  assert.match(provider.heard(), /^POST \/refunds\/o-1 HTTP/)
  assert.match(provider.heard(), /^authorization: Bearer cnry7f3a9c21\r$/m)
  assert.match(provider.heard(), /^Idempotency-Key: \S{16,}\r$/m)
  await stage.close()
})

test('a lost answer is UNKNOWN, and the same key settles it', async (t) => {
  let calls = 0
  const { path, provider } = await stageTools(t, (socket) => {
    calls += 1
    if (calls === 1) socket.destroy()
    else answerWith(201, '{"id": "re_1"}')(socket)
  })
  const stage = await flowStage({ tools: path, capabilities: [] })
  await stage.deploy(CONTRACT)
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const params = { order: 'o-1', amount: '20' }
  const { execution } = await flow.propose({ policy_kind: 'REFUND', step_id: 's', params })
  assert.equal(execution?.status, 'UNKNOWN')
  await stage.clock.advance(60_000)
  await stage.engine().reconcile()
  const [settled] = await stage.runtime().store.listExecutions({ limit: 10 })
  assert.equal(settled?.status, 'SUCCESS')
  const keys = provider.heard().match(/^Idempotency-Key: .*$/gm) ?? []
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
  await stage.close()
})

test('what the file does not allow is refused before anything is opened, with its code', async (t) => {
  const open = (tools: string | JsonObject): Promise<unknown> =>
    createRuntime({ store: 'memory', stateDirectory: temporaryFolder(), tools })
  const refuses = async (change: JsonObject, code: string, said: RegExp): Promise<void> => {
    const { path, provider } = await stageTools(t, () => {}, change)
    await assert.rejects(open(path), (error) => {
      assert.ok(error instanceof RubiconError, String(error))
      assert.equal(error.code, code)
      assert.match(error.message, said)
      return true
    })
    assert.equal(provider.seen(), 0)
  }
  await refuses({ allow: {} }, 'TOOL_DENIED', /EGRESS_DENIED/)
  await refuses({ secrets: {} }, 'TOOL_DENIED', /`ACME_KEY` is not configured/)
  await refuses({ unknown: 1 }, 'TOOLS_INVALID', /unknown/)
  await refuses({ tools: ['refund.json', './refund.json'] }, 'TOOL_NAME_COLLISION', /REFUND/)
  await refuses({ tools: ['none.json'] }, 'FILE_UNREADABLE', /none/)
  const folder = temporaryFolder()
  const wrong = join(folder, 'wrong.json')
  writeFileSync(wrong, JSON.stringify(buildManifest(1, { sandbox: true, effect: 'sometimes' })))
  await refuses({ tools: [wrong] }, 'MANIFEST_INVALID', /sandbox/)
  writeFileSync(wrong, '{"manifest": "rubicon/tool/1", "manifest": "rubicon/tool/1"}')
  await refuses({ tools: [wrong] }, 'MANIFEST_INVALID', /JSON_DUPLICATE_KEY/)
  await assert.rejects(open({ tools: 7 }), (error) => {
    return error instanceof RubiconError && error.code === 'TOOLS_INVALID'
  })
})
