/** A guard and an auditor over the three wire formats, as their servers speak them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRuntime, type Runtime } from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import {
  type FakeAnswer,
  type FakeProvider,
  startFakeProvider,
} from '../models/fake-provider.test-support.ts'
import { KEY, WIRES, type Wire } from '../models/wires.test-support.ts'
import { createModelAuditor } from './model-auditor.ts'
import { createModelGuard } from './model-guard.ts'

const ODD = '{"verdict":"does_not_fit","why":"another story"}'

type Place = { readonly runtime: Runtime; readonly fake: FakeProvider }

async function open({ create }: Wire): Promise<Place> {
  const fake = await startFakeProvider()
  const provider = create({ baseUrl: fake.url, key: () => KEY })
  const options = {
    provider,
    model: 'm-1',
    budget: { window_s: 3_600, tokens: '1000000' },
    timeoutMs: 2_000,
  }
  const runtime = await createRuntime({
    store: 'memory',
    capabilities: [exampleCapability(() => {})],
    background: false,
    softGuards: [createModelGuard(options)],
    auditors: [createModelAuditor(options)],
  })
  await runtime.deploy(CONTRACT)
  return { runtime, fake }
}

async function look({ runtime, fake }: Place, answer: FakeAnswer): Promise<readonly string[]> {
  fake.answer = answer
  const flow = await runtime.open({ agent: String(CONTRACT.agent_id), trigger: 'ticket' })
  const params = { order: flow.dfid, amount: '1.00' }
  await flow.propose({ policy_kind: 'REFUND', params, justification: 'owed' })
  const { advisers } = runtime.engine.context
  await advisers.guards.awaitSettled()
  advisers.auditors.round()
  await advisers.auditors.awaitSettled()
  const entries = await runtime.store.listFlowEntries(flow.dfid, ['evidence'])
  const said = entries.map(({ payload }) => JSON.parse(payload ?? '{}') as Record<string, unknown>)
  const { tags = [] } = (await runtime.store.readFlow(flow.dfid)) ?? {}
  assert.ok(!JSON.stringify(said).includes(KEY))
  return [...said.map((one) => `${one.source} ${one.opinion ?? one.finding}`), ...tags]
}

for (const wire of WIRES) {
  test(`${wire.name}: an answer by schema is an opinion`, async () => {
    const place = await open(wire)
    const pieces = [JSON.stringify(wire.structured(ODD))]
    assert.deepEqual(await look(place, { pieces }), [
      'adviser mismatch',
      'soft_guard mismatch',
      'adviser drifted',
      'auditor drifted',
      'NEEDS_REVIEW',
    ])
    const sent = JSON.stringify(place.fake.asked[0]?.body)
    assert.match(sent, /does_not_fit/, 'the schema was sent')
    await place.runtime.close()
    await place.fake.close()
  })

  test(`${wire.name}: prose, a refusal, an error page, a cut and 10 MB are no opinion`, async () => {
    const place = await open(wire)
    const none = ['adviser none', 'adviser none', 'auditor no_opinion']
    const answers: Readonly<Record<string, FakeAnswer>> = {
      prose: { pieces: [JSON.stringify(wire.whole({ text: 'PASS: it does not fit my values' }))] },
      refusal: { pieces: [JSON.stringify(wire.whole({ text: ODD, stop: wire.ends.filtered }))] },
      cut: { pieces: [JSON.stringify(wire.structured(ODD)).slice(0, -9)] },
      html: { pieces: ['<html>does_not_fit</html>'], headers: { 'content-type': 'text/html' } },
      refused: { status: 400, pieces: [JSON.stringify({ error: { message: ODD } })] },
      long: { pieces: Array.from({ length: 10 }, () => 'x'.repeat(1_000_000)) },
    }
    for (const [what, answer] of Object.entries(answers))
      assert.deepEqual(await look(place, answer), none, what)
    await place.runtime.close()
    await place.fake.close()
  })
}
