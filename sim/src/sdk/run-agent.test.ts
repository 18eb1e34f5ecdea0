import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AgentFlow,
  type AgentModel,
  type AgentRun,
  createFlowModel,
  type FlowGeneration,
  type GenerateRequest,
  MODEL_LIMITS,
  type ModelReply,
  type RunOptions,
  runAgent,
} from 'rubicon-agents'
import type { ModelRequest, ModelReply as ProviderReply } from '../../../runtime/src/ports/model.ts'
import { AGENT } from '../../../server/src/http/served.test-support.ts'
import { type Connected, stage, testBoth } from './connected.test-support.ts'

type Said = Partial<ModelReply> | string

/** Says one thing after the other; the last again and again. */
function script(...said: readonly Said[]): AgentModel & { readonly asked: GenerateRequest[] } {
  const asked: GenerateRequest[] = []
  return {
    asked,
    async generate(request) {
      asked.push(request)
      const next = said[Math.min(asked.length, said.length) - 1] ?? ''
      const usage = { input_tokens: 10, output_tokens: 5 }
      const reply = { text: '', calls: [], stop: 'end', usage } as const
      return typeof next === 'string' ? { ...reply, text: next } : { ...reply, ...next }
    },
  }
}

let count = 0

function call(name: string, given: object | string): Said {
  count += 1
  const written = typeof given === 'string' ? given : JSON.stringify(given)
  return { calls: [{ id: `c${count}`, name, arguments: written }], stop: 'tools' }
}

const pay = (amount: string, order = 'o_1'): Said => call('REFUND', { order, amount })

async function play(
  { connect }: Connected,
  model: AgentModel,
  more: Partial<RunOptions> = {},
): Promise<AgentRun> {
  return runAgent({ model, agent: await connect(), flow: { trigger: 'ticket 4711' }, ...more })
}

test('a model of an agent and one of the runtime have the same form', () => {
  const toReply = (reply: ProviderReply): ModelReply => reply
  const toRequest = (request: FlowGeneration): ModelRequest => request
  assert.deepEqual([typeof toReply, typeof toRequest], ['function', 'function'])
})

const codes = ({ calls }: AgentRun): readonly (string | null)[] => calls.map(({ code }) => code)

testBoth(
  'a model is told its mission and its tools, and a call becomes a proposal',
  async (t, way) => {
    const it = await stage(t, way)
    const model = script(pay('20.00'))
    const run = await play(it, model, { instructions: 'Be kind.' })
    assert.ok(run.end.kind === 'settled' && run.end.answer.outcome === 'ACCEPTED')
    assert.deepEqual([run.rounds, run.tokens, it.calls.length], [1, 15, 1])
    const [first] = model.asked
    assert.match(first?.system ?? '', /Give customers back what they are owed[\s\S]*Be kind\.$/)
    assert.match(first?.messages[0]?.text ?? '', /ticket 4711/)
    const names = first?.tools?.map(({ name }) => name)
    assert.deepEqual(names, ['rubicon_search', 'REFUND', 'ESCALATE'])
    assert.deepEqual(first?.tools?.[1]?.params.required, ['order', 'amount'])
  },
)

testBoth('a refusal is told back with its reason, and the model may revise', async (t, way) => {
  const it = await stage(t, way)
  const model = script(pay('9000.00'), pay('20.00'))
  const run = await play(it, model)
  assert.equal(run.end.kind, 'settled')
  assert.deepEqual(codes(run), ['LIMIT_EXCEEDED', null])
  const told = model.asked[1]?.messages.at(-1)
  assert.ok(told?.role === 'tool' && told.failed === true)
  const { reason_code, fix } = JSON.parse(told.text)
  assert.equal(reason_code, 'LIMIT_EXCEEDED')
  assert.equal(typeof fix, 'string')
})

testBoth('a model that is refused three times has used up its flow', async (t, way) => {
  const it = await stage(t, way)
  const run = await play(it, script(pay('9000.00')))
  assert.ok(run.end.kind === 'refused' && run.end.answer.outcome === 'EXHAUSTED')
  assert.deepEqual([run.rounds, it.calls.length], [3, 0])
})

testBoth('a model that asks for a person leaves its flow to them', async (t, way) => {
  const it = await stage(t, way)
  const run = await play(it, script(call('ESCALATE', { reason: 'the order is strange' })))
  assert.equal(run.end.kind, 'waiting')
  assert.equal((await it.runtime.store.readFlow(run.dfid))?.state, 'ESCALATED')
})

testBoth('what waits for a person is not waited for unasked', async (t, way) => {
  const it = await stage(t, way)
  const run = await play(it, script(pay('1200.00')))
  assert.ok(run.end.kind === 'waiting' && run.end.answer.outcome === 'ESCALATED')
  assert.deepEqual(it.calls, [])
})

testBoth(
  'several steps: each call is a step, and calling nothing ends the flow',
  async (t, way) => {
    const it = await stage(t, way)
    const flow = { trigger: 'two parcels', steps: 'many' } as const
    const run = await play(it, script(pay('5.00', 'o_1'), pay('6.00', 'o_2'), 'both are paid'), {
      flow,
    })
    assert.equal(run.end.kind, 'settled')
    assert.deepEqual([it.calls.length, run.text], [2, 'both are paid'])
    const state = (await it.runtime.store.readFlow(run.dfid))?.state
    assert.equal(state, 'CLOSED')
  },
)

testBoth(
  'a model searches the documents of its agent, and is told what they say',
  async (t, way) => {
    const it = await stage(t, way)
    const agent = await it.connect()
    await agent.putDocument('playbook', { title: 'Refunds', text: 'Broken parcels are paid back.' })
    const model = script(call('rubicon_search', { query: 'broken parcels' }), pay('20.00'))
    const run = await play(it, model)
    assert.equal(run.end.kind, 'settled')
    assert.match(model.asked[1]?.messages.at(-1)?.text ?? '', /paid back/)
  },
)

/** What a model may do wrong, the code that it gets, and that the run ends. */
const NONSENSE: readonly (readonly [string, readonly Said[], string, number])[] = [
  ['prose', ['I would refund 20 dollars.'], 'NO_TOOL_CALL', 2],
  ['half a JSON', [call('REFUND', '{"order":"o_1","amou')], 'JSON_SYNTAX', 12],
  ['no object', [call('REFUND', '[1]')], 'SCHEMA_INVALID', 12],
  ['a forbidden key', [call('REFUND', '{"__proto__":{}}')], 'JSON_FORBIDDEN_KEY', 12],
  ['a tool that does not exist', [call('WITHDRAW', {})], 'CAPABILITY_UNKNOWN', 12],
  [
    'arguments of 300 KB',
    [call('REFUND', `{"order":"${'x'.repeat(300_000)}"}`)],
    'BODY_TOO_LARGE',
    12,
  ],
]

for (const [name, said, code, rounds] of NONSENSE)
  testBoth(`${name} costs no proposal, has its code, and ends`, async (t, way) => {
    const it = await stage(t, way)
    const run = await play(it, script(...said))
    assert.equal(run.end.kind, 'stopped')
    assert.equal(run.rounds, rounds)
    const last = codes(run).at(-1) ?? (run.end.kind === 'stopped' ? run.end.code : null)
    assert.equal(last, code)
    assert.equal((await it.runtime.store.readFlow(run.dfid))?.attempts, 0)
    assert.deepEqual(it.calls, [])
  })

const STOPS: readonly (readonly [string, () => Promise<unknown>, string])[] = [
  ['10 MB', async () => ({ text: 'x'.repeat(10_000_000), calls: [] }), 'MODEL_REPLY_TOO_LONG'],
  ['nothing', async () => null, 'NO_TOOL_CALL'],
  ['a list of numbers', async () => ({ text: '', calls: [1] }), 'MODEL_REPLY_INVALID'],
  ['text that is none', async () => ({ text: 7, calls: [] }), 'MODEL_REPLY_INVALID'],
  [
    'two calls of one id',
    async () => ({
      calls: [
        { id: 'c', name: 'REFUND', arguments: '{}' },
        { id: 'c', name: 'REFUND', arguments: '{}' },
      ],
    }),
    'MODEL_REPLY_INVALID',
  ],
  [
    'an error',
    async () => {
      throw new Error('key sk-secret is wrong')
    },
    'MODEL_FAILED',
  ],
  [
    'an error with a code',
    async () => {
      throw Object.assign(new Error('later'), { code: 'MODEL_RATE_LIMITED' })
    },
    'MODEL_RATE_LIMITED',
  ],
  ['no reply at all', () => new Promise(() => {}), 'MODEL_TIMEOUT'],
]

for (const [name, generate, code] of STOPS)
  testBoth(`a model that returns ${name} stops its run with a code`, async (t, way) => {
    const it = await stage(t, way)
    // @ts-expect-error: a model may return anything
    const run = await play(it, { generate }, { replyMs: 500 })
    assert.ok(run.end.kind === 'stopped', JSON.stringify(run.end))
    assert.equal(run.end.code, code)
    assert.ok(!JSON.stringify(run).includes('sk-secret'))
    assert.deepEqual(it.calls, [])
  })

testBoth(
  'arguments are parameters and nothing else: a model names no flow and no agent',
  async (t, way) => {
    const it = await stage(t, way)
    const other = await (await it.connect('lead')).open({ trigger: 'another agent' })
    const stolen = { order: 'o_1', amount: '1.00', dfid: other.dfid, agent_id: 'lead' }
    const run = await play(it, script(call('REFUND', stolen)))
    assert.ok(run.end.kind === 'refused')
    assert.equal(codes(run)[0], 'ARGUMENTS_INVALID')
    const untouched = await it.runtime.store.readFlow(other.dfid)
    assert.deepEqual([untouched?.attempts, untouched?.state, it.calls.length], [0, 'ACTIVE', 0])
  },
)

testBoth('ending the agent is offered to no model unasked', async (t, way) => {
  const it = await stage(t, way)
  const run = await play(it, script(call('RETIRE', { reason: 'the ticket says so' })))
  assert.equal(codes(run)[0], 'CAPABILITY_UNKNOWN')
  const { calls: later } = await play(it, script(pay('1.00')))
  assert.equal(later[0]?.answer?.outcome, 'ACCEPTED')
})

testBoth(
  'a run ends with the tokens that it was given, whatever the provider says',
  async (t, way) => {
    const it = await stage(t, way)
    const liars: readonly (readonly [unknown, number])[] = [
      [null, 1],
      [{ input_tokens: -5, output_tokens: -5 }, 1],
      [{ input_tokens: Number.NaN, output_tokens: 1 }, 1],
      [{ input_tokens: 1e300, output_tokens: 1 }, 1],
      [{ input_tokens: 3_000, output_tokens: 1_000 }, 2],
    ]
    for (const [usage, rounds] of liars) {
      // @ts-expect-error: a provider may count anything
      const model = script({ ...call('WITHDRAW', {}), usage })
      const run = await play(it, model, { tokens: 8_500, maxTokens: 4_096 })
      assert.ok(run.end.kind === 'stopped' && run.end.code === 'TOKENS_EXHAUSTED', String(usage))
      assert.ok(run.rounds >= rounds, `${String(usage)}: ${run.rounds}`)
      assert.ok(run.rounds <= 2, `${JSON.stringify(usage)} ${run.rounds} ${run.tokens}`)
    }
  },
)

testBoth(
  'what the model used is counted in the flow before anything is proposed on it',
  async (t, way) => {
    const it = await stage(t, way)
    const agent = await it.connect()
    const flow = await agent.open({ trigger: 'ticket' })
    const usages: string[] = []
    const spied: AgentFlow = {
      ...flow,
      context: flow.context,
      async usage(used, options) {
        usages.push(`usage ${used.tokens}`)
        return flow.usage(used, options)
      },
      async propose(proposal, options) {
        usages.push('propose')
        return flow.propose(proposal, options)
      },
    }
    await runAgent({ model: script(pay('20.00')), flow: spied })
    assert.deepEqual(usages, ['usage 15', 'propose'])
  },
)

test('a run that is aborted ends with a code', async (t) => {
  const it = await stage(t, 'in process')
  const model: AgentModel = { generate: () => new Promise(() => {}) }
  const run = await play(it, model, { signal: AbortSignal.timeout(200) })
  assert.ok(run.end.kind === 'stopped' && run.end.code === 'RUN_ABORTED')
})

test('of many calls in one reply so many are heard', async (t) => {
  const it = await stage(t, 'in process')
  const calls = Array.from({ length: 100 }, (_, index) => ({
    id: `x${index}`,
    name: 'WITHDRAW',
    arguments: '{}',
  }))
  const run = await play(it, script({ calls }), { rounds: 1 })
  assert.equal(run.calls.length, MODEL_LIMITS.callsPerReply)
  assert.ok(run.end.kind === 'stopped' && run.end.code === 'ROUNDS_EXHAUSTED')
})

testBoth(
  'a model of the runtime is asked through its flow; without one it has a code',
  async (t, way) => {
    const it = await stage(t, way)
    const agent = await it.connect()
    const model = (flow: AgentFlow): AgentModel => createFlowModel(agent, flow.dfid, { model: 'm' })
    const run = await runAgent({ model, agent, flow: { trigger: AGENT } })
    assert.ok(run.end.kind === 'stopped')
    assert.match(run.end.code, /^(MODEL|ROUTE)_UNKNOWN$/)
  },
)

test('what a provider wants back with a call is given back', async (t) => {
  const it = await stage(t, 'in process')
  const model = script(
    { calls: [{ id: 'a', name: 'NOTHING', arguments: '{}', signature: 'opaque' }] },
    pay('20.00'),
  )
  await play(it, model)
  const said = model.asked[1]?.messages.find(({ role }) => role === 'assistant')
  assert.ok(said?.role === 'assistant')
  assert.equal(said.calls?.[0]?.signature, 'opaque')
})
