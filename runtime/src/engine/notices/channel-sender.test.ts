import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import {
  type Channel,
  type ChannelMessage,
  type ChannelPlace,
  type ChannelStanding,
  type Messenger,
  NOTICE_KINDS,
  NotDelivered,
} from '../../ports/channel.ts'
import type { Notice } from '../../ports/notifier.ts'
import type { Store } from '../../ports/store.ts'
import { type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'
import { isTold } from './channel-copies.ts'
import { buildChannelWrite, readStandingRecord, toStanding } from './channel-records.ts'
import { ChannelSender } from './channel-sender.ts'
import { EngineChannels } from './engine-channels.ts'
import { buildNoticeWrite } from './queue.ts'
import { NoticeSender } from './send.ts'

const AT = '2026-06-01T12:00:00.000Z'
const place: ChannelPlace = { kind: 'webhook', url: 'https://hooks.example.com/' }

function notice(id: string, more: Partial<Notice> = {}): Notice {
  const kind = 'escalation'
  return {
    ...{ id, kind, agent_id: 'bot', reason_code: 'AUTHORITY_CEILING', channel: 'operator', at: AT },
    details: {},
    ...more,
  }
}

function channel(name: string, more: Partial<Channel> = {}): Channel {
  const rest = { tells: NOTICE_KINDS, least: 'info', quiet_s: 60, paused: false } as const
  return { name, place, ...rest, revision: 1, changed_at: AT, changed_by: null, ...more }
}

type Stage = FlowStage & {
  readonly sender: ChannelSender
  readonly got: ChannelMessage[]
  put(...notices: readonly Notice[]): Promise<void>
  /** What the background does, and how it ends. */
  round(): Promise<void>
  standing(name: string): Promise<ChannelStanding>
  waiting(name: string): Promise<number>
}

async function stageWith(
  t: TestContext,
  channels: readonly Channel[],
  deliver: Messenger['deliver'] = async () => 'answered 200',
): Promise<Stage> {
  const stage = await flowStage({})
  t.after(() => stage.close())
  const { store } = stage.runtime()
  const got: ChannelMessage[] = []
  const messenger: Messenger = {
    findProblem: () => null,
    deliver(at, message, signal) {
      got.push(message)
      return deliver(at, message, signal)
    },
  }
  const { context } = stage.engine()
  const sender = new ChannelSender({ ...context, messenger })
  await store.commit({ guards: [], writes: channels.map(buildChannelWrite) })
  return {
    ...stage,
    sender,
    got,
    async put(...notices) {
      await store.commit({ guards: [], writes: notices.map(buildNoticeWrite) })
    },
    async round() {
      await context.advisers.notices.round()
      await context.advisers.notices.awaitSettled()
      await sender.round()
      await sender.awaitSettled()
    },
    standing: async (name) => toStanding(await readStandingRecord(store, name)),
    waiting: (name) => store.countRows({ of: 'records', record: 'channel_notice', group: name }),
  }
}

function replaceMember<K extends keyof Store>(store: Store, name: K, member: Store[K]): Store {
  return new Proxy(store, {
    get(target, asked: keyof Store) {
      const own = asked === name ? member : target[asked]
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}

const runner = {
  runAsked: <T>(work: () => Promise<T>) => work(),
  runGuarded: <T>(work: () => Promise<T>) => work(),
}

const listIds = ({ notices }: ChannelMessage): readonly string[] => notices.map(({ id }) => id)

test('the first is told at once, and a storm after it is one message when the quiet time is over', async (t) => {
  const it = await stageWith(t, [channel('ops')])
  await it.put(notice('a'))
  await it.round()
  await it.put(...Array.from({ length: 30 }, (_, i) => notice(`s:${i}`)))
  await it.round()
  assert.deepEqual(it.got.map(listIds), [['a']])
  assert.equal(await it.waiting('ops'), 30)
  await it.clock.advance(59_000)
  await it.round()
  assert.equal(it.got.length, 1)
  await it.clock.advance(1_000)
  await it.round()
  assert.deepEqual([it.got.length, it.got[1]?.notices.length], [2, 30])
  assert.equal(await it.waiting('ops'), 0)
})

test('what is told is as the settings say, and a contract that names the channel is always heard', () => {
  const drift = { kind: 'drift', channel: 'operator' } as const
  assert.equal(isTold(channel('ops'), drift), true)
  assert.equal(isTold(channel('ops', { tells: ['suspension'] }), drift), false)
  assert.equal(isTold(channel('ops', { least: 'warning' }), drift), true)
  assert.equal(isTold(channel('ops', { least: 'critical' }), drift), false)
  assert.equal(
    isTold(channel('ops', { least: 'critical' }), { ...drift, kind: 'suspension' }),
    true,
  )
  assert.equal(isTold(channel('ops', { tells: [] }), { ...drift, channel: 'ops' }), true)
  assert.equal(isTold(channel('operator', { tells: [] }), drift), false)
  assert.equal(isTold(channel('ops', { paused: true }), { ...drift, channel: 'ops' }), false)
})

test('one cause that is told under two names is one notice in a channel', async (t) => {
  const it = await stageWith(t, [channel('ops')])
  await it.put(notice('a'), notice('a', { channel: 'ops' }))
  await it.round()
  assert.deepEqual(it.got.map(listIds), [['a']])
})

test('what failed is tried again later with what came since, and given up where people see it', async (t) => {
  let down = true
  const it = await stageWith(t, [channel('ops', { quiet_s: 0 })], async () => {
    if (down) throw new NotDelivered('answered 503')
    return 'answered 200'
  })
  await it.put(notice('a'))
  await it.round()
  assert.partialDeepStrictEqual(await it.standing('ops'), {
    attempts: 1,
    last: { ok: false, said: 'answered 503', notices: 1 },
  })
  await it.round()
  assert.equal(it.got.length, 1, 'not before its time')
  for (let round = 0; round < LIMITS.noticeAttempts; round++) {
    await it.clock.advance(LIMITS.backoffMaxMs)
    await it.round()
  }
  assert.partialDeepStrictEqual(await it.standing('ops'), {
    given_up: { said: 'answered 503', notices: 1 },
  })
  assert.equal(await it.waiting('ops'), 0)
  const failed = await it.runtime().store.listRecords('notice', 'failed', { limit: 10 })
  assert.deepEqual(
    failed.map(({ body }) => [body.notice.id, body.notice.channel]),
    [['a', 'ops']],
  )
  down = false
  await it.put(notice('b'))
  await it.clock.advance(LIMITS.backoffMaxMs)
  await it.round()
  assert.deepEqual(listIds(it.got.at(-1) ?? assert.fail()), ['b'])
  assert.equal((await it.standing('ops')).last?.ok, true)
})

test('C6: what an erasure took out of what waits while it was sent is not kept as failed', async (t) => {
  const erased = { dfid: 'erased' }
  const it = await stageWith(t, [channel('ops')], async () => {
    const { store } = it.runtime()
    const waiting = await store.listRecords('channel_notice', 'ops', { limit: 10 })
    const gone = waiting.filter(({ body }) => body.dfid === erased.dfid)
    const writes = gone.map(({ group, key }) => {
      return { kind: 'drop_record', record: 'channel_notice', group, key } as const
    })
    // In the last attempt, and before it is known that it failed.
    const { attempts } = await it.standing('ops')
    if (attempts === LIMITS.noticeAttempts) await store.commit({ guards: [], writes })
    throw new NotDelivered('answered 503')
  })
  await it.put(notice('a', erased), notice('b', { dfid: 'kept' }))
  for (let round = 0; round < LIMITS.noticeAttempts; round++) {
    await it.round()
    await it.clock.advance(LIMITS.backoffMaxMs)
  }
  const failed = await it.runtime().store.listRecords('notice', 'failed', { limit: 10 })
  assert.deepEqual(
    failed.map(({ body }) => body.notice.id),
    ['b'],
  )
  assert.equal((await it.standing('ops')).given_up?.notices, 1)
  assert.equal(await it.waiting('ops'), 0)
})

test('one that hangs holds up no other, and what was thrown by mistake says nothing', async (t) => {
  const hangs = channel('hangs')
  const it = await stageWith(t, [hangs, channel('leaks')], (_, { channel: { name } }) => {
    if (name === 'hangs') return new Promise(() => {})
    throw new Error('the password is hunter2hunter2')
  })
  await it.put(notice('a'))
  await it.engine().context.advisers.notices.round()
  await it.engine().context.advisers.notices.awaitSettled()
  await it.sender.round()
  await it.put(notice('b'))
  await it.clock.advance(LIMITS.channelMs)
  await it.sender.awaitSettled()
  assert.match((await it.standing('hangs')).last?.said ?? '', /no answer within 20 s/)
  const { last } = await it.standing('leaks')
  assert.deepEqual([last?.ok, last?.said], [false, 'it could not be sent'])
})

test('of two engines one sends', async (t) => {
  const it = await stageWith(t, [channel('ops')])
  await it.put(notice('a'))
  const { context } = it.engine()
  await context.advisers.notices.round()
  const messenger: Messenger = {
    findProblem: () => null,
    deliver: async (_, message) => {
      it.got.push(message)
      return 'answered 200'
    },
  }
  const other = new ChannelSender({ ...context, messenger })
  await Promise.all([it.sender.round(), other.round()])
  await Promise.all([it.sender.awaitSettled(), other.awaitSettled()])
  assert.deepEqual(it.got.map(listIds), [['a']])
})

test('whoever is not reached is sent no more than so many, and what is removed is sent nothing', async (t) => {
  const it = await stageWith(t, [channel('ops', { paused: false })])
  const many = Array.from({ length: 250 }, (_, i) => notice(`n:${i}`))
  for (let i = 0; i < 5; i++) {
    await it.put(...many.map((one) => ({ ...one, id: `${one.id}:${i}` })))
    for (let round = 0; round < 2; round++) {
      await it.engine().context.advisers.notices.round()
      await it.engine().context.advisers.notices.awaitSettled()
    }
  }
  assert.equal(await it.waiting('ops'), LIMITS.channelWaiting)
  const removed = await new EngineChannels(it.engine().context, runner).remove('ops')
  assert.equal(removed.ok, true)
  assert.equal(await it.waiting('ops'), 0)
})

test('a test beside a message that is under way has nothing sent twice', async (t) => {
  const arrives = Promise.withResolvers<string>()
  const deliver: Messenger['deliver'] = async (_, { notices }) =>
    notices.length === 0 ? 'answered 200' : arrives.promise
  const it = await stageWith(t, [channel('ops')], deliver)
  await it.put(notice('a'))
  const { context } = it.engine()
  await context.advisers.notices.round()
  await context.advisers.notices.awaitSettled()
  assert.equal(await it.sender.round(), 1)
  const messenger: Messenger = { findProblem: () => null, deliver }
  const tested = await new EngineChannels({ ...context, messenger }, runner).test('ops')
  assert.equal(tested.ok, true)
  const other = new ChannelSender({ ...context, messenger })
  assert.equal(await other.round(), 0, 'what is under way is not sent by another engine')
  arrives.resolve('answered 200')
  await it.sender.awaitSettled()
  assert.equal(await it.waiting('ops'), 0)
  await it.clock.advance(LIMITS.backoffMaxMs)
  await it.round()
  assert.deepEqual(it.got.map(listIds), [['a']])
  assert.partialDeepStrictEqual(await it.standing('ops'), { attempts: 0, last: { notices: 1 } })
})

test('a test that has no answer ends when its engine stops, and leaves no result', async (t) => {
  const it = await stageWith(t, [channel('ops')])
  const { context } = it.engine()
  let isAborted = false
  const asked = Promise.withResolvers<void>()
  const messenger: Messenger = {
    findProblem: () => null,
    deliver(_, __, signal) {
      signal.addEventListener('abort', () => (isAborted = true))
      asked.resolve()
      return new Promise(() => {})
    },
  }
  const channels = new EngineChannels({ ...context, messenger }, runner)
  const tested = channels.test('ops')
  await asked.promise
  await channels.stop()
  const result = await tested
  assert.ok(result.ok)
  assert.deepEqual([result.value.ok, isAborted], [false, true])
  assert.match(result.value.said, /the server stops/)
  assert.equal((await it.standing('ops')).last, null)
})

test('an engine that stops ends the tests of its channels', async (t) => {
  const stage = await flowStage({})
  const stop = t.mock.method(stage.engine().channels, 'stop')
  await stage.close()
  assert.equal(stop.mock.callCount(), 1)
})

test('what is copied to a channel while it is removed waits for nobody, nor for the next of its name', async (t) => {
  const it = await stageWith(t, [channel('ops'), channel('dev')])
  const { context } = it.engine()
  const channels = new EngineChannels(context, runner)
  const { store } = context
  // Between what a round has read and what it writes.
  const removing = replaceMember(store, 'countRows', async (of) => {
    await channels.remove('ops')
    return store.countRows(of)
  })
  await it.put(notice('a'))
  await new NoticeSender({ ...context, store: removing }).round()
  assert.equal(await it.waiting('ops'), 0)
  // Between what the removal has read and what it writes.
  let copied = 0
  const copying = replaceMember(store, 'listRecords', async (...asked) => {
    const found = await store.listRecords(...asked)
    if (asked[0] !== 'channel_notice') return found
    await it.put(notice(`b:${copied++}`))
    await new NoticeSender(context).round()
    return found
  })
  const removed = await new EngineChannels({ ...context, store: copying }, runner).remove('dev')
  assert.equal(removed.ok, true)
  assert.equal(await it.waiting('dev'), 0)
})
