/**
 * The mesh: one price wakes two agents, and what they want excludes each other. Risk comes before strategy whatever the order of
 * arrival, a small move wakes nobody, all see one reading of State, and HALT stops what was not sent.
 */
import type { Answer, JsonObject } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { ExpectedAnswer, Scenario, Stage } from '../../server/src/demo/stage.ts'

const RISK = 'agent_risk'
const STRATEGY = 'agent_strategy'
const PRICE = 'market.price.ACME'

const ACCEPTED: ExpectedAnswer = { outcome: 'ACCEPTED' }
const PREEMPTED: ExpectedAnswer = { outcome: 'REJECTED', reason_code: 'PREEMPTED' }
const HALTED: ExpectedAnswer = { outcome: 'REJECTED', reason_code: 'EVENT_HALTED' }
const MISMATCH: ExpectedAnswer = { outcome: 'REJECTED', reason_code: 'TOPOLOGY_MISMATCH' }

export const scenario: Scenario = { name: 'eoam', play }

async function play(stage: Stage): Promise<void> {
  const sent: string[] = []
  const runtime = await stage.openRuntime({
    background: false,
    capabilities: ['BUY', 'ALERT'].map((kind) => createDeskCapability(kind, sent)),
    topologies: [{ topology: 'EOAM', policy_kinds: ['BUY'] }],
    topics: [{ topic: 'market.*', arbitration: { window_ms: 60_000 } }],
  })
  await deploy(runtime, RISK, 'MONITOR', ['ALERT', 'HALT'])
  await deploy(runtime, STRATEGY, 'STRATEGIST', ['BUY'])
  const mesh = listen(runtime)

  const first = await mesh.wake('100.00')
  stage.check('100.00 wakes two agents', first.size === 2)
  await playPreemption(stage, runtime, first, [STRATEGY, RISK])
  stage.check('a move of 0.3 % wakes nobody', (await mesh.wake('100.30')).size === 0)
  const second = await mesh.wake('101.00')
  stage.check('one of 0.7 % wakes both', second.size === 2)
  const prices = [...second.values()].map(({ context }) => context.state[0]?.value)
  stage.check('and they are shown the same', prices.join() === '101.00,101.00')
  await playPreemption(stage, runtime, second, [RISK, STRATEGY])
  const readings = await runtime.store.listRecords('state_snapshot', 'events', { limit: 10 })
  stage.check('State was read once for each event', readings.length === 2)
  stage.check('two alerts were sent, and no order', sent.join() === 'ALERT,ALERT')

  await playHalt(stage, runtime, await mesh.wake('120.00'))
  stage.check('nothing was sent', sent.length === 2)
  const alone = await runtime.open({ agent: STRATEGY, trigger: 'its own idea' })
  const around = await alone.propose({ policy_kind: 'BUY', params: { what: 'ACME' } })
  stage.recordDecision('BUY in a flow that no event opened', around, MISMATCH)
  await stage.close(runtime)
}

type Woken = ReadonlyMap<string, Flow>

async function playPreemption(
  stage: Stage,
  runtime: Runtime,
  flows: Woken,
  order: readonly string[],
): Promise<void> {
  const answers = new Map<string, Promise<Answer>>()
  for (const agent of order) {
    const kind = agent === RISK ? 'ALERT' : 'BUY'
    answers.set(agent, propose(flows, agent, kind, { what: 'ACME' }))
    await waitForWord(runtime, flows, agent)
  }
  const [quicker] = order
  const alert = await answers.get(RISK)
  const buy = await answers.get(STRATEGY)
  if (alert === undefined || buy === undefined) throw new Error('both have proposed')
  stage.recordDecision(`${quicker} is first: the ALERT of risk`, alert, ACCEPTED)
  stage.recordDecision('the BUY of strategy', buy, PREEMPTED)
  await flows.get(STRATEGY)?.close()
}

async function playHalt(stage: Stage, runtime: Runtime, flows: Woken): Promise<void> {
  const buy = propose(flows, STRATEGY, 'BUY', { what: 'ACME' })
  await waitForWord(runtime, flows, STRATEGY)
  const halt = await propose(flows, RISK, 'HALT', { reason: 'the feed is wrong' })
  stage.recordDecision('risk halts the event', halt, ACCEPTED)
  stage.recordDecision('the BUY that waited', await buy, HALTED)
}

function propose(
  flows: Woken,
  agent: string,
  policy_kind: string,
  params: JsonObject,
): Promise<Answer> {
  const flow = flows.get(agent)
  if (flow === undefined) throw new Error(`${agent} was not woken`)
  return flow.propose({ policy_kind, params })
}

/** Until the record has what it said: then the other speaks. Its flow may be ACTIVE again by then, so its history is asked. */
async function waitForWord({ store }: Runtime, flows: Woken, agent: string): Promise<void> {
  const dfid = flows.get(agent)?.dfid ?? ''
  const hasSpoken = async (): Promise<boolean> => {
    const flow = await store.readFlow(dfid)
    return flow?.history.some(({ to }) => to === 'VALIDATING') ?? false
  }
  while (!(await hasSpoken())) await turn()
}

type Mesh = { wake(price: string): Promise<Woken> }

/** The flows that an observation opens, by their agents. */
function listen(runtime: Runtime): Mesh {
  let woken = new Map<string, Flow>()
  for (const agent of [RISK, STRATEGY]) runtime.on(agent, (flow) => void woken.set(agent, flow))
  return {
    async wake(price) {
      woken = new Map()
      await runtime.observe({ path: PRICE, value: price })
      const { opened } = await runtime.engine.runDue()
      while (woken.size < opened) await turn()
      return woken
    },
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

function deploy(
  runtime: Runtime,
  agent: string,
  role: string,
  kinds: readonly string[],
): Promise<unknown> {
  const subscriptions = [{ topic: 'market.*', wake_if: { abs_change_pct: '0.5' } }]
  const permissions = { subscriptions, reads: ['market.*'] }
  return runtime.deploy(buildContract(agent, kinds, { role, permissions }))
}

function createDeskCapability(kind: string, sent: string[]): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: {
      type: 'object',
      properties: { what: { type: 'string' } },
      required: ['what'],
      additionalProperties: false,
    },
    execute: ({ params }) => {
      sent.push(kind)
      return { result: params.what ?? null }
    },
  }
}
