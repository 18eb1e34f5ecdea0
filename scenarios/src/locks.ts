/**
 * A pool of 100 units. Flows that ask for more than is left are refused; a holder that dies before
 * its dispatch loses its hold, one that dies after it leaves the pool in quarantine.
 */
import type { Answer } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import type { Capability, Failpoint, ProbeAnswer } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import { createMovableClock, type Scenario, type Stage } from '../../server/src/demo/stage.ts'

const AGENT = 'allocator'
const HOLD_MS = 20_000

export const scenario: Scenario = { name: 'locks', play }

async function play(stage: Stage): Promise<void> {
  const clock = createMovableClock()
  const desk = openDesk()
  const stops = openStops()
  const runtime = await stage.openRuntime({
    clock,
    failpoints: stops,
    executors: 'separate',
    background: false,
    capabilities: [createAllocationCapability(desk)],
  })
  await runtime.deploy(buildContract(AGENT, ['ALLOCATE']))
  const ask = (units: string): Promise<Answer> => allocate(runtime, units)

  await playConcurrentRequests(stage, desk, ask)
  await playDeathBeforeDispatch(stage, desk, stops, clock, ask)
  await playDeathAfterDispatch(stage, runtime, desk, clock, ask)
  await stage.close(runtime)
}

type Ask = (units: string) => Promise<Answer>

async function playConcurrentRequests(stage: Stage, desk: Desk, ask: Ask): Promise<void> {
  desk.mode = 'slow'
  const held = [ask('40'), ask('40')]
  while (desk.sent.length < 2) await turn()
  stage.recordDecision('a third flow asks for 60 while two hold 40 each', await ask('60'), {
    outcome: 'REJECTED',
    reason_code: 'INSUFFICIENT_LIQUIDITY',
  })
  desk.answer()
  for (const [i, answer] of (await Promise.all(held)).entries())
    stage.recordDecision(`flow ${i + 1} got its 40 of 100`, answer, { outcome: 'ACCEPTED' })
}

async function playDeathBeforeDispatch(
  stage: Stage,
  desk: Desk,
  stops: Stops,
  clock: ReturnType<typeof createMovableClock>,
  ask: Ask,
): Promise<void> {
  desk.mode = 'quick'
  const sent = desk.sent.length
  const dead = stops.suspendAt('dispatch.before_commit')
  const first = ask('60')
  await dead.reached
  stage.recordDecision(
    '80 are asked for while a holder of 60 has stopped before its dispatch',
    await ask('80'),
    {
      outcome: 'REJECTED',
      reason_code: 'INSUFFICIENT_LIQUIDITY',
    },
  )
  clock.ahead(HOLD_MS)
  stage.recordDecision('80 again, once that hold has run out', await ask('80'), {
    outcome: 'ACCEPTED',
  })
  dead.resume()
  stage.recordDecision('the holder wakes up and is fenced off', await first, {
    outcome: 'REJECTED',
    reason_code: 'LOCK_EXPIRED',
  })
  stage.check('only the 80 were sent', desk.sent.slice(sent).join() === '80')
}

async function playDeathAfterDispatch(
  stage: Stage,
  runtime: Runtime,
  desk: Desk,
  clock: ReturnType<typeof createMovableClock>,
  ask: Ask,
): Promise<void> {
  desk.mode = 'lost'
  const lost = await ask('60')
  stage.recordDecision('60 are sent, and the answer is lost', lost, { outcome: 'ACCEPTED' })
  stage.check('its outcome is UNKNOWN', lost.execution?.status === 'UNKNOWN')
  stage.recordDecision('60 more: the pool is quarantined', await ask('60'), {
    outcome: 'REJECTED',
    reason_code: 'RESOURCE_QUARANTINED',
  })
  desk.mode = 'quick'
  clock.ahead(60_000)
  await runtime.engine.reconcile()
  await runtime.engine.context.inFlight.awaitDrained()
  const [row] = await runtime.store.listExecutions({ dfid: lost.dfid, limit: 1 })
  stage.check('a probe found out that it was applied', row?.status === 'SUCCESS')
  stage.recordDecision('60 more, now that the outcome is known', await ask('60'), {
    outcome: 'ACCEPTED',
  })
  const holds = await runtime.store.listRecords('lock', 'pool', { limit: 10 })
  stage.check('nothing is held any more', holds.length === 0)
}

async function allocate(runtime: Runtime, units: string): Promise<Answer> {
  const flow = await runtime.open({ agent: AGENT, trigger: `${units} units wanted` })
  return flow.propose({ policy_kind: 'ALLOCATE', params: { units } })
}

type Desk = {
  mode: 'quick' | 'slow' | 'lost'
  readonly sent: string[]
  readonly answered: Promise<void>
  answer(): void
}

function openDesk(): Desk {
  const answered = Promise.withResolvers<void>()
  return { mode: 'quick', sent: [], answered: answered.promise, answer: answered.resolve }
}

function createAllocationCapability(desk: Desk): Capability {
  return {
    kind: 'ALLOCATE',
    effect: 'queryable',
    risk: 'medium',
    reversible: true,
    params: {
      type: 'object',
      properties: { units: { type: 'string', maxLength: 16 } },
      required: ['units'],
      additionalProperties: false,
    },
    resources: ({ units }) => [{ id: 'pool', amount: String(units), capacity: '100' }],
    async execute({ params }) {
      desk.sent.push(String(params.units))
      if (desk.mode === 'lost') throw new Error('connection reset')
      if (desk.mode === 'slow') await desk.answered
      return { result: 'allocated' }
    },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 1,
      ask: (): ProbeAnswer => ({ finding: 'applied', effect: { result: 'allocated' } }),
    },
  }
}

type Stops = {
  reach(point: Failpoint): Promise<void> | void
  /** Whoever reaches this point next stops there, as if dead, until it is told to go on. */
  suspendAt(point: Failpoint): { readonly reached: Promise<void>; resume(): void }
}

function openStops(): Stops {
  const armed = new Map<Failpoint, () => Promise<void>>()
  return {
    reach(point) {
      const stop = armed.get(point)
      armed.delete(point)
      return stop?.()
    },
    suspendAt(point) {
      const reached = Promise.withResolvers<void>()
      const resumed = Promise.withResolvers<void>()
      armed.set(point, () => {
        reached.resolve()
        return resumed.promise
      })
      return { reached: reached.promise, resume: resumed.resolve }
    },
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
