import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { AGENT, type FlowStage, flowStage, refund } from './flow-stage.test-support.ts'
import { handClock } from './hand-clock.test-support.ts'
import type { FlowTimer, TimerRequest } from './timers.ts'

const HOUR = 3_600_000

async function staged(): Promise<FlowStage> {
  const stage = await flowStage()
  await stage.deploy()
  return stage
}

async function scheduled(stage: FlowStage, request: Partial<TimerRequest>): Promise<FlowTimer> {
  const done = await stage.engine().timers.schedule({ agent: AGENT, trigger: 'tick', ...request })
  assert.ok(done.ok, done.ok ? '' : done.error.code)
  return done.value
}

async function refused(stage: FlowStage, request: Partial<TimerRequest>): Promise<string> {
  const done = await stage.engine().timers.schedule({ agent: AGENT, trigger: 'tick', ...request })
  return done.ok ? 'scheduled' : done.error.code
}

const inMs = (stage: FlowStage, ms: number): string => formatInstant(stage.clock.now() + ms)

/** How many flows the timers that are due open. */
const fired = async (stage: FlowStage): Promise<number> => (await stage.engine().runDue()).opened

async function pending(stage: FlowStage): Promise<readonly string[]> {
  const { store } = stage.runtime()
  const due = await store.listRecords('timer', 'due', { limit: 100 })
  const named = await store.listRecords('timer', 'names', { limit: 100 })
  const texts = (records: typeof due) => records.map(({ body }) => `${body.name} ${body.at}`).sort()
  assert.deepEqual(texts(due), texts(named), 'both records of every timer')
  return texts(due)
}

test('a timer opens its flow at its time and not a millisecond earlier', async () => {
  const stage = await staged()
  const timer = await scheduled(stage, { at: inMs(stage, HOUR), name: 'once', trigger: 'close' })
  assert.deepEqual(timer, {
    name: 'once',
    at: formatInstant(stage.clock.now() + HOUR),
    agent_id: AGENT,
    trigger: 'close',
    state: [],
    steps: 'one',
    every_ms: null,
  })
  await stage.clock.advance(HOUR - 1)
  assert.equal(await fired(stage), 0)
  await stage.clock.advance(1)
  assert.equal(await fired(stage), 1)
  const [flow] = await stage.flows()
  assert.deepEqual([flow?.agent_id, flow?.trigger, flow?.state], [AGENT, 'close', 'ACTIVE'])
  assert.equal(await fired(stage), 0, 'once')
  assert.deepEqual(await pending(stage), [])
  await stage.close()
})

test('a flow is opened with the State and the steps that its timer names', async () => {
  const stage = await staged()
  await stage.runtime().observe({ path: 'desk.limit', value: '5' })
  await scheduled(stage, { at: inMs(stage, 0), state: ['desk.limit'], steps: 'many' })
  const shown: unknown[] = []
  stage.runtime().on(AGENT, ({ context }) => void shown.push(context.state.map((one) => one.value)))
  assert.equal(await fired(stage), 1)
  assert.deepEqual(shown, [['5']])
  assert.equal((await stage.flows())[0]?.steps, 'many')
  await stage.close()
})

test('a timer that repeats fires at every period', async () => {
  const stage = await staged()
  const { at } = await scheduled(stage, { every_ms: HOUR })
  assert.equal(at, inMs(stage, HOUR), 'first after one period')
  for (let hour = 1; hour <= 3; hour += 1) {
    await stage.clock.advance(HOUR)
    assert.equal(await fired(stage), 1)
    assert.equal(await fired(stage), 0)
  }
  await stage.close()
})

test('what was missed fires once, and the rhythm stays', async () => {
  const stage = await staged()
  await scheduled(stage, { name: 'beat', every_ms: HOUR })
  const start = stage.clock.now()
  await stage.restart()
  await stage.clock.advance(5 * HOUR + 1)
  assert.equal(await fired(stage), 1)
  assert.deepEqual(await pending(stage), [`beat ${formatInstant(start + 6 * HOUR)}`])
  await stage.clock.advance(HOUR - 1)
  assert.equal(await fired(stage), 1, 'exactly at the sixth')
  assert.deepEqual(await pending(stage), [`beat ${formatInstant(start + 7 * HOUR)}`])
  await stage.close()
})

test('a timer survives its engine', async () => {
  const stage = await staged()
  await scheduled(stage, { at: inMs(stage, HOUR), trigger: 'after the restart' })
  await stage.restart()
  await stage.clock.advance(2 * HOUR)
  assert.equal(await fired(stage), 1)
  assert.equal((await stage.flows())[0]?.trigger, 'after the restart')
  await stage.close()
})

test('engines that look at the same time open one flow', async () => {
  const stage = await staged()
  for (let i = 0; i < 5; i += 1) await scheduled(stage, { at: inMs(stage, 0), name: `t${i}` })
  const rounds = await Promise.all(Array.from({ length: 4 }, () => fired(stage)))
  assert.equal(
    rounds.reduce((a, b) => a + b),
    5,
  )
  assert.equal((await stage.flows()).length, 5)
  await stage.close()
})

test('an engine that dies while it opens the flow has fired nothing', async () => {
  let dies = true
  const stage = await flowStage({
    failpoints: {
      reach: (point) => {
        if (point === 'open.before_commit' && dies) throw new Error('killed')
      },
    },
  })
  await stage.deploy()
  await scheduled(stage, { at: inMs(stage, 0) })
  assert.equal(await fired(stage), 0)
  assert.equal((await stage.flows()).length, 0)
  dies = false
  await stage.restart()
  assert.equal(await fired(stage), 1)
  await stage.close()
})

test('a timer of the same name takes the place of the first', async () => {
  const stage = await staged()
  await scheduled(stage, { name: 'close', at: inMs(stage, HOUR), trigger: 'first' })
  await scheduled(stage, { name: 'close', at: inMs(stage, HOUR), trigger: 'second' })
  await scheduled(stage, { name: 'other', at: inMs(stage, HOUR), trigger: 'other' })
  await scheduled(stage, { name: 'other', at: inMs(stage, 2 * HOUR), trigger: 'later' })
  assert.equal((await pending(stage)).length, 2)
  await stage.clock.advance(HOUR)
  assert.equal(await fired(stage), 1)
  assert.equal((await stage.flows())[0]?.trigger, 'second')
  await stage.close()
})

test('a timer can be called off until it has fired', async () => {
  const stage = await staged()
  await scheduled(stage, { name: 'close', every_ms: HOUR })
  assert.ok((await stage.engine().timers.unschedule('close')).ok)
  const again = await stage.engine().timers.unschedule('close')
  assert.ok(!again.ok && again.error.code === 'TIMER_UNKNOWN')
  await stage.clock.advance(HOUR)
  assert.equal(await fired(stage), 0)
  await stage.close()
})

test('the timer of a suspended agent waits for it, that of a retired one is dropped', async () => {
  const stage = await staged()
  await stage.deploy({ agent_id: 'other_bot' })
  const early = await stage.runtime().open({ agent: AGENT, trigger: 'first' })
  await early.close()
  await scheduled(stage, { name: 'mine', every_ms: HOUR })
  await scheduled(stage, { name: 'other', agent: 'other_bot', every_ms: HOUR })
  const move = { agent_id: AGENT, actor: 'operator', justification: 'test' } as const
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'SUSPENDED' })).ok)
  await stage.clock.advance(3 * HOUR)
  assert.equal(await fired(stage), 1, 'the other goes on')
  assert.equal((await pending(stage)).length, 2, 'kept')
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'ACTIVE' })).ok)
  assert.equal(await fired(stage), 1, 'once for all that it missed')
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'RETIRED' })).ok)
  await stage.clock.advance(HOUR)
  assert.equal(await fired(stage), 1, 'only the other')
  const left = await pending(stage)
  assert.ok(left.length === 1 && left[0]?.startsWith('other '), String(left))
  assert.equal(await refused(stage, { every_ms: HOUR }), 'AGENT_RETIRED')
  await stage.close()
})

test('a timer whose flow cannot be opened stays, and is tried again', async () => {
  const stage = await staged()
  await scheduled(stage, { at: inMs(stage, 0), name: 'stays' })
  await stage.engine().revoke({ target: 'contract', id: AGENT, reason: 'audit' })
  assert.equal(await fired(stage), 0)
  assert.equal((await pending(stage)).length, 1)
  await stage.deploy({ version: '1.1.0' })
  assert.equal(await fired(stage), 1)
  await stage.close()
})

test('while State does not answer, a timer that shows it waits', async () => {
  let answers = false
  const fact = { path: 'desk.limit', value: '5' }
  const stage = await flowStage({
    sources: [
      {
        source_id: 'desk',
        label: 'trusted',
        paths: ['desk.*'],
        read: async () => {
          if (!answers) throw new Error('the desk does not answer')
          return [{ ...fact, observed_at: formatInstant(stage.clock.now()), version: '1' }]
        },
      },
    ],
  })
  await stage.deploy()
  await scheduled(stage, { at: inMs(stage, 0), state: ['desk.limit'] })
  await scheduled(stage, { at: inMs(stage, 1), trigger: 'another' })
  await stage.clock.advance(1_000)
  assert.equal(await fired(stage), 1, 'the other one')
  answers = true
  assert.equal(await fired(stage), 1)
  await stage.close()
})

test('more timers than a page are all looked at, also behind those that wait', async () => {
  const stage = await staged()
  await stage.deploy({ agent_id: 'other_bot' })
  for (let i = 0; i < 101; i += 1) await scheduled(stage, { at: inMs(stage, i), name: `t${i}` })
  await scheduled(stage, { at: inMs(stage, 200), agent: 'other_bot' })
  const move = { agent_id: AGENT, actor: 'operator', justification: 'test' } as const
  assert.ok((await stage.engine().moveAgent({ ...move, to: 'SUSPENDED' })).ok)
  await stage.clock.advance(1_000)
  assert.equal(await fired(stage), 1)
  await stage.close()
})

test('what says no time, no trigger, no name or no agent is no timer', async () => {
  const stage = await staged()
  const [least, most] = [LIMITS.timerLeastMs, LIMITS.timerMostMs]
  const invalid: readonly Partial<TimerRequest>[] = [
    {},
    { at: 'tomorrow' },
    { at: '2026-06-01T12:00:00+02:00' },
    { at: inMs(stage, most + 1) },
    { every_ms: least - 1 },
    { every_ms: most + 1 },
    { every_ms: 1_500.5 },
    { every_ms: Number.NaN },
    { every_ms: HOUR, name: 'a b' },
    { every_ms: HOUR, name: '' },
    { every_ms: HOUR, trigger: ' ' },
    { every_ms: HOUR, trigger: '\ud800' },
    { every_ms: HOUR, trigger: 'x'.repeat(LIMITS.triggerLength + 1) },
  ]
  for (const request of invalid)
    assert.equal(await refused(stage, request), 'TIMER_INVALID', JSON.stringify(request))
  assert.equal(await refused(stage, { every_ms: HOUR, agent: 'nobody' }), 'AGENT_UNKNOWN')
  assert.deepEqual(await pending(stage), [])
  for (const request of [{ every_ms: least }, { every_ms: most }, { at: inMs(stage, most) }])
    assert.equal(await refused(stage, request), 'scheduled')
  await stage.close()
})

test('the agent in process gets the flow; what fails in it is told once and stays there', async () => {
  const clock = handClock()
  const stage = await flowStage({ background: true, clock })
  await stage.deploy()
  const outcomes: string[] = []
  stage.runtime().on(AGENT, async (flow: Flow) => {
    if (flow.context.trigger === 'fail') throw new Error('out of ideas')
    outcomes.push((await flow.propose(refund())).outcome)
  })
  const soon = (ms: number): string => formatInstant(clock.now() + ms)
  await scheduled(stage, { at: soon(60_000), trigger: 'fail' })
  await scheduled(stage, { at: soon(120_000), trigger: 'work' })
  const until = async (done: () => boolean): Promise<void> => {
    for (let turn = 0; turn < 500 && !done(); turn += 1) await clock.advance(1_000)
  }
  await until(() => outcomes.length === 1)
  assert.deepEqual(outcomes, ['ACCEPTED'])
  const [work, fail] = await stage.flows()
  assert.deepEqual([work?.state, fail?.state], ['CLOSED', 'ACTIVE'])
  const [line = '', ...others] = stage.told
  const failed = `rubicon: the handler of ${AGENT} failed on flow ${fail?.dfid}: Error at `
  assert.ok(line.startsWith(`${failed}timers.test.ts:`), line)
  assert.equal(others.length, 0)
  await stage.close()
})
