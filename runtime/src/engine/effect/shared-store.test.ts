/** Two engines on one store: what each may do about what the other has on its way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, encodeUtf8, LIMITS, parseContract } from 'rubicon-kernel'
import { createMemoryStore } from '../../adapters/memory/store.ts'
import { createTables } from '../../adapters/memory/tables.ts'
import { verifyNow } from '../../adapters/system/ed25519.ts'
import { createHeadKey } from '../../adapters/system/head-key.ts'
import { systemRandom } from '../../adapters/system/random.ts'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createSeededSigner, RUNTIME_PURPOSES } from '../../adapters/system/signer.ts'
import { systemZones } from '../../adapters/system/zones.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import type { Capability, Effect, ProbeAnswer } from '../../ports/capability.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import { type ExecutionRow, StoreError } from '../../ports/store.ts'
import { buildRuleBook } from '../../rule-book.ts'
import { Engine } from '../engine.ts'
import { handClock } from '../flow/hand-clock.test-support.ts'

const START = Date.parse('2026-06-01T12:00:00.000Z')

/** Something that happens when the test says so. */
function later<T>() {
  let happen: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => {
    happen = resolve
  })
  return { promise, happen: (value: T) => happen(value) }
}

async function pair(options: {
  readonly more: Partial<Capability>
  readonly send: (nth: number) => Promise<Effect>
  readonly probe?: (engine: number) => Promise<ProbeAnswer>
  /** By how much the clock of the second is ahead. */
  readonly aheadMs?: number
  /** The machine of the first sleeps through what passes: its monotonic clock stands still. */
  readonly asleep?: boolean
}) {
  const tables = createTables()
  const gone = new Set<number>()
  const shared = { isGone: (epoch: number) => gone.has(epoch) }
  const stops = new Map<Failpoint, { readonly reached: () => void; readonly go: Promise<void> }>()
  let sent = 0
  const started = async (epoch: number, startMs: number) => {
    const hand = handClock(startMs)
    const stands = options.asleep === true && epoch === 1
    const clock = stands ? { ...hand, monotonic: () => 0 } : hand
    const capability: Capability = {
      kind: 'REFUND',
      effect: 'unsafe',
      risk: 'medium',
      reversible: true,
      params: { type: 'object' },
      measures: { amount: (params) => params.amount },
      execute: () => {
        sent += 1
        return options.send(sent)
      },
      ...options.more,
      ...(options.probe === undefined
        ? {}
        : {
            probe: {
              absence_authoritative: true,
              max_late_arrival_s: 60,
              ask: () => options.probe?.(epoch) ?? { finding: 'inconclusive' },
            },
          }),
    }
    const book = buildRuleBook([capability], [], sha256)
    assert.ok(book.ok)
    const kept = { tables, epoch }
    const engine = new Engine(
      {
        tenant: 'default',
        audience: 'rubicon',
        store: createMemoryStore({ tenant: 'default', sha256, clock: clock.now, kept, shared }),
        clock,
        zones: systemZones,
        random: systemRandom,
        signer: createSeededSigner(encodeUtf8('two engines'), RUNTIME_PURPOSES),
        headKey: createHeadKey(systemRandom),
        checker: { verify: async (...args) => verifyNow(...args) },
        tokenizer: async () => ({ name: 'none', count: () => 0 }),
        sinks: [],
        failpoints: {
          async reach(point) {
            const stop = epoch === 1 ? stops.get(point) : undefined
            stops.delete(point)
            stop?.reached()
            await stop?.go
          },
        },
        sha256,
        book: book.value,
      },
      { background: false },
    )
    assert.ok((await engine.start()).ok)
    return { engine, clock }
  }
  const one = await started(1, START)
  const other = await started(2, START + (options.aheadMs ?? 0))
  const contract = parseContract(CONTRACT)
  assert.ok(contract.ok && (await one.engine.deploy(contract.value)).ok)
  return {
    one: one.engine,
    other: other.engine,
    sent: () => sent,
    /** The first engine is taken for dead by whoever asks. */
    loseFirst: () => void gone.add(1),
    stopFirstAt(point: Failpoint) {
      const [reached, go] = [later<void>(), later<void>()]
      stops.set(point, { reached: () => reached.happen(), go: go.promise })
      return { reached: reached.promise, resume: () => go.happen() }
    },
    async pass(ms: number) {
      await one.clock.advance(ms)
      await other.clock.advance(ms)
    },
    rows: (): readonly ExecutionRow[] =>
      [...tables.executions.values()].flatMap((steps) => [...steps.values()]),
  }
}

async function refund(engine: Engine): Promise<Answer> {
  const opened = await engine.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.ok(opened.ok)
  const { dfid, agent_id, snapshot_id, mission_hash } = opened.value.flow
  const proposal = {
    dfid,
    agent_id,
    policy_kind: 'REFUND',
    params: { amount: '20.00' },
    context_ref: snapshot_id,
    mission_context_hash: mission_hash,
  }
  return engine.propose(dfid, proposal, { waitMs: 0 })
}

const statuses = (rows: readonly ExecutionRow[]): readonly string[] =>
  rows.map(({ status }) => status)

test('an engine that was declared dead dispatches nothing, and what it hears changes nothing', async () => {
  const answer = later<Effect>()
  const it = await pair({ more: {}, send: () => answer.promise })
  const waiting = refund(it.one)
  await it.pass(0)
  assert.deepEqual(statuses(it.rows()), ['DISPATCHED'])
  const sleeper = it.stopFirstAt('dispatch.before_commit')
  const second = refund(it.one)
  await sleeper.reached

  await it.other.reconcile()
  assert.deepEqual(statuses(it.rows()), ['DISPATCHED'], 'while it lives, it is left alone')
  it.loseFirst()
  await it.other.reconcile()
  assert.deepEqual(statuses(it.rows()), ['UNKNOWN'])
  await it.pass(1000)
  await it.other.reconcile()
  assert.deepEqual(statuses(it.rows()), ['MANUAL_REVIEW'])

  sleeper.resume()
  await assert.rejects(
    second,
    (error) => error instanceof StoreError && /declared this one dead/.test(`${error}`),
  )
  answer.happen({ result: 'done' })
  await it.one.context.inFlight.awaitDrained()
  await it.pass(0)
  await waiting
  assert.deepEqual(statuses(it.rows()), ['MANUAL_REVIEW'], 'a person decides now')
  assert.equal(it.sent(), 1)
})

test('of two engines that look into an effect, the slower one does not undo what the other did', async () => {
  const slow = later<ProbeAnswer>()
  const second = later<Effect>()
  const it = await pair({
    more: { effect: 'queryable' },
    send: async (nth) => {
      if (nth === 1) throw new Error('connection reset')
      return second.promise
    },
    probe: async (engine) => (engine === 1 ? { finding: 'absent' } : slow.promise),
  })
  await refund(it.one)
  await it.one.context.inFlight.awaitDrained()
  assert.deepEqual(statuses(it.rows()), ['UNKNOWN'])
  it.other.context.sends.look(it.rows())
  await it.pass(61_000 + LIMITS.lateSendMs)

  const looking = it.other.reconcile()
  await it.pass(0)
  await it.one.reconcile()
  assert.deepEqual(statuses(it.rows()), ['NOT_APPLIED'])
  await it.pass(1000)
  const resending = it.one.reconcile()
  await it.pass(0)
  assert.deepEqual(statuses(it.rows()), ['DISPATCHED'])

  slow.happen({ finding: 'absent' })
  await looking
  assert.deepEqual(statuses(it.rows()), ['DISPATCHED'], 'the second send is on its way')
  second.happen({ result: 'done' })
  await resending
  assert.deepEqual(statuses(it.rows()), ['SUCCESS'])
  assert.equal(it.sent(), 2)
})

/** A keyed effect of an engine that died, in the hands of another whose clock is ahead by so much. */
async function takenOver(aheadMs: number) {
  const it = await pair({
    more: { effect: 'keyed', idempotency: { carrier: 'header', window_s: 600 } },
    send: async (nth) => (nth === 1 ? new Promise(() => {}) : { result: 'done' }),
    aheadMs,
  })
  void refund(it.one)
  await it.pass(0)
  it.loseFirst()
  await it.other.reconcile()
  await it.pass(1000)
  await it.other.reconcile()
  return { statuses: statuses(it.rows()), sent: it.sent() }
}

test('what a dead engine sent is sent again under its key, by one that has been up for long', async () => {
  assert.deepEqual(await takenOver(0), { statuses: ['SUCCESS'], sent: 2 })
  assert.deepEqual(await takenOver(-2000), { statuses: ['SUCCESS'], sent: 2 })
})

test('by a clock that is an hour behind nobody can say how old it is: a person looks, at once', async () => {
  assert.deepEqual(await takenOver(-3_600_000), { statuses: ['MANUAL_REVIEW'], sent: 1 })
})

test('a machine that slept between dispatch and send sends nothing when it wakes up', async () => {
  const it = await pair({ more: {}, send: async () => ({ result: 'done' }), asleep: true })
  const stop = it.stopFirstAt('dispatch.after_commit')
  const answer = refund(it.one)
  await stop.reached
  await it.pass(LIMITS.dispatchWithinMs)
  stop.resume()
  await answer
  await it.pass(1)
  assert.deepEqual([it.sent(), statuses(it.rows())], [0, ['FAILED']])
  assert.equal(it.rows()[0]?.reason_code, 'DISPATCH_EXPIRED')
})

test('a machine that slept does not repeat what others have sent for it meanwhile', async () => {
  let isThere = false
  const it = await pair({
    more: { effect: 'queryable' },
    send: async () => {
      isThere = true
      return { result: 'done' }
    },
    probe: async () =>
      isThere ? { finding: 'applied', effect: { result: 'done' } } : { finding: 'absent' },
    asleep: true,
  })
  const stop = it.stopFirstAt('dispatch.after_commit')
  const answer = refund(it.one)
  await stop.reached
  it.loseFirst()
  for (let round = 0; round < 30; round++) {
    await it.pass(30_000)
    await it.other.reconcile()
  }
  assert.deepEqual([it.sent(), statuses(it.rows())], [1, ['SUCCESS']])
  stop.resume()
  await answer.catch(() => null)
  await it.pass(1)
  assert.deepEqual([it.sent(), statuses(it.rows())], [1, ['SUCCESS']])
})
