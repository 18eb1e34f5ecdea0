/** Requests to models that begin together, while somebody looks at their flow, or below a flow that has a bound. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { createScriptedProvider } from '../../compose.ts'
import type { ModelProvider, ModelRequest } from '../../ports/model.ts'
import type { Store } from '../../ports/store.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'
import { checkFlow } from '../ledger/divergence/flow-check.ts'
import { iterateOpenGenerations } from '../rows/open-generations.ts'
import { computeLargestCost } from './generation-cost.ts'
import { Generations } from './generations.ts'
import { type Asking, startGeneration } from './start-generation.ts'

const PRICE = { input: '1.00', output: '2.00' }
const REQUEST: ModelRequest = {
  model: 'm-1',
  messages: [{ role: 'user', text: 'is the order refundable?' }],
  max_tokens: 100,
}
const AT_ONCE = 4

/** One that does not answer before it is told to. */
function createHeldProvider(): { readonly provider: ModelProvider; readonly answer: () => void } {
  const held = Promise.withResolvers<void>()
  const scripted = createScriptedProvider({ script: () => 'yes', price: PRICE })
  const provider: ModelProvider = {
    ...scripted,
    async generate(request, io) {
      await held.promise
      return scripted.generate(request, io)
    },
  }
  return { provider, answer: () => held.resolve() }
}

async function createStage(provider: ModelProvider, safety_rules: JsonObject): Promise<FlowStage> {
  const stage = await flowStage({ models: { acme: provider } })
  await stage.deploy({ safety_rules })
  return stage
}

function buildAsking(dfid: string, number: number): Asking {
  return {
    ...{ generation_id: `g-${number}`, dfid, provider: 'acme', model: 'm-1' },
    ...{ request: '{}', request_hash: `sha256:${'0'.repeat(64)}` },
    largest: { tokens: '1200', usd: '0.0013' },
  }
}

const PLENTY: JsonObject = { budget_per_flow: { tokens: '1000000', usd: '10' } }

test('requests to models that come together pass no bound of their flow', async () => {
  const { provider, answer } = createHeldProvider()
  const stage = await createStage(provider, PLENTY)
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const asked = Array.from({ length: 3 * AT_ONCE }, () => stage.engine().generate(dfid, REQUEST))
  const refused = Promise.all(
    asked.map(async (one) => {
      const made = await one
      return made.ok ? 'made' : made.error.code
    }),
  )
  for (let turns = 0; turns < 500; turns++) await new Promise(setImmediate)
  let open = 0
  for await (const _ of iterateOpenGenerations(stage.runtime().store)) open += 1
  answer()
  const codes = await refused
  assert.equal(open, AT_ONCE)
  assert.equal(codes.filter((code) => code === 'made').length, AT_ONCE)
  assert.equal(codes.filter((code) => code === 'GENERATIONS_FULL').length, 2 * AT_ONCE)
  await stage.restart()
  await stage.close()
})

test('a runtime that ended while a flow waited for many models starts again', async () => {
  const stage = await createStage(createHeldProvider().provider, PLENTY)
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { context } = stage.engine()
  const started = await Promise.all(
    Array.from({ length: 2 * AT_ONCE }, (_, n) =>
      startGeneration(context, buildAsking(dfid, n), true),
    ),
  )
  const begun = started.filter(({ ok }) => ok).length
  assert.equal(begun, AT_ONCE)
  await stage.restart()
  const found = await stage.entries(dfid)
  assert.equal(found.filter(([, { finding }]) => finding === 'lost').length, begun)
  await stage.close()
})

test('a request to a model that begins while its flow is checked is no change by hand', async () => {
  const stage = await createStage(createHeldProvider().provider, PLENTY)
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { context } = stage.engine()
  const { store, sha256 } = context
  let begun = 0
  const between = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...given: unknown[]) => {
        // Another engine on the same store: between what is open and what is counted.
        if (name === 'readCounter' && begun++ === 0)
          assert.ok((await startGeneration(context, buildAsking(dfid, 1), true)).ok)
        return member.apply(target, given)
      }
    },
  }) as Store
  assert.equal(await checkFlow({ store: between, sha256 }, dfid), null)
  assert.ok(begun > 0)
  await stage.restart()
  await stage.close()
})

test('a flow below one whose tokens are bounded spends none that it was not given', async () => {
  const provider = createScriptedProvider({ script: () => 'yes', price: PRICE })
  const unpriced = createScriptedProvider({ script: () => 'yes' })
  const stage = await flowStage({ models: { acme: provider, unpriced } })
  const permissions = { policy_kinds: ['REFUND', 'SPAWN_CHILD'] }
  const bounded = { budget_per_flow: { tokens: '3000', usd: '0.10' } }
  await stage.deploy({ permissions, safety_rules: bounded })
  await stage.deploy({ agent_id: 'helper_bot', safety_rules: {} })
  const above = await stage.runtime().open({ agent: AGENT, trigger: 'ticket', steps: 'many' })
  const spawned = await above.spawn({ agent: 'helper_bot', trigger: 'help' })
  assert.equal(spawned.outcome, 'ACCEPTED', JSON.stringify(spawned))
  const below = (await stage.flows()).find(({ parent_dfid }) => parent_dfid === above.dfid)
  assert.ok(below !== undefined)
  const ask = async (named: object): Promise<string> => {
    const made = await stage.engine().generate(below.dfid, { ...REQUEST, ...named })
    if (!made.ok && made.error.code === 'BUDGET_EXCEEDED')
      assert.match(made.error.fix ?? '', /budget_per_flow/)
    return made.ok ? 'made' : made.error.code
  }
  assert.equal(await ask({ provider: 'acme', max_tokens: 100_000 }), 'BUDGET_EXCEEDED')
  assert.equal(await ask({ provider: 'acme' }), 'BUDGET_EXCEEDED')
  assert.equal(await ask({ provider: 'unpriced' }), 'MODEL_UNPRICED')
  const alone = await stage.runtime().open({ agent: 'helper_bot', trigger: 'by itself' })
  const made = await stage.engine().generate(alone.dfid, { ...REQUEST, provider: 'acme' })
  assert.ok(made.ok, 'whom nobody bounds may ask')
  await stage.close()
})

test('requests to models that are counted together leave the thread after each slice', async () => {
  const generations = new Generations()
  let counted = 0
  const tokenizer = {
    name: 'each',
    count(text: string) {
      counted += 1
      return text.length
    },
  }
  const slices: number[] = []
  const pause = async (): Promise<void> => {
    const before = counted
    await new Promise(setImmediate)
    slices.push(counted - before)
  }
  const text = 'x'.repeat(5_000)
  const count = (): Promise<unknown> =>
    computeLargestCost(tokenizer, REQUEST, text, undefined, () => generations.takeTurn(pause))
  await Promise.all(Array.from({ length: 32 }, count))
  assert.equal(counted, 32 * 5)
  // The first slice of each is counted when it comes; which takes its turn as every request does.
  assert.ok(Math.max(...slices.slice(1)) <= 1, slices.join())
})
