import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import type { Flow, RuntimeOptions } from '../../compose.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import type { Effect } from '../../ports/capability.ts'
import { AGENT, type FlowStage, flowStage, plain, refund } from '../flow/flow-stage.test-support.ts'
import { handClock } from '../flow/hand-clock.test-support.ts'
import { escalateSilent } from './watchdog.ts'

const MINUTE = 60_000

/** The clock of the stage starts on a Monday at 12:00 UTC. */
async function watched(
  silence_watchdog: JsonObject = { minutes: 30 },
  options: RuntimeOptions = {},
): Promise<FlowStage> {
  const stage = await flowStage(options)
  // As old as the silence is, what the agent was shown is not too old to decide on.
  const jit_verification = { max_context_age_seconds: 86_400 }
  await stage.deploy({ safety_rules: { silence_watchdog }, jit_verification })
  return stage
}

const open = (stage: FlowStage): Promise<Flow> =>
  stage.runtime().open({ agent: AGENT, trigger: 'ticket', steps: 'many' })

const silent = async (stage: FlowStage): Promise<number> => (await stage.engine().runDue()).silent

test('after thirty minutes of silence a person is asked, and not before', async () => {
  const stage = await watched()
  const { dfid } = await open(stage)
  const since = (await stage.flow(dfid)).updated_at
  await stage.clock.advance(30 * MINUTE)
  assert.equal(await silent(stage), 0)
  await stage.clock.advance(1)
  assert.equal(await silent(stage), 1)
  const flow = await stage.flow(dfid)
  assert.equal(flow.state, 'ESCALATED')
  assert.deepEqual(flow.history.at(-1), { from: 'ACTIVE', to: 'ESCALATED', at: flow.updated_at })
  const [[, payload], [asked]] = (await stage.entries(dfid)).slice(-2) as [
    readonly [string, JsonObject],
    readonly [string, JsonObject],
  ]
  assert.equal(asked, 'pending_approval')
  assert.deepEqual(plain(payload), {
    attempt: 0,
    received: '',
    trace: [],
    stage: 'queue',
    gate: null,
    reason_code: 'SILENCE',
    details: { minutes: 30, since },
  })
  await stage.close()
})

test('it is asked once, also by an engine that starts again', async () => {
  const stage = await watched()
  const { dfid } = await open(stage)
  await stage.clock.advance(20 * MINUTE)
  await stage.restart()
  await stage.clock.advance(10 * MINUTE)
  assert.equal(await silent(stage), 0, 'the restart was no decision')
  await stage.clock.advance(1)
  const rounds = await Promise.all([silent(stage), silent(stage), silent(stage)])
  assert.deepEqual(rounds.toSorted(), [0, 0, 1])
  await stage.restart()
  await stage.clock.advance(60 * MINUTE)
  assert.equal(await silent(stage), 0)
  assert.equal((await stage.entries(dfid)).filter(([kind]) => kind === 'rejection').length, 1)
  await stage.close()
})

test('a decision ends the silence, whatever became of it', async () => {
  const stage = await watched()
  const accepted = await open(stage)
  const rejected = await open(stage)
  await stage.clock.advance(29 * MINUTE)
  assert.equal((await accepted.propose(refund())).outcome, 'ACCEPTED')
  assert.equal((await rejected.propose(refund('501.00'))).reason_code, 'LIMIT_EXCEEDED')
  await stage.clock.advance(30 * MINUTE)
  assert.equal(await silent(stage), 0)
  await stage.clock.advance(1)
  assert.equal(await silent(stage), 2)
  await stage.close()
})

test('a flow that waits for an effect, or has ended, is not silent', async () => {
  const answered = Promise.withResolvers<Effect>()
  const sent = Promise.withResolvers<void>()
  const slow = {
    ...exampleCapability(() => {}),
    execute: () => {
      sent.resolve()
      return answered.promise
    },
  }
  const stage = await watched({ minutes: 30 }, { capabilities: [slow] })
  const busy = await open(stage)
  const ended = await open(stage)
  await ended.close()
  const pending = busy.propose(refund())
  await sent.promise
  await stage.clock.advance(60 * MINUTE)
  assert.equal(await silent(stage), 0)
  answered.resolve({ result: 'done' })
  await pending
  await stage.close()
})

test('silence is counted in the active hours of the zone', async () => {
  // 12:00 UTC is 14:00 in Warsaw in June.
  const stage = await watched({ minutes: 30, active: 'Mon-Fri 13:30-14:10 Europe/Warsaw' })
  await open(stage)
  await stage.clock.advance(23.5 * 60 * MINUTE)
  assert.equal(await silent(stage), 0, 'ten minutes on Monday')
  await stage.clock.advance(20 * MINUTE)
  assert.equal(await silent(stage), 0, 'and twenty on Tuesday')
  await stage.clock.advance(1)
  assert.equal(await silent(stage), 1)
  await stage.close()
})

test('a contract without a watchdog, and one with it, side by side', async () => {
  const stage = await watched()
  await stage.deploy({ agent_id: 'other_bot' })
  await stage.runtime().open({ agent: 'other_bot', trigger: 'ticket' })
  await open(stage)
  await stage.clock.advance(60 * MINUTE)
  assert.equal(await silent(stage), 1)
  await stage.close()
})

test('the contract of the flow counts, not the one that came later', async () => {
  const stage = await watched()
  await open(stage)
  await stage.deploy({ version: '1.1.0' })
  const unwatched = await open(stage)
  await stage.clock.advance(60 * MINUTE)
  assert.equal(await silent(stage), 1)
  assert.equal((await stage.flow(unwatched.dfid)).state, 'ACTIVE')
  await stage.close()
})

test('a zone that nobody knows refuses the contract; one that is forgotten watches always', async () => {
  const stage = await flowStage()
  const active = 'Mon-Fri 09:00-17:30 Europe/Atlantis'
  const safety_rules = { silence_watchdog: { minutes: 30, active } }
  await assert.rejects(stage.deploy({ safety_rules }), { code: 'CONTRACT_INVALID' })
  await stage.close()

  let known = true
  const zones = { knows: () => known, localTime: () => ({ weekday: 6, minute: 0 }) }
  const later = await watched({ minutes: 30, active }, { zones })
  await open(later)
  await later.clock.advance(60 * MINUTE)
  assert.equal(await silent(later), 0, 'it is Sunday there')
  known = false
  assert.equal(await silent(later), 1)
  await later.close()
})

test('more flows than a page are all looked at', async () => {
  const stage = await watched()
  const { store } = stage.runtime()
  await open(stage)
  const [flow] = await stage.flows()
  assert.ok(flow !== undefined)
  await stage.clock.advance(60 * MINUTE)
  // Seen through a store that answers a page at a time.
  const { context } = stage.engine()
  const pages: (string | undefined)[] = []
  const full = Array.from({ length: LIMITS.entriesPerPage }, () => ({ ...flow, version: 99 }))
  const paged = new Proxy(store, {
    get: (target, name, receiver) =>
      name === 'listFlows'
        ? async ({ before }: { before?: string }) => {
            pages.push(before)
            return before === undefined ? full : [flow]
          }
        : Reflect.get(target, name, receiver).bind?.(target),
  })
  assert.equal(await escalateSilent({ ...context, store: paged }), 1)
  assert.deepEqual(pages, [undefined, flow.dfid])
  await stage.close()
})

test('it happens by itself', async () => {
  const clock = handClock()
  const stage = await watched({ minutes: 30 }, { background: true, clock })
  const { dfid } = await open(stage)
  const state = async (): Promise<string> => (await stage.flow(dfid)).state
  for (let minute = 0; minute < 31 && (await state()) === 'ACTIVE'; minute += 1)
    await clock.advance(MINUTE)
  for (let turn = 0; turn < 50 && (await state()) === 'ACTIVE'; turn += 1)
    await clock.advance(10_000)
  assert.equal(await state(), 'ESCALATED')
  await stage.close()
})
