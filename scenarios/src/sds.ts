/**
 * A stream of sixteen decisions, each under an atom: what bounds it was settled before the agent thought. Three prices move
 * while it thinks, one proposal is none that its grammar has; a model that draws its tokens at random stays inside.
 */
import { type Answer, type JsonObject, readWritten } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildFlowGrammar } from '../../runtime/src/engine/context/flow-grammar.ts'
import { buildContract } from '../../server/src/demo/contract.ts'
import {
  createHeldSource,
  type ExpectedAnswer,
  type Scenario,
  type Stage,
} from '../../server/src/demo/stage.ts'
import { createDrawingModel } from './drawing-model.ts'

const AGENT = 'tick_trader'
const INSTRUMENTS = Array.from({ length: 16 }, (_, index) => `SYM-${index + 1}`)
/** Whose price moves while the agent thinks. */
const MOVED: readonly string[] = ['SYM-4', 'SYM-9', 'SYM-14']
/** What the agent wants of it is no number. */
const MALFORMED = 'SYM-7'
const GENERATIONS = 1_000

export const scenario: Scenario = { name: 'sds', play }

async function play(stage: Stage): Promise<void> {
  const sent: string[] = []
  const market = Object.fromEntries(INSTRUMENTS.map((name) => [toPath(name), '100.00']))
  const runtime = await stage.openRuntime({
    sources: [createHeldSource('exchange', market)],
    capabilities: [buyCapability(sent)],
    topologies: [{ topology: 'SDS', agents: [AGENT] }],
  })
  await runtime.deploy(
    buildContract(AGENT, ['BUY'], {
      permissions: {
        limits: [{ id: 'quantity', kind: 'range', field: '/quantity', min: '1', max: '10' }],
      },
      jit_verification: { drift_envelope: { price_pct: '0.5' } },
    }),
  )
  const batch: { readonly name: string; readonly flow: Flow; readonly atom_id: string }[] = []
  for (const name of INSTRUMENTS) {
    const flow = await open(runtime, name)
    batch.push({ name, flow, atom_id: (await flow.atom()).atom_id })
  }
  for (const name of MOVED) market[toPath(name)] = '101.00'
  for (const { name, flow, atom_id } of batch) {
    const answer = await buy(flow, name, { atom_id, quantity: name === MALFORMED ? 'lots' : '2' })
    stage.recordDecision(`BUY 2 of ${name}, under an atom`, answer, expectOf(name))
  }
  stage.check('twelve were sent, once each', sent.length === 12 && new Set(sent).size === 12)
  await checkOneUse(stage, runtime, batch[0]?.atom_id ?? '')
  await checkGenerations(stage, runtime)
  await stage.close(runtime)
}

/** What a model that knows nothing writes, held to the grammar that the atom names. */
async function checkGenerations(stage: Stage, runtime: Runtime): Promise<void> {
  const flow = await open(runtime, 'SYM-1')
  const { grammar_hash } = await flow.atom()
  const { context } = runtime.engine
  const row = await context.store.readFlow(flow.dfid)
  const built = row === null ? null : await buildFlowGrammar(context, row, { kinds: ['BUY'] })
  if (built === null || !built.ok) return stage.check('there is a grammar', false)
  const grammar = built.value
  stage.check('the atom names the grammar of its kinds', grammar.hash === grammar_hash)
  const model = await createDrawingModel(16)
  let inside = 0
  const output = { name: 'proposal', schema: grammar.schema }
  const request = { model: 'drawn', messages: [], max_tokens: 512, output }
  for (let nth = 0; nth < GENERATIONS; nth += 1) {
    const { signal } = new AbortController()
    const { text } = await model.provider.generate(request, { signal })
    const written = readWritten(grammar, text, context.book.rules.regex)
    if (written.ok && isOrder(written.value.params)) inside += 1
  }
  model.close()
  stage.check(
    `a model that draws its tokens at random: ${inside} of ${GENERATIONS} inside schema and bounds`,
    inside === GENERATIONS,
  )
}

/** As schema and contract bound it. */
function isOrder({ instrument, quantity }: JsonObject): boolean {
  const amount = Number(quantity)
  return INSTRUMENTS.includes(String(instrument)) && amount >= 1 && amount <= 10
}

/** Nobody goes around it, and nobody uses what was somebody's, or was used. */
async function checkOneUse(stage: Stage, runtime: Runtime, used: string): Promise<void> {
  const flow = await open(runtime, 'SYM-1', 'many')
  stage.recordDecision('BUY without an atom', await buy(flow, 'SYM-1', { quantity: '1' }), {
    outcome: 'REJECTED',
    reason_code: 'TOPOLOGY_MISMATCH',
  })
  stage.recordDecision(
    'BUY under the atom of another flow',
    await buy(flow, 'SYM-1', { quantity: '1', atom_id: used }),
    { outcome: 'REJECTED', reason_code: 'ATOM_INVALID' },
  )
  const { atom_id } = await flow.atom()
  const first = { quantity: '1', atom_id, step_id: 'first' }
  stage.recordDecision('BUY under its own', await buy(flow, 'SYM-1', first), {
    outcome: 'ACCEPTED',
  })
  stage.recordDecision('the same again', await buy(flow, 'SYM-1', first), { outcome: 'REPEATED' })
}

const DRIFT: ExpectedAnswer = { outcome: 'REJECTED', reason_code: 'STATE_DRIFT_DETECTED' }
const IMPOSSIBLE: ExpectedAnswer = { outcome: 'REJECTED', reason_code: 'ARGUMENTS_INVALID' }

function expectOf(name: string): ExpectedAnswer {
  if (name === MALFORMED) return IMPOSSIBLE
  return MOVED.includes(name) ? DRIFT : { outcome: 'ACCEPTED' }
}

function toPath(instrument: string): string {
  return `market.price.${instrument}`
}

function open(runtime: Runtime, name: string, steps: 'one' | 'many' = 'one'): Promise<Flow> {
  return runtime.open({ agent: AGENT, trigger: `a tick of ${name}`, state: [toPath(name)], steps })
}

type Order = { readonly quantity: string; readonly atom_id?: string; readonly step_id?: string }

function buy(flow: Flow, instrument: string, { quantity, ...rest }: Order): Promise<Answer> {
  return flow.propose({ policy_kind: 'BUY', params: { instrument, quantity }, ...rest })
}

function buyCapability(sent: string[]): Capability {
  return {
    kind: 'BUY',
    summary: 'buy at the market',
    effect: 'keyed',
    risk: 'medium',
    reversible: true,
    params: {
      type: 'object',
      properties: {
        instrument: { enum: INSTRUMENTS },
        quantity: { type: 'string', pattern: '^[0-9]{1,2}$' },
      },
      required: ['instrument', 'quantity'],
      additionalProperties: false,
    },
    jit_fields: ['price'],
    jit: ({ instrument }) => ({ price: { path: toPath(String(instrument)), kind: 'telemetry' } }),
    execute({ params, intent_id }) {
      sent.push(intent_id)
      return { result: { bought: params.instrument ?? null } }
    },
  }
}
