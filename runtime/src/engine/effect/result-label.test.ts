import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, parseManifest } from 'rubicon-kernel'
import { toCapability } from '../../capabilities/from-manifest.ts'
import type { Capability } from '../../ports/capability.ts'
import { layerStage } from '../context/layer-stage.test-support.ts'

/** A tool whose results are `label`; `isLost`: its first answer does not arrive, and a probe finds it. */
function buildTool(label: string | null, isLost = false): Capability {
  const http = { method: 'POST', url: 'https://pay.example/{/amount}', applied: [200] }
  const manifest: JsonObject = {
    manifest: 'rubicon/tool/1',
    kind: 'REFUND',
    version: '1',
    summary: 'pays back',
    params: {
      type: 'object',
      properties: { amount: { type: 'string' } },
      required: ['amount'],
      additionalProperties: false,
    },
    effect: 'keyed',
    reversible: true,
    risk: 'low',
    measures: { amount: { param: '/amount' } },
    idempotency: { carrier: 'Idempotency-Key', window_s: 3_600 },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 1,
      executor: { http: { ...http, method: 'GET' } },
      applied: { eq: [{ status: true }, { const: 200 }] },
      absent: { eq: [{ status: true }, { const: 404 }] },
    },
    ...(label === null ? {} : { labels: { result: label } }),
    executor: { http: { ...http, idempotency_header: 'Idempotency-Key' } },
  }
  const parsed = parseManifest(manifest)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return toCapability(parsed.value, {
    async execute(_, { purpose }) {
      if (isLost && purpose === 'effect') throw new Error('the line went dead')
      return { result: { said: 'paid' }, status: 200 }
    },
  })
}

/** The label of what is observed of one refund, in the session and in the agent's memory. */
async function observe(tool: Capability): Promise<readonly unknown[]> {
  const it = await layerStage({ capabilities: [tool] })
  const flow = await it.open({ steps: 'many' })
  await flow.propose({ policy_kind: 'REFUND', step_id: 'a', params: { amount: '20' } })
  for (let round = 0; round < 5; round++) {
    await it.clock.advance(60_000)
    await it.runtime.engine.reconcile()
  }
  const { session, memory } = await flow.refresh()
  const seen = session.filter(({ kind, text }) => kind === 'observation' && text.includes('paid'))
  await it.close()
  return [seen.map(({ label }) => label), memory[0]?.said?.result_label]
}

test('the result of a tool is what its manifest says it is', async () => {
  assert.deepEqual(await observe(buildTool('trusted')), [['trusted'], 'trusted'])
  assert.deepEqual(await observe(buildTool('operator')), [['operator'], 'operator'])
})

test('the result of a tool is the word of an outsider where its manifest says nothing', async () => {
  assert.deepEqual(await observe(buildTool(null)), [['external'], undefined])
  assert.deepEqual(await observe(buildTool('external')), [['external'], undefined])
})

test('what a probe finds is not vouched for by the label of results', async () => {
  assert.deepEqual(await observe(buildTool('trusted', true)), [['external'], undefined])
})
