/**
 * `rubicon bench mesh`: how long it takes from an observation to the decision of the agent that it woke, on a memory store.
 * So many observations a second come in, of a path for each of a hundred agents; one in fifty is worth waking its agent
 * for. Then a storm on one topic to which all of them listen, and which admits a few.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { EventPayload, JsonObject } from 'rubicon-kernel'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { computePercentile, roundFigure } from './measure.ts'
import { CONTRACT, REFUND } from './subject.ts'

export type MeshReport = {
  readonly observations: number
  readonly agents: number
  /** From the observation to the answer to the proposal. */
  readonly wake_ms: { readonly p50: number; readonly p99: number }
  /** Observations that were taken in, each second. */
  readonly events_per_s: number
  /** Events from which no decision came. */
  readonly lost: number
  /** Of a topic that admits five: the most that one event woke, and what it should have been. */
  readonly admitted: { readonly most: number; readonly allowed: number }
}

const AGENTS = 100
const WAKES_EVERY = 50
const TICK_MS = 10
const ALLOWED = 5
const STORM = 200
const STORM_TOPIC = 'storm.*'

export async function runMeshBench(options: {
  readonly perSecond: number
  readonly seconds: number
  readonly note: (text: string) => void
}): Promise<MeshReport> {
  const { perSecond, seconds, note } = options
  const runtime = await createRuntime({
    store: 'memory',
    capabilities: [REFUND],
    topics: [{ topic: STORM_TOPIC, admission: { table: [{ from: '0', agents: ALLOWED }] } }],
    sources: [{ source_id: 'feed', label: 'trusted', paths: ['market.*', 'storm.*'] }],
  })
  try {
    await runtime.start()
    const began = new Map<string, number>()
    const times: number[] = []
    await deploy(runtime, began, times)
    note('waking every agent once')
    const warm = await observeSteadily(runtime, AGENTS * WAKES_EVERY, perSecond, began)
    await awaitCount(times, warm)
    times.length = 0
    note(`${perSecond} observations a second for ${seconds} s`)
    const observations = perSecond * seconds
    const started = performance.now()
    const wakes = await observeSteadily(runtime, observations, perSecond, began)
    const events_per_s = (1_000 * observations) / (performance.now() - started)
    await awaitCount(times, wakes)
    const lost = wakes - times.length
    note(`a storm of ${STORM} observations on one topic`)
    return {
      observations,
      agents: AGENTS,
      wake_ms: {
        p50: roundFigure(computePercentile(times, 0.5)),
        p99: roundFigure(computePercentile(times, 0.99)),
      },
      events_per_s: roundFigure(events_per_s),
      lost,
      admitted: { most: await measureStorm(runtime), allowed: ALLOWED },
    }
  } finally {
    await runtime.close()
  }
}

/** Every agent proposes as soon as it is woken about its own path. */
async function deploy(
  runtime: Runtime,
  began: ReadonlyMap<string, number>,
  times: number[],
): Promise<void> {
  for (let index = 0; index < AGENTS; index++) {
    const agent_id = `bot_${index}`
    const subscriptions = [
      { topic: toPath(index), wake_if: { above: '1000' } },
      { topic: STORM_TOPIC },
    ]
    await runtime.deploy({
      ...CONTRACT,
      agent_id,
      permissions: { ...(CONTRACT.permissions as JsonObject), subscriptions },
    })
    runtime.on(agent_id, async (flow) => {
      const start = began.get(toPath(index))
      if (start === undefined || flow.context.trigger.startsWith('storm')) return
      await flow.propose({
        policy_kind: REFUND.kind,
        step_id: 'step-1',
        params: { order: flow.dfid, amount: '1.00', currency: 'USD' },
      })
      times.push(performance.now() - start)
    })
  }
}

/** What has not come by then is lost. */
async function awaitCount(times: readonly number[], wanted: number): Promise<void> {
  for (let turn = 0; turn < 500 && times.length < wanted; turn++) await delay(TICK_MS)
}

/** Returns how many of them wake an agent. */
async function observeSteadily(
  runtime: Runtime,
  observations: number,
  perSecond: number,
  began: Map<string, number>,
): Promise<number> {
  const started = performance.now()
  const under: Promise<unknown>[] = []
  let wakes = 0
  for (let index = 0; index < observations; index++) {
    const ahead = (1_000 * index) / perSecond - (performance.now() - started)
    if (ahead > TICK_MS) await delay(ahead)
    const isWaking = index % WAKES_EVERY === 0
    const path = toPath(isWaking ? (index / WAKES_EVERY) % AGENTS : index % AGENTS)
    if (isWaking) {
      wakes += 1
      // Below the bound first: what is above and stays above wakes nobody.
      await runtime.observe({ path, value: '1', source: 'feed' })
      began.set(path, performance.now())
    }
    const value = isWaking ? String(1_000 + index) : String(index % 900)
    under.push(runtime.observe({ path, value, source: 'feed' }))
    if (under.length >= perSecond) await Promise.all(under.splice(0))
  }
  await Promise.all(under)
  return wakes
}

async function measureStorm(runtime: Runtime): Promise<number> {
  const { store } = runtime
  const [before] = (await store.listHeads()).filter(({ trajectory }) => trajectory === 'main')
  for (let index = 0; index < STORM; index++)
    await runtime.observe({ path: `storm.p${index}`, value: String(index), source: 'feed' })
  let most = 0
  for (let from = (before?.seq ?? 0) + 1; ; ) {
    const page = await store.listEntries('main', from, 500)
    for (const { envelope, payload } of page)
      if (envelope.kind === 'event')
        most = Math.max(most, (JSON.parse(payload ?? '{}') as EventPayload).woken.length)
    if (page.length === 0) return most
    from += page.length
  }
}

function toPath(index: number): string {
  return `market.p${index}`
}
