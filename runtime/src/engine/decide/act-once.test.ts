/** Calls that are made twice: which of them are one act. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { hashText, LIMITS } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import type { RubiconError } from '../../rubicon-error.ts'
import {
  ANN,
  codeOf,
  type Desk,
  type DeskOptions,
  desk,
} from '../approve/escalation.test-support.ts'
import type { CallNames } from '../flow/call-claims.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'
import type { ActedOnce } from './act-once.ts'

const REASON = 'the customer asked for it'
const CALL: CallNames = { call: { conversation: 'c-1', id: '7' } }

const ask = (it: Desk, amount: string, names: CallNames = {}, more = {}): Promise<ActedOnce> =>
  it.runtime().actOnce(
    {
      agent: AGENT,
      trigger: 'ticket 1',
      policy_kind: 'REFUND',
      params: { order: 'o_1', amount },
      ...more,
    },
    names,
  )

async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    ({ failure }: RubiconError) => failure.code,
  )
}

/** A desk that counts what it sends, and where the same may be done twice. */
async function counting(options: DeskOptions = {}): Promise<Desk> {
  const sent: string[] = []
  const capability: DeskOptions['capability'] = {
    execute({ params }) {
      sent.push(String(params.amount))
      return { result: 'done' }
    },
  }
  return { ...(await desk({ capability, ...options })), sent }
}

async function onDesk(run: (it: Desk) => Promise<void>, options: DeskOptions = {}): Promise<void> {
  const it = await counting(options)
  await run(it)
  await it.close()
}

/** Whoever waits looks again when the clock says so. */
async function runClocked<T>(it: Desk, work: Promise<T>): Promise<T> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) await it.clock.advance(LIMITS.settledLookMs)
  return over
}

async function countClaims(it: Desk): Promise<number> {
  const { store } = it.runtime()
  const range = { limit: LIMITS.listed }
  const kept = await store.listRecords('http_reply', `act ${AGENT}`, range)
  const due = await store.listRecords('http_reply_due', 'due', range)
  assert.equal(due.length, kept.length, 'of each it is known when it ends')
  return kept.length
}

test('a call with the id that it had in its conversation is the same act, also after it was done', () =>
  onDesk(async (it) => {
    const first = await ask(it, '20.00', CALL)
    assert.deepEqual([first.repeated, first.answer.execution?.status], [false, 'SUCCESS'])
    const again = await ask(it, '20.00', CALL, { trigger: 'another', justification: 'again' })
    assert.deepEqual(again, { answer: first.answer, repeated: true })
    const others = [
      { call: { conversation: 'c-2', id: '7' } },
      { call: { conversation: 'c-1', id: '"7"' } },
      {},
    ]
    for (const names of others) assert.equal((await ask(it, '20.00', names)).repeated, false)
    assert.equal(it.sent.length, 4)
  }))

test('an id or a key that stood for other arguments is refused, and nothing is opened', () =>
  onDesk(async (it) => {
    await ask(it, '20.00', { ...CALL, key: 'k' })
    for (const names of [CALL, { key: 'k' }, { ...CALL, key: 'new' }])
      assert.equal(await refusalOf(ask(it, '21.00', names)), 'CALL_REUSED')
    for (const more of [{ steps: 'many' }, { policy_kind: 'OTHER' }])
      assert.equal(await refusalOf(ask(it, '20.00', CALL, more)), 'CALL_REUSED')
    assert.deepEqual([it.sent, (await it.flows()).length], [['20.00'], 1])
    assert.equal((await ask(it, '21.00', { key: 'new' })).repeated, false, 'it was not taken')
  }))

test('a key of the client stands for one act, in whatever conversation', () =>
  onDesk(async (it) => {
    const first = await ask(it, '20.00', { ...CALL, key: 'k' })
    const call = { conversation: 'c-2', id: '1' }
    assert.deepEqual(await ask(it, '20.00', { call, key: 'k' }), {
      answer: first.answer,
      repeated: true,
    })
    const bound = await ask(it, '20.00', { call })
    assert.deepEqual([bound.repeated, bound.answer.dfid], [true, first.answer.dfid])
    assert.deepEqual(it.sent, ['20.00'])
  }))

test('a client that was started anew goes on with what waits for a person, and does it once', () =>
  onDesk(async (it) => {
    const first = await ask(it, '800.00', CALL)
    assert.equal(first.answer.outcome, 'ESCALATED')
    await it.restart()
    const anew = { call: { conversation: 'c-2', id: '1' } }
    const resumed = await ask(it, '800.00', anew)
    assert.deepEqual(
      [resumed.repeated, resumed.answer.dfid, resumed.answer.outcome],
      [true, first.answer.dfid, 'ESCALATED'],
    )
    assert.equal(codeOf(await it.decide({}, ANN)), 'ok')
    assert.deepEqual(it.sent, ['800.00'])
    for (const names of [anew, CALL]) {
      const { answer, repeated } = await ask(it, '800.00', names)
      assert.deepEqual([repeated, answer.execution?.status], [true, 'SUCCESS'])
    }
    assert.deepEqual(it.sent, ['800.00'], 'whoever had resumed it does not do it again')
    const next = await ask(it, '800.00')
    assert.deepEqual([next.repeated, next.answer.outcome], [false, 'ESCALATED'])
  }))

test('what nobody knows the outcome of is not done again by whoever asks for it again', () => {
  const unsafe = {
    effect: 'unsafe',
    execute() {
      throw new Error('connection reset')
    },
  } as const
  return onDesk(
    async (it) => {
      const first = await ask(it, '20.00')
      assert.equal(first.answer.execution?.status, 'UNKNOWN')
      for (const again of [await ask(it, '20.00'), await ask(it, '20.00', CALL)])
        assert.deepEqual(
          [again.repeated, again.answer.dfid, again.answer.execution?.status],
          [true, first.answer.dfid, 'UNKNOWN'],
        )
      await it.engine().reconcile()
      const reviewed = await ask(it, '20.00')
      assert.equal(reviewed.answer.dfid, first.answer.dfid, 'nor when a person has to look')
      assert.equal((await it.flows()).length, 1)
      const many = await ask(it, '21.00', {}, { steps: 'many' })
      const next = await ask(it, '21.00', {}, { steps: 'many' })
      assert.deepEqual([next.repeated, next.answer.dfid], [true, many.answer.dfid])
    },
    { capability: unsafe },
  )
})

test('of many who ask for the same at once one is the first, and all hear what became of it', () =>
  onDesk(async (it) => {
    const names = Array.from({ length: 12 }, (_, n): CallNames[] => [
      {},
      CALL,
      { key: 'k' },
      { call: { conversation: `c-${n}`, id: '1' } },
    ]).flat()
    const all = await runClocked(it, Promise.all(names.map((one) => ask(it, '20.00', one))))
    assert.equal(new Set(all.map(({ answer }) => answer.dfid)).size, 1)
    assert.equal(all.filter(({ repeated }) => !repeated).length, 1)
    for (const { answer } of all) assert.equal(answer.execution?.status, 'SUCCESS')
    assert.deepEqual(it.sent, ['20.00'])
  }))

test('whoever asks for other things at once is hindered by nobody', () =>
  onDesk(async (it) => {
    const amounts = Array.from({ length: 12 }, (_, n) => `${n + 1}.00`)
    const all = await runClocked(it, Promise.all(amounts.map((amount) => ask(it, amount))))
    assert.ok(all.every(({ repeated }) => !repeated))
    assert.equal(it.sent.length, amounts.length)
  }))

test('a name is claimed with its act, or neither is there', async () => {
  let isFailing = false
  const it = await counting()
  const { store } = it.runtime()
  const commit = store.commit.bind(store)
  store.commit = (unit) => (isFailing ? Promise.reject(new Error('torn')) : commit(unit))
  isFailing = true
  await assert.rejects(ask(it, '20.00', CALL))
  isFailing = false
  assert.deepEqual([await countClaims(it), (await it.flows()).length], [0, 0])
  assert.equal((await ask(it, '20.00', CALL)).repeated, false)
  assert.deepEqual(it.sent, ['20.00'])
  await it.close()
})

test('an act whose process ended while it was sent is found again under its name', async () => {
  const isDown = Promise.withResolvers<void>()
  const execute = async () => {
    await isDown.promise
    throw new Error('reset')
  }
  const hanging = { effect: 'unsafe', execute } as const
  const it = await desk({ capability: hanging })
  const dispatch = async (names: CallNames): Promise<ActedOnce> => {
    const params = { order: 'o_1', amount: '20.00' }
    const request = { agent: AGENT, trigger: 'ticket 1', policy_kind: 'REFUND', params }
    const acted = await it.engine().calls.act(request, names, { wait: 'dispatched' })
    return acted.ok ? acted.value : assert.fail(acted.error.summary)
  }
  const first = await dispatch(CALL)
  assert.equal(first.answer.execution?.status, 'PENDING')
  assert.deepEqual(await dispatch({ key: 'k' }), { answer: first.answer, repeated: true })
  isDown.resolve()
  await it.engine().context.inFlight.awaitDrained()
  await it.restart()
  const later = await ask(it, '20.00')
  assert.deepEqual([later.repeated, later.answer.dfid], [true, first.answer.dfid])
  assert.equal((await it.flows()).length, 1)
  await it.close()
})

test('whoever waits for the dispatch alone is answered though no time passes and no effect ends', async () => {
  const isOver = Promise.withResolvers<void>()
  const execute = () => isOver.promise.then(() => ({ result: 'done' }))
  const it = await desk({ capability: { effect: 'unsafe', execute } })
  const params = { order: 'o_1', amount: '20.00' }
  const request = { agent: AGENT, trigger: 'ticket 1', policy_kind: 'REFUND', params }
  const acted = it.engine().calls.act(request, {}, { wait: 'dispatched' })
  const first = await Promise.race([acted, setTimeout(5_000, null, { ref: false })])
  assert.equal(first?.ok === true && first.value.answer.execution?.status, 'PENDING')
  isOver.resolve()
  await it.engine().context.inFlight.awaitDrained()
  await it.close()
})

test('what was refused is answered with its refusal under its name, and judged again without one', () =>
  onDesk(async (it) => {
    const first = await ask(it, '9999.00', CALL)
    assert.equal(first.answer.reason_code, 'LIMIT_EXCEEDED')
    const { context: _, ...said } = first.answer
    assert.deepEqual(await ask(it, '9999.00', CALL), { answer: said, repeated: true })
    const next = await ask(it, '9999.00')
    assert.deepEqual([next.repeated, next.answer.reason_code], [false, 'LIMIT_EXCEEDED'])
  }))

test('within the window of its contract an act that took effect stands for the next that asks for the same', () =>
  onDesk(
    async (it) => {
      const first = await ask(it, '20.00')
      await it.clock.advance(59_999)
      const again = await ask(it, '20.00')
      assert.deepEqual([again.repeated, again.answer.dfid], [true, first.answer.dfid])
      assert.equal((await ask(it, '21.00')).repeated, false, 'it is something else')
      assert.equal((await ask(it, '9999.00')).repeated, false)
      assert.equal((await ask(it, '9999.00')).repeated, false, 'nothing happened')
      await it.clock.advance(1)
      assert.equal((await ask(it, '20.00')).repeated, false)
      assert.deepEqual(it.sent, ['20.00', '21.00', '20.00'])
    },
    { contract: { safety_rules: { repeat_window_s: 60 } } },
  ))

test('an agent repeats only itself', () =>
  onDesk(async (it) => {
    await it.deploy({ agent_id: 'other_bot' })
    const mine = await ask(it, '800.00', { ...CALL, key: 'k' })
    const other = await ask(it, '800.00', { ...CALL, key: 'k' }, { agent: 'other_bot' })
    assert.equal(other.repeated, false)
    assert.notEqual(other.answer.dfid, mine.answer.dfid)
  }))

/** Some keys have what is over cleared away. */
function findClearingKey(): string {
  for (let n = 0; ; n++) if (hashText(`k-${n}`, sha256).endsWith('0')) return `k-${n}`
}

test('what a call is known by is forgotten a day after it, and not while it goes on', () =>
  onDesk(async (it) => {
    await ask(it, '20.00', { ...CALL, key: 'k' })
    assert.equal(await countClaims(it), 3)
    await it.clock.advance(LIMITS.deadlineHorizonMs)
    assert.equal((await ask(it, '21.00', CALL)).repeated, false, 'the name is free again')
    await it.clock.advance(1)
    const key = findClearingKey()
    await ask(it, '22.00', { key })
    assert.equal(await countClaims(it), 4, 'those of the last day')
  }))

/** Whoever looks for the latest that asked for the same waits for it, until it is let go. */
function holdLook({ store }: ReturnType<Desk['runtime']>): {
  readonly looked: Promise<void>
  letGo(): void
} {
  const looked = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const readRecord = store.readRecord.bind(store)
  store.readRecord = async (record, group, key) => {
    if (key.startsWith('same ')) {
      store.readRecord = readRecord
      looked.resolve()
      await free.promise
    }
    return readRecord(record, group, key)
  }
  return { looked: looked.promise, letGo: free.resolve }
}

test('what was open for longer than names are kept is known to a call that came before it was over', () => {
  const tried: unknown[] = []
  const unsafe = {
    effect: 'unsafe',
    execute({ params }: { readonly params: { readonly amount?: unknown } }) {
      tried.push(params.amount)
      throw new Error('connection reset')
    },
  } as const
  return onDesk(
    async (it) => {
      const first = await ask(it, '20.00')
      for (let round = 0; round < 3; round++) {
        await it.clock.advance(60_000)
        await it.engine().reconcile()
      }
      await it.clock.advance(2 * LIMITS.deadlineHorizonMs)
      const look = holdLook(it.runtime())
      const late = ask(it, '20.00')
      await look.looked
      await it.clock.advance(5)
      const word = {
        by: 'ann@example.com',
        justification: REASON,
        evidence: { statement: 's-12' },
        outcome: 'applied',
        effect: { result: 'done' },
      } as const
      const { dfid } = first.answer
      const settled = await it.engine().oversight.resolveExecution(dfid, 'step-1', word)
      assert.ok(settled.ok, JSON.stringify(settled))
      await ask(it, '22.00', { key: findClearingKey() })
      look.letGo()
      const { answer, repeated } = await late
      assert.deepEqual([repeated, answer.dfid], [true, dfid])
      assert.deepEqual(tried, ['20.00', '22.00'])
      await it.clock.advance(LIMITS.replyMs)
      assert.equal((await ask(it, '20.00')).repeated, false, 'it is over for long')
    },
    { capability: unsafe },
  )
})

test('a call that came longer ago than the record remembers is not decided', () =>
  onDesk(async (it) => {
    const look = holdLook(it.runtime())
    const late = refusalOf(ask(it, '20.00'))
    await look.looked
    await ask(it, '20.00')
    await it.clock.advance(2 * LIMITS.deadlineHorizonMs)
    await ask(it, '22.00', { key: findClearingKey() })
    look.letGo()
    assert.equal(await late, 'STORE_CONTENTION')
    assert.deepEqual(it.sent, ['20.00', '22.00'])
  }))

test('an erased flow leaves no hash of what was asked, and is not done again under its name', () =>
  onDesk(async (it) => {
    const { answer } = await ask(it, '20.00', CALL)
    const { dfid } = answer
    const erased = await it.engine().oversight.erase({ dfid, reason: REASON })
    assert.ok(erased.ok, JSON.stringify(erased))
    const range = { limit: LIMITS.listed }
    const kept = await it.runtime().store.listRecords('http_reply', `act ${AGENT}`, range)
    assert.deepEqual(
      kept.map(({ key, body }) => [key.split(' ')[0], body.body_hash, body.dfid]),
      [['call', '', dfid]],
    )
    assert.equal(await refusalOf(ask(it, '20.00', CALL)), 'FLOW_ERASED')
    assert.deepEqual(it.sent, ['20.00'])
  }))
