/**
 * A runtime at work, as somebody finds its database when it has stopped: flows that are open in every
 * way a flow can be, requests that wait, effects of which nobody knows, holds, facts, sessions, timers.
 * Started again, it goes on with all of that, and uses everything that it left.
 */
import { type Answer, buildOverride } from 'rubicon-kernel'
import { systemClock } from '../../../../runtime/src/adapters/system/clock.ts'
import { createRuntime, type Flow, type Runtime } from '../../../../runtime/src/compose.ts'
import type { Clock } from '../../../../runtime/src/ports/clock.ts'
import { RubiconError } from '../../../../runtime/src/rubicon-error.ts'
import type { Rng } from '../../rng.ts'
import { buildSiteCapabilities, CONTRACTS, MONITOR, Outside, PEOPLE, SOURCES } from './law.ts'
import type { Used } from './use.ts'

type Proposal = Extract<Parameters<Flow['propose']>[0], { readonly policy_kind: string }>

/** What was asked of the runtime, to be asked again. */
export type Asked = { readonly dfid: string; readonly proposal: Proposal; readonly answer: Answer }

/** What whoever worked there remembers. */
export type Played = {
  readonly asked: readonly Asked[]
  readonly flows: readonly string[]
  readonly tokens: readonly string[]
  readonly outside: Outside
  /** How far its clock had come. */
  readonly ahead: number
}

export type SitePlace = { readonly store: string; readonly stateDirectory: string }

/** The time of the machine, and more where a test has waited. */
export class MovedClock implements Clock {
  ahead: number

  constructor(ahead = 0) {
    this.ahead = ahead
  }

  now(): number {
    return systemClock.now() + this.ahead
  }

  monotonic(): number {
    return systemClock.monotonic() + this.ahead
  }

  after(ms: number, idle?: boolean): ReturnType<Clock['after']> {
    return systemClock.after(ms, idle)
  }
}

export async function openSite(
  place: SitePlace,
  outside: Outside,
  clock: Clock,
  told: (line: string) => void,
  executors: 'inline' | 'elsewhere' = 'inline',
): Promise<Runtime> {
  const runtime = await createRuntime({
    ...place,
    clock,
    executors,
    capabilities: buildSiteCapabilities(outside),
    sources: SOURCES,
    people: PEOPLE,
    background: false,
    report: told,
  })
  try {
    await runtime.start()
  } catch (error) {
    await runtime.close().catch(() => {})
    throw error
  }
  return runtime
}

/** A day's work, after so many flows that nobody asks about again. `early` is called in the middle of it. */
export async function playSite(
  place: SitePlace,
  rng: Rng,
  filling: number,
  early: () => void | Promise<void>,
): Promise<{ readonly played: Played; readonly runtime: Runtime }> {
  const outside = new Outside()
  const clock = new MovedClock()
  const asked: Asked[] = []
  const flows: string[] = []
  const ignoreLine = (): void => {}
  let runtime = await openSite(place, outside, clock, ignoreLine)
  const open = async (agent: string, more: object = {}): Promise<Flow> => {
    const flow = await runtime.open({ agent, trigger: `job ${rng.drawBelow(1000)}`, ...more })
    flows.push(flow.dfid)
    return flow
  }
  const propose = async (flow: Flow, policy_kind: string, to: string, step_id = 's1', most = 9) => {
    const proposal = {
      policy_kind,
      params: { amount: String(rng.drawBetween(1, most)), to },
      step_id,
    }
    const answer = await flow.propose(proposal)
    asked.push({ dfid: flow.dfid, proposal, answer })
  }

  for (const contract of CONTRACTS) await runtime.deploy(contract)
  await runtime.monitor(MONITOR)
  await runtime.observe({ path: 'market.status', value: 'open', source: 'exchange' })
  await runtime.observe({ path: 'market.mood', value: 'calm' })
  const tokens: string[] = []
  for (const agent of ['payer', 'asker']) {
    const shaken = await runtime.engine.handshake({ agent })
    if (shaken.ok) tokens.push(shaken.value.session_token)
  }
  for (let i = 0; i < filling; i++) {
    const flow = await runtime.open({ agent: 'payer', trigger: 'fill' })
    await flow.propose({ policy_kind: 'LOOKUP', params: { amount: '1', to: 'x' }, step_id: 's' })
  }
  for (let i = 0; i < 3; i++) await propose(await open('payer'), 'PAY', `x${i}`)
  const many = await open('payer', { steps: 'many' })
  await propose(many, 'PAY', 'x', 's1')
  await many.usage({ tokens: 700 })
  await propose(await open('asker'), 'PAY', 'y')
  await propose(await open('pair'), 'PAY', 'z')
  await propose(await open('payer'), 'ORDER', 'lost-1')
  await runtime.engine.checkpoint()
  await early()

  await propose(many, 'LOOKUP', 'x', 's2')
  await propose(many, 'PAY', 'x', 's3')
  await propose(many, 'PAY', 'x', 's4', 9000)
  await propose(many, 'PAY', 'x', 's5', 9000)
  await propose(await open('payer'), 'WIRE', 'lost-2')
  await propose(await open('payer', { steps: 'many' }), 'ORDER', 'lost-1')
  const half = await open('mason', { steps: 'many' })
  await propose(half, 'PAY', 'x', 's1')
  await propose(half, 'PAY', 'nobody', 's2')
  const above = await open('lead', { steps: 'many' })
  await above.spawn({ agent: 'payer', trigger: 'a part of it', steps: 'many' })
  await propose(above, 'LOOKUP', 'x', 's9')
  await above.spawnInstance({
    class: 'payer',
    instance_id: 'payer-2',
    until: { flow: above.dfid },
  })
  await propose(await open('trader', { steps: 'many' }), 'TRADE', 'x')
  const over = await open('payer', { steps: 'many' })
  await propose(over, 'PAY', 'x')
  await over.close()
  const again = await open('asker')
  await propose(again, 'PAY', 'w')
  await approve(runtime, 'pair', 'ann@example.com')
  await runtime.observe({ path: 'market.status', value: 'open', source: 'exchange' })
  await runtime.engine.timers.schedule({
    agent: 'payer',
    trigger: 'rent',
    name: 'rent',
    every_ms: 3_600_000,
  })
  await many.note('half of it is paid')
  await many.refresh()
  await runtime.engine.contextStore.putAgentState('payer', { mood: 'good' }, null)
  await runtime.engine.oversight.sweepMonitors()
  await runtime.close()

  runtime = await openSite(place, outside, clock, ignoreLine, 'elsewhere')
  const held = await runtime.open({ agent: 'payer', trigger: 'later', steps: 'many' })
  flows.push(held.dfid)
  const proposal = { policy_kind: 'ORDER', params: { amount: '3', to: 'v' }, step_id: 's1' }
  asked.push({ dfid: held.dfid, proposal, answer: await held.propose(proposal, { waitMs: 1 }) })
  const played: Played = { asked, flows, tokens, outside, ahead: clock.ahead }
  return { played, runtime }
}

async function approve(runtime: Runtime, agent_id: string, principal: string): Promise<void> {
  const { oversight, context } = runtime.engine
  for (const { id, kind } of await oversight.escalations({ agent_id, limit: 20 })) {
    const view = kind === 'outcome' ? null : await oversight.escalation(id)
    if (view === null) continue
    const until = context.clock.now() + 60_000
    const said = await oversight.decideEscalation(
      id,
      buildOverride(view.request, { until, justification: 'seen' }),
      {
        kind: 'person',
        principal,
      },
    )
    if (!said.ok && isAlarm(said.error.code)) throw new RubiconError(said.error)
  }
}

const ALARMS: readonly string[] = [
  'HEAD_MISMATCH',
  'LEDGER_ROLLBACK',
  'STORE_DIVERGED',
  'STORE_CORRUPT',
]

export function isAlarm(code: string): boolean {
  return ALARMS.includes(code)
}

/** Nobody carries out what was accepted while it is asked for. */
const WAIT_MS = 20
const MORE = { policy_kind: 'PAY', params: { amount: '1', to: 'more' }, step_id: 'more' }

export type WentOn = {
  /** What was said of the store, by code. */
  readonly alarms: readonly string[]
  /** What broke otherwise. */
  readonly errors: readonly string[]
  /** Answers that differ from those that were given before. */
  readonly others: readonly string[]
}

/** Uses everything once: what was done, what waits, what is due, and who asks. */
export async function goOn(
  runtime: Runtime,
  played: Played,
  clock: MovedClock,
  used: Used,
): Promise<WentOn> {
  const alarms: string[] = []
  const errors: string[] = []
  const others: string[] = []
  const recordError = (error: unknown): void => {
    const code = getErrorCode(error)
    if (isAlarm(code)) alarms.push(code)
    else errors.push(code === '' ? String(error) : code)
  }
  const use = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      const done = await work()
      const failure = (done as { ok?: boolean; error?: { code: string } } | null | undefined) ?? {}
      if (failure.ok === false && isAlarm(failure.error?.code ?? ''))
        alarms.push(failure.error?.code ?? '')
    } catch (error) {
      recordError(error)
    }
  }
  const { engine } = runtime
  for (const read of used.reads) await use(() => read(runtime))
  for (const dfid of used.flows)
    await use(async () => {
      const { reason_code } = await engine.propose(dfid, MORE, { waitMs: WAIT_MS })
      if (isAlarm(reason_code ?? '')) alarms.push(reason_code ?? '')
    })
  for (const token of played.tokens) await use(() => engine.session(token))
  for (const { dfid, proposal, answer } of played.asked) {
    await use(async () => {
      const again = await engine.propose(dfid, proposal, { waitMs: WAIT_MS })
      if (isAlarm(again.reason_code ?? '')) alarms.push(again.reason_code ?? '')
      const was = answer.execution?.status
      if (
        was === 'SUCCESS' &&
        JSON.stringify(again.execution?.result) !== JSON.stringify(answer.execution?.result)
      )
        others.push(`${proposal.policy_kind} ${again.outcome} ${again.reason_code ?? ''}`)
    })
  }
  for (const dfid of played.flows) await use(() => engine.propose(dfid, MORE, { waitMs: WAIT_MS }))
  for (const agent of ['asker', 'pair']) await use(() => approve(runtime, agent, 'bob@example.com'))
  await use(() =>
    runtime
      .open({ agent: 'trader', trigger: 'again' })
      .then((flow) =>
        flow.propose({ policy_kind: 'TRADE', params: { amount: '1', to: 'x' }, step_id: 's' }),
      ),
  )
  await use(() => engine.contextStore.agentState('payer'))
  await use(() => engine.oversight.sweepMonitors())
  await use(() => engine.people.find({ kind: 'name', name: 'ann@example.com' } as never))
  clock.ahead += 600_000
  await use(() => engine.reconcile())
  await use(() => engine.runDue())
  clock.ahead += 7_200_000
  await use(() => engine.reconcile())
  await use(() => engine.runDue())
  await use(() => engine.scrub())
  await use(() => engine.checkpoint())
  return { alarms, errors, others }
}

function getErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
