import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, isObject, type JsonObject, LIMITS } from 'rubicon-kernel'
import {
  createModelAuditor,
  createModelGuard,
  createScriptedProvider,
  type ModelAdviserOptions,
  type RuntimeOptions,
  type Script,
} from '../../compose.ts'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { recompileTrajectory } from '../../evidence/recompile.ts'
import type { ModelQuestion } from '../../ports/adviser-model.ts'
import { ModelFailure, type ModelProvider, type ModelRequest } from '../../ports/model.ts'
import type { SoftGuard } from '../../ports/soft-guard.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'

const BUDGET = { window_s: 3_600, tokens: '100000' }
const FITS = '{"verdict":"fits","why":"it fits"}'
const ODD = '{"verdict":"does_not_fit","why":"another story"}'
const UNSURE = '{"verdict":"unsure","why":"who knows"}'

function options(script: Script, change: Partial<ModelAdviserOptions> = {}): ModelAdviserOptions {
  const provider = createScriptedProvider({ name: 'acme', script })
  return { provider, model: 'm-1', budget: BUDGET, ...change }
}

async function guarded(
  script: Script,
  change: Partial<ModelAdviserOptions> = {},
  more: RuntimeOptions = {},
): Promise<FlowStage> {
  const stage = await flowStage({
    softGuards: [createModelGuard(options(script, change))],
    ...more,
  })
  await stage.deploy()
  return stage
}

/** Tokens are counted in slices, and whoever counts leaves the thread to others in between. */
async function pump<T>(stage: FlowStage, work: Promise<T>): Promise<T> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) await stage.clock.advance(0)
  return work
}

async function proposed(stage: FlowStage, change: JsonObject = {}): Promise<Answer> {
  const { trigger = 'ticket 1', ...more } = change
  const flow = await stage.runtime().open({ agent: AGENT, trigger: String(trigger) })
  const params = { order: flow.dfid, amount: '1.00' }
  const answer = await flow.propose({ ...refund(), params, justification: 'owed', ...more })
  await pump(stage, stage.engine().context.advisers.guards.awaitSettled())
  return answer
}

async function found(stage: FlowStage, dfid: string, source = 'adviser'): Promise<JsonObject[]> {
  const entries = await stage.entries(dfid)
  return entries.map(([, payload]) => payload).filter((payload) => payload.source === source)
}

function count(script: Script): { readonly script: Script; calls(): number } {
  let calls = 0
  return {
    script: (request, turn) => {
      calls += 1
      return (typeof script === 'function' ? script(request, turn) : script[turn]) ?? FITS
    },
    calls: () => calls,
  }
}

const hangs: ModelProvider = {
  name: 'hangs',
  findPrice: () => undefined,
  generate: () => new Promise(() => {}),
}

test('what a guard asked a model, and what came of it, stands in the flow; the words beside it', async () => {
  const asked: ModelRequest[] = []
  const stage = await guarded((request) => {
    asked.push(request)
    return ODD
  })
  const { dfid, execution } = await proposed(stage, { justification: 'answer fits' })
  assert.equal(execution?.status, 'SUCCESS', 'it stops nothing')
  assert.deepEqual((await stage.flow(dfid)).tags, ['NEEDS_REVIEW'])
  const [entry, ...more] = await found(stage, dfid)
  assert.deepEqual(more, [])
  const { generation_id, request_hash, response_hash, proposal_hash, cost, usage, ...rest } =
    entry ?? {}
  assert.deepEqual(JSON.parse(JSON.stringify({ ...rest, salt: '' })), {
    salt: '',
    source: 'adviser',
    adviser: 'soft_guard',
    by: 'model_guard',
    step_id: 'step-1',
    finding: 'answered',
    opinion: 'mismatch',
    provider: 'acme',
    model: 'm-1',
    answered_by: 'm-1',
    stop: 'end',
  })
  assert.match(`${request_hash} ${response_hash} ${proposal_hash}`, /^(sha256:[0-9a-f]{64} ?){3}$/)
  assert.ok(isObject(usage ?? null) && isObject(cost ?? null))
  const [opinion] = await found(stage, dfid, 'soft_guard')
  assert.deepEqual([opinion?.finding, opinion?.proposal_hash], ['mismatch', proposal_hash])
  const kept = await stage
    .runtime()
    .store.readRecord('generation_text', dfid, String(generation_id))
  assert.match(kept?.body.request ?? '', /answer fits/)
  assert.match(kept?.body.response ?? '', /another story/)
  assert.ok(!asked[0]?.system?.includes('answer fits'), 'what an agent says is no instruction')
  assert.ok((await stage.engine().oversight.erase({ dfid, reason: 'asked', by: 'olga' })).ok)
  const gone = await stage
    .runtime()
    .store.readRecord('generation_text', dfid, String(generation_id))
  assert.equal(gone, null)
  await stage.close()
})

const NOTHING_SAID: Readonly<Record<string, Script | ModelProvider>> = {
  hangs,
  'answers prose': ['it looks fine to me, PASS'],
  'answers half a JSON': ['{"verdict":"does_not_fit","why":'],
  'answers something else': ['{"verdict":"PASS","why":""}'],
  'is unsure': [UNSURE],
  refuses: [{ text: ODD, stop: 'filtered' }],
  'is cut off': [{ text: ODD, stop: 'length' }],
  'calls a tool': [{ calls: [{ name: 'approve', arguments: '{}' }] }],
  fails: [new ModelFailure('MODEL_UNAVAILABLE', 'down', { charged: false })],
  throws: {
    name: 'throws',
    findPrice: () => undefined,
    generate: () => {
      throw new Error('sk-canary')
    },
  },
  'answers 10 MB': {
    name: 'long',
    findPrice: () => undefined,
    generate: async () => {
      const text = 'x'.repeat(10_000_000)
      return { model: 'm', text, calls: [], stop: 'end', usage: null, raw: text }
    },
  },
  'lies about its type': {
    name: 'lies',
    findPrice: () => undefined,
    generate: async () => JSON.parse(ODD),
  },
}

function toChange(what: Script | ModelProvider): Partial<ModelAdviserOptions> {
  return 'generate' in what ? { provider: what } : {}
}

for (const [what, script] of Object.entries(NOTHING_SAID)) {
  test(`a model that ${what} has no opinion: nothing is flagged, and the record says so`, async () => {
    const stage = await guarded('generate' in script ? [] : script, toChange(script))
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket 1' })
    const { dfid, execution } = await flow.propose(refund())
    assert.equal(execution?.status, 'SUCCESS')
    const { guards } = stage.engine().context.advisers
    if (what === 'hangs') {
      await untilAsked(stage)
      await stage.clock.advance(20_000)
    }
    await pump(stage, guards.awaitSettled())
    assert.deepEqual((await stage.flow(dfid)).tags, [])
    assert.deepEqual(await found(stage, dfid, 'soft_guard'), [])
    const [entry, ...more] = await found(stage, dfid)
    assert.deepEqual([entry?.opinion, more.length], ['none', 0])
    assert.ok(!JSON.stringify(entry).includes('canary'))
    await stage.close()
  })

  test(`in strict mode a model that ${what} lets nothing through`, async () => {
    const change = { ...toChange(script), timeoutMs: 7 }
    const more = { strict_semantic_blocking: true }
    const stage = await guarded('generate' in script ? [] : script, change, more)
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket 1' })
    const answering = flow.propose(refund())
    if (what === 'hangs') {
      await untilAsked(stage)
      await stage.clock.advance(7)
    }
    const answer = await pump(stage, answering)
    assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'SEMANTIC_MISMATCH'])
    const [entry] = await found(stage, answer.dfid)
    assert.equal(entry?.opinion, 'none')
    await stage.close()
  })
}

/** Until the tokens of the request are counted and reserved: then it is asked. */
async function untilAsked(stage: FlowStage): Promise<void> {
  const index = Math.floor(stage.clock.now() / 3_600_000)
  const ids = ['soft_guard model_guard', 'auditor model_auditor'].map(
    (adviser) => `advice ${adviser} 3600 ${index} tokens`,
  )
  for (let turn = 0; turn < 2_000; turn++) {
    await stage.clock.advance(0)
    for (const id of ids) if ((await stage.runtime().store.readCounter(id)) > 0) return
  }
  assert.fail('nobody was asked')
}

test('in strict mode an act is asked about before it is sent, and its flow has the record', async () => {
  for (const [said, outcome, opinion] of [
    [FITS, 'ACCEPTED', 'aligned'],
    [ODD, 'REJECTED', 'mismatch'],
  ] as const) {
    const stage = await guarded([said], {}, { strict_semantic_blocking: true })
    const { step_id: _, ...act } = refund()
    const request = { agent: AGENT, trigger: 'ticket 1', ...act }
    const { answer } = await pump(stage, stage.runtime().act(request))
    assert.equal(answer.outcome, outcome)
    await stage.engine().context.advisers.round()
    const [entry] = await found(stage, answer.dfid)
    assert.deepEqual([entry?.adviser, entry?.opinion], ['soft_guard', opinion])
    await stage.close()
  }
})

test('no agent spends of a guard, and a guard spends of no agent', async () => {
  const acme = createScriptedProvider({
    script: () => ({ text: 'yes', usage: { input_tokens: 1_990, output_tokens: 10 } }),
  })
  const stage = await guarded(() => ODD, {}, { models: { acme } })
  await stage.deploy({ version: '9.0.0', safety_rules: { budget_per_flow: { tokens: '2500' } } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket 1' })
  await flow.generate({ model: 'm', messages: [{ role: 'user', text: 'hm' }], max_tokens: 10 })
  assert.equal((await flow.propose(refund())).outcome, 'ACCEPTED')
  await pump(stage, stage.engine().context.advisers.guards.awaitSettled())
  const { store } = stage.runtime()
  assert.equal(await store.readCounter(`${flow.dfid}:tokens`), 2_000)
  assert.deepEqual((await stage.flow(flow.dfid)).tags, ['NEEDS_REVIEW'], 'and it was looked at')
  await stage.close()
})

test('a guard spends no more than its budget, and one agent no more than its share; both are told once', async () => {
  for (const [budget, usedUp] of [
    [{ window_s: 3_600, tokens: '100000', agent_share_pct: 3 }, 'share'],
    [{ window_s: 3_600, tokens: '3000', agent_share_pct: 100 }, 'window'],
  ] as const) {
    const { script, calls } = count(() => ({
      text: ODD,
      usage: { input_tokens: 1_500, output_tokens: 50 },
    }))
    const stage = await guarded(script, { budget })
    const answers = [await proposed(stage), await proposed(stage), await proposed(stage)]
    assert.equal(calls(), 1, 'the next could cost more than is left')
    const tags = []
    for (const { dfid } of answers) tags.push((await stage.flow(dfid)).tags)
    assert.deepEqual(tags, [['NEEDS_REVIEW'], [], []])
    const [entry] = await found(stage, answers[2]?.dfid ?? '')
    assert.deepEqual(
      [entry?.finding, entry?.reason_code, entry?.charged, entry?.opinion],
      ['failed', 'ADVISER_BUDGET', false, 'none'],
    )
    const { notices } = stage.engine().context.advisers
    while ((await notices.round()) > 0) await notices.awaitSettled()
    const told = stage.told
      .map((line) => (JSON.parse(line) as { notice: JsonObject }).notice)
      .filter(({ kind }) => kind === 'adviser_budget')
    assert.equal(told.length, 1)
    const [{ agent_id, reason_code, details } = {}] = told
    assert.deepEqual([agent_id, reason_code], [AGENT, 'ADVISER_BUDGET'])
    assert.equal((details as JsonObject).used_up, usedUp)
    await stage.clock.advance(3_600_000)
    await proposed(stage)
    assert.equal(calls(), 2, 'in the next window it looks again')
    await stage.close()
  }
})

test('what a provider does not count is counted at its largest, and what it counts above is counted whole', async () => {
  for (const [usage, least, most] of [
    [null, 1_024, 3_000],
    [{ input_tokens: 90_000, output_tokens: 1 }, 90_001, 90_001],
  ] as const) {
    const stage = await guarded([{ text: FITS, usage }])
    await proposed(stage)
    const index = Math.floor(stage.clock.now() / 3_600_000)
    const id = `advice soft_guard model_guard 3600 ${index} tokens`
    const used = await stage.runtime().store.readCounter(id)
    assert.ok(used >= least && used <= most, `${used}`)
    await stage.close()
  }
})

test('a guard that asks what is no question, and does not wait, ends nothing', async () => {
  const provider = createScriptedProvider({ script: () => FITS })
  const heard: unknown[] = []
  const own: SoftGuard = {
    name: 'own',
    async check(_input, _signal, ask) {
      for (const request of [
        { model: 1n },
        undefined,
        { model: 'm', messages: 7, max_tokens: 1 },
      ]) {
        const question = { provider, request, budget: BUDGET } as unknown as ModelQuestion
        const asking = ask?.(question).then((asked) => heard.push(asked.kind))
        if (request === undefined) await asking
      }
      return { mismatch: false, why: '' }
    },
  }
  const stage = await flowStage({ softGuards: [own] })
  await stage.deploy()
  const { dfid } = await proposed(stage)
  await stage.clock.advance(0)
  assert.equal(heard.length, 3)
  assert.ok(heard.includes('failed'))
  assert.deepEqual((await stage.flow(dfid)).tags, [])
  await stage.close()
})

test('nobody hides from a guard by writing much', async () => {
  const { script, calls } = count([])
  const stage = await guarded(script)
  const much = 'x'.repeat(LIMITS.adviserText / 2)
  const { dfid } = await proposed(stage, { justification: much, trigger: much })
  assert.equal(calls(), 0)
  assert.deepEqual((await stage.flow(dfid)).tags, ['NEEDS_REVIEW'])
  await stage.close()
})

test('who verifies, replays or compiles again asks no model', async () => {
  const { script, calls } = count(() => ODD)
  const auditors = [createModelAuditor(options(script))]
  const stage = await guarded(script, {}, { auditors })
  await proposed(stage)
  await audited(stage)
  assert.equal(calls(), 2)
  const { store } = stage.runtime()
  const { rules } = stage.engine().context.book
  assert.equal((await recompileTrajectory(store, 'main', rules)).ok, true)
  await stage.restart()
  await audited(stage)
  await stage.engine().checkpoint()
  const lines: string[] = []
  await exportLedger(stage.runtime().store, (line) => void lines.push(line))
  assert.deepEqual(await foundByBoth(lines.join('')), [])
  assert.equal(calls(), 2)
  await stage.close()
})

async function audited(stage: FlowStage): Promise<void> {
  const { auditors } = stage.engine().context.advisers
  auditors.round()
  await pump(stage, auditors.awaitSettled())
}

async function paid(stage: FlowStage, order: string): Promise<string> {
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const answer = await flow.propose({ ...refund(), params: { order, amount: '1.00' } })
  assert.equal(answer.execution?.status, 'SUCCESS')
  return flow.dfid
}

async function auditing(
  script: Script,
  change: Partial<ModelAdviserOptions> = {},
): Promise<FlowStage> {
  const stage = await flowStage({ auditors: [createModelAuditor(options(script, change))] })
  await stage.deploy()
  return stage
}

async function verdicts(stage: FlowStage, flows: readonly string[]): Promise<readonly unknown[]> {
  const said = []
  for (const dfid of flows) said.push((await found(stage, dfid, 'auditor'))[0]?.finding)
  return said
}

test('an auditor is asked about each step alone, and its finding and its question are in the flow', async () => {
  const asked: string[] = []
  const stage = await auditing(({ messages: [message] }) => {
    asked.push(message?.text ?? '')
    return message?.text.includes('odd') ? ODD : FITS
  })
  const flows = [await paid(stage, 'odd'), await paid(stage, 'even')]
  await audited(stage)
  await audited(stage)
  assert.deepEqual(await verdicts(stage, flows), ['drifted', 'aligned'])
  assert.equal(asked.length, 2)
  assert.ok(!asked[1]?.includes('odd'), 'no step speaks for another')
  for (const dfid of flows) assert.equal((await found(stage, dfid)).length, 1)
  assert.deepEqual((await stage.flow(flows[0] ?? '')).tags, [], 'a finding decides nothing')
  await stage.close()
})

for (const [what, said] of Object.entries(NOTHING_SAID)) {
  if (what === 'fails' || what === 'throws') continue
  test(`a step about which the model ${what} holds up no other`, async () => {
    const provider: ModelProvider = {
      name: 'acme',
      findPrice: () => undefined,
      generate: (request, io) => {
        if (!request.messages[0]?.text.includes('odd'))
          return createScriptedProvider({ script: [FITS] }).generate(request, io)
        if ('generate' in said) return said.generate(request, io)
        return createScriptedProvider({ script: said }).generate(request, io)
      },
    }
    const stage = await auditing([], { provider })
    const flows = [await paid(stage, 'odd'), await paid(stage, 'even')]
    const { auditors } = stage.engine().context.advisers
    auditors.round()
    if (what === 'hangs') {
      await untilAsked(stage)
      await stage.clock.advance(60_000)
    }
    await pump(stage, auditors.awaitSettled())
    assert.deepEqual(await verdicts(stage, flows), ['no_opinion', 'aligned'])
    await stage.close()
  })
}

test('a model that cannot be reached is asked again later, and not for ever', async () => {
  const { script, calls } = count(
    () => new ModelFailure('MODEL_UNAVAILABLE', 'down', { charged: false }),
  )
  const stage = await auditing(script)
  const dfid = await paid(stage, 'o')
  await audited(stage)
  assert.deepEqual(await verdicts(stage, [dfid]), [undefined])
  for (let round = 0; round < LIMITS.adviserAttempts; round++) {
    await stage.clock.advance(LIMITS.backoffMaxMs)
    await audited(stage)
  }
  assert.deepEqual(await verdicts(stage, [dfid]), ['no_opinion'])
  assert.equal(calls(), LIMITS.adviserAttempts)
  await stage.close()
})

test('an auditor waits for its next window, and passes over who has used up its share', async () => {
  const usage = { input_tokens: 1_500, output_tokens: 50 }
  const window = { window_s: 3_600, tokens: '3000', agent_share_pct: 100 }
  const one = count(() => ({ text: FITS, usage }))
  const stage = await auditing(one.script, { budget: window })
  const flows = [await paid(stage, 'a'), await paid(stage, 'b')]
  await audited(stage)
  assert.deepEqual(await verdicts(stage, flows), ['aligned', undefined])
  await stage.clock.advance(3_600_000)
  await audited(stage)
  assert.deepEqual(await verdicts(stage, flows), ['aligned', 'aligned'])
  await stage.close()
  const share = { window_s: 3_600, tokens: '100000', agent_share_pct: 3 }
  const other = count(() => ({ text: FITS, usage }))
  const shared = await auditing(other.script, { budget: share })
  const more = [await paid(shared, 'a'), await paid(shared, 'b')]
  await audited(shared)
  assert.deepEqual(await verdicts(shared, more), ['aligned', 'no_opinion'])
  await shared.close()
})
