/** Two processes of one agent over HTTP, by a clock that jumps: who works on what an event woke. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type AgentFlow, connectAgent, type HttpAgentConnection } from 'rubicon-agents'
import { systemClock } from '../../../runtime/src/compose.ts'
import type { Clock } from '../../../runtime/src/ports/clock.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { AGENT, type Served, served } from '../../../server/src/http/served.test-support.ts'
import { KNOCK, knockUntil, until } from './until.test-support.ts'

/** The clock of this machine, and so much more as the test lets pass: servers go on by themselves, and nobody waits for a minute. */
type JumpClock = Clock & {
  pass(ms: number): void
  /** Until so much has passed, by jumps alone. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

function createJumpClock(): JumpClock {
  let passed = 0
  let waiting: { readonly due: number; readonly resolve: () => void }[] = []
  return {
    ...systemClock,
    now: () => systemClock.now() + passed,
    monotonic: () => systemClock.monotonic() + passed,
    pass(ms) {
      passed += ms
      const due = waiting.filter((one) => one.due <= passed)
      waiting = waiting.filter((one) => one.due > passed)
      for (const { resolve } of due) resolve()
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        waiting.push({ due: passed + ms, resolve })
        signal.addEventListener('abort', () => resolve())
      }),
  }
}

type Replica = {
  readonly agent: HttpAgentConnection
  /** Flows that were handed to it. */
  readonly handed: string[]
  readonly errors: unknown[]
  /** Nothing that it sends arrives any more. */
  kill(): void
  /** The next claim that it sends is lost on the way. */
  loseClaim(): void
}

type Desk = Served & {
  readonly clock: JumpClock
  /** The handler of each works as long as the test says. */
  replica(work: (flow: AgentFlow) => unknown): Promise<Replica>
  /** Claims that were granted, by when. */
  readonly claims: number[]
  /** How often somebody was told that a flow is taken. */
  refused(): number
  /** An observation that wakes the agent; resolves when its flow is open. */
  wake(path: string): Promise<string>
}

async function open(t: TestContext): Promise<Desk> {
  const clock = createJumpClock()
  const contract = buildContract(AGENT, ['REFUND'], {
    permissions: { subscriptions: [{ topic: 'market.*' }], reads: ['market.*'] },
  })
  const it = await served(t, { clock, contracts: [contract], background: false })
  const key = await it.key(AGENT)
  const claims: number[] = []
  let refused = 0
  return {
    ...it,
    clock,
    claims,
    refused: () => refused,
    async replica(work) {
      const handed: string[] = []
      const errors: unknown[] = []
      const onError = (error: unknown): void => void errors.push(error)
      let isDead = false
      let isLosing = false
      const line: typeof fetch = async (input, init) => {
        const isClaim = String(input).endsWith('/claim')
        if (isDead || (isClaim && isLosing)) {
          isLosing = false
          throw new TypeError('fetch failed')
        }
        const response = await fetch(input, init)
        if (isClaim && response.ok) claims.push(clock.now())
        if (isClaim && response.status === 409) refused += 1
        return response
      }
      const agent = await connectAgent({
        ...{ url: it.server.url, agent: AGENT, key, clock, wait: clock.wait, onError },
        fetch: line,
      })
      t.after(() => agent.close())
      agent.handleFlows((flow) => {
        handed.push(flow.dfid)
        return work(flow)
      })
      await knockUntil(it, () => handed.length > 0)
      const kill = (): void => {
        isDead = true
      }
      const loseClaim = (): void => {
        isLosing = true
      }
      return { agent, handed, errors, kill, loseClaim }
    },
    async wake(path) {
      await it.runtime.observe({ path, value: 1 })
      await it.runtime.engine.runDue()
      const flows = await it.runtime.store.listFlows({ agent_id: AGENT, limit: 100 })
      const woken = flows.filter(({ event }) => event?.topic === path)
      assert.equal(woken.length, 1)
      return woken[0]?.dfid ?? ''
    },
  }
}

const refund = (flow: AgentFlow): Promise<unknown> =>
  flow.propose({ policy_kind: 'REFUND', params: { order: flow.dfid, amount: '1.00' } })

/** What no event woke is everybody's, and is left alone here. */
const onlyWoken =
  (work: (flow: AgentFlow) => unknown) =>
  (flow: AgentFlow): unknown =>
    flow.context.trigger === KNOCK ? undefined : work(flow)

test('two processes of an agent work on each woken flow once, also when its claim would be over', async (t) => {
  const desk = await open(t)
  const replicas = [await desk.replica(onlyWoken(refund)), await desk.replica(onlyWoken(refund))]
  const woken: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) woken.push(await desk.wake(`market.${name}`))
  await until(() => desk.calls.length === 5)
  desk.clock.pass(60_000)
  const heard = await desk.runtime.open({ agent: AGENT, trigger: KNOCK })
  await until(() => replicas.every(({ handed }) => handed.includes(heard.dfid)))
  const all = replicas.flatMap(({ handed }) => handed).filter((dfid) => woken.includes(dfid))
  assert.deepEqual(all.toSorted(), woken.toSorted())
  assert.equal(desk.calls.length, 5)
  assert.deepEqual(
    replicas.flatMap(({ errors }) => errors),
    [],
  )
})

test('a flow whose process died after its claim is not lost: the other takes it when a minute is over, and not before', async (t) => {
  const desk = await open(t)
  const died = Promise.withResolvers<never>()
  died.promise.catch(() => {})
  t.after(() => died.reject(new Error('gone')))
  let isFirst = true
  const dieFirst = onlyWoken((flow) => {
    if (!isFirst) return refund(flow)
    isFirst = false
    return died.promise
  })
  const replicas = [await desk.replica(dieFirst), await desk.replica(dieFirst)]
  const dfid = await desk.wake('market.a')
  await until(() => replicas.some(({ handed }) => handed.includes(dfid)))
  const dead = replicas.find(({ handed }) => handed.includes(dfid))
  const other = replicas.find((one) => one !== dead)
  assert.ok(dead !== undefined && other !== undefined)
  // The other has been told that the flow is taken, and waits.
  await until(() => desk.refused() > 0)
  dead.kill()
  desk.clock.pass(30_000)
  const taken = await desk.runtime.engine.timers.claim(dfid, 'a third one')
  assert.equal(taken.ok ? '' : taken.error.code, 'FLOW_CLAIMED')
  assert.deepEqual(desk.calls, [])
  desk.clock.pass(30_000)
  await until(() => desk.calls.length === 1)
  assert.ok(other.handed.includes(dfid))
})

test('a process that thinks for longer than a claim lasts keeps its flow', async (t) => {
  const desk = await open(t)
  const thought = Promise.withResolvers<void>()
  const think = onlyWoken(async (flow) => {
    await thought.promise
    await refund(flow)
  })
  const replicas = [await desk.replica(think), await desk.replica(think)]
  const dfid = await desk.wake('market.a')
  await until(() => desk.refused() > 0)
  await until(() => replicas.some(({ handed }) => handed.includes(dfid)))
  for (let half = 0; half < 4; half++) {
    const { length } = desk.claims
    desk.clock.pass(30_000)
    await until(() => desk.claims.length > length)
  }
  assert.equal(replicas.flatMap(({ handed }) => handed).filter((one) => one === dfid).length, 1)
  thought.resolve()
  await until(() => desk.calls.length === 1)
})

test('a claim whose renewal was lost on the way is renewed all the same', async (t) => {
  const desk = await open(t)
  const thought = Promise.withResolvers<void>()
  const think = onlyWoken(async (flow) => {
    await thought.promise
    await refund(flow)
  })
  const one = await desk.replica(think)
  const dfid = await desk.wake('market.a')
  await until(() => one.handed.includes(dfid))
  const { length } = desk.claims
  one.loseClaim()
  desk.clock.pass(30_000)
  // What waits until it asks again waits by the same clock.
  await until(() => {
    desk.clock.pass(500)
    return desk.claims.length > length
  })
  thought.resolve()
  await until(() => desk.calls.length === 1)
})
