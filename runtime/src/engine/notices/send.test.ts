import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { RuntimeOptions } from '../../compose.ts'
import type { Notice, Notifier } from '../../ports/notifier.ts'
import { type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'
import { buildNoticeWrite } from './queue.ts'
import { NoticeSender } from './send.ts'

const HOUR = 3_600_000

function notice(id: string, channel = 'ops'): Notice {
  const at = '2026-06-01T12:00:00.000Z'
  const kind = 'manual_review'
  return { id, kind, agent_id: 'bot', reason_code: 'OUTCOME_UNKNOWN', channel, at, details: {} }
}

/** A channel that does as it is told, and remembers what it got. */
function channel(behave: (attempt: number) => Promise<void> | void = () => {}): {
  readonly notifier: Notifier
  readonly got: string[]
} {
  const got: string[] = []
  const send = async ({ id }: Notice): Promise<void> => {
    got.push(id)
    await behave(got.length)
  }
  return { notifier: { name: 'test', send }, got }
}

const down = (): never => {
  throw new Error('connection refused')
}
const hangs = (): Promise<void> => new Promise(() => {})

async function staged(
  notifiers: RuntimeOptions['notifiers'] & object,
  notices: readonly Notice[],
): Promise<FlowStage> {
  const stage = await flowStage({ notifiers })
  await stage.runtime().store.commit({ guards: [], writes: notices.map(buildNoticeWrite) })
  return stage
}

/** What the background does, and how it ends. */
async function round(stage: FlowStage): Promise<void> {
  const { notices } = stage.engine().context.advisers
  await notices.round()
  await notices.awaitSettled()
}

function waiting(stage: FlowStage, group: 'due' | 'failed' = 'due'): Promise<readonly string[]> {
  const { store } = stage.runtime()
  return store
    .listRecords('notice', group, { limit: 100 })
    .then((found) => found.map(({ body }) => `${body.notice.id} ${body.attempts}`))
}

test('a notice is sent once, and is gone', async () => {
  const ops = channel()
  const stage = await staged({ ops: ops.notifier }, [notice('a'), notice('b')])
  await round(stage)
  await stage.clock.advance(HOUR)
  await round(stage)
  assert.deepEqual(ops.got, ['a', 'b'])
  assert.deepEqual(await waiting(stage), [])
  await stage.close()
})

test('a channel that is down is tried again later under the same id, and delays no other', async () => {
  const ops = channel((attempt) => (attempt < 3 ? down() : undefined))
  const desk = channel()
  const stage = await staged({ ops: ops.notifier, desk: desk.notifier }, [
    notice('a'),
    notice('b', 'desk'),
  ])
  await round(stage)
  assert.deepEqual([ops.got, desk.got], [['a'], ['b']])
  assert.deepEqual(await waiting(stage), ['a 1'])
  await stage.clock.advance(LIMITS.backoffBaseMs - 1)
  await round(stage)
  assert.deepEqual(ops.got, ['a'], 'not before its time')
  await stage.clock.advance(1)
  await round(stage)
  assert.deepEqual(await waiting(stage), ['a 2'])
  await stage.clock.advance(2 * LIMITS.backoffBaseMs)
  await round(stage)
  assert.deepEqual(ops.got, ['a', 'a', 'a'])
  assert.deepEqual(await waiting(stage), [])
  await stage.close()
})

test('a channel that throws before it promises anything has failed like any other', async () => {
  const stage = await staged({ ops: { name: 'broken', send: down } }, [notice('a')])
  await round(stage)
  assert.deepEqual(await waiting(stage), ['a 1'])
  await stage.close()
})

test('a channel that hangs is cut off, and what it says later changes nothing', async () => {
  let answer = (): void => {}
  const ops = channel(() => new Promise((resolve) => (answer = resolve)))
  const stage = await staged({ ops: ops.notifier }, [notice('a')])
  const { notices } = stage.engine().context.advisers
  assert.equal(await notices.round(), 1)
  await stage.clock.advance(LIMITS.noticeMs - 1)
  assert.deepEqual(await waiting(stage), ['a 1'])
  await stage.clock.advance(1)
  await notices.awaitSettled()
  answer()
  await notices.awaitSettled()
  assert.deepEqual(await waiting(stage), ['a 1'], 'it waits for its next attempt')
  await stage.close()
})

test('no channel takes all the room: so many at a time, and the others are served', async () => {
  const ops = channel(hangs)
  const desk = channel()
  const many = Array.from({ length: LIMITS.noticesAtOnce + 3 }, (_, i) => notice(`a${i}`))
  const stage = await staged({ ops: ops.notifier, desk: desk.notifier }, [
    ...many,
    notice('z', 'desk'),
  ])
  const { notices } = stage.engine().context.advisers
  assert.equal(await notices.round(), LIMITS.noticesAtOnce + 1)
  await stage.clock.advance(0)
  assert.equal(ops.got.length, LIMITS.noticesAtOnce)
  assert.deepEqual(desk.got, ['z'])
  assert.equal(await notices.round(), 0)
  await stage.close()
})

test('what was tried too often is kept as failed, where people look', async () => {
  const ops = channel(down)
  const stage = await staged({ ops: ops.notifier }, [notice('a')])
  for (let attempt = 0; attempt < LIMITS.noticeAttempts - 1; attempt++) {
    await round(stage)
    await stage.clock.advance(LIMITS.backoffMaxMs)
  }
  assert.deepEqual(await waiting(stage), [`a ${LIMITS.noticeAttempts - 1}`])
  await round(stage)
  assert.deepEqual(await waiting(stage), [])
  assert.deepEqual(await waiting(stage, 'failed'), [`a ${LIMITS.noticeAttempts}`])
  await stage.clock.advance(HOUR)
  await round(stage)
  assert.equal(ops.got.length, LIMITS.noticeAttempts)
  await stage.close()
})

test('an engine that stops while it sends leaves the notice to the next, after a while', async () => {
  const ops = channel((attempt) => (attempt === 1 ? hangs() : undefined))
  const stage = await staged({ ops: ops.notifier }, [notice('a')])
  await stage.engine().context.advisers.notices.round()
  await stage.restart()
  await round(stage)
  assert.deepEqual(ops.got, ['a'], 'the first may still arrive')
  await stage.clock.advance(2 * LIMITS.noticeMs)
  await round(stage)
  assert.deepEqual(ops.got, ['a', 'a'])
  assert.deepEqual(await waiting(stage), [])
  await stage.close()
})

test('of engines that share a store, one sends', async () => {
  const ops = channel()
  const stage = await staged({ ops: ops.notifier }, [notice('a'), notice('b')])
  const { context } = stage.engine()
  const senders = [new NoticeSender(context), new NoticeSender(context)]
  await Promise.all(senders.map((sender) => sender.round()))
  await Promise.all(senders.map((sender) => sender.awaitSettled()))
  assert.deepEqual(ops.got.toSorted(), ['a', 'b'])
  await stage.close()
})

test('a channel that nobody configured is logged, which says so once', async () => {
  const stage = await staged({}, [notice('a', 'nobody'), notice('b', 'nobody')])
  await round(stage)
  const [said, ...logged] = stage.told
  assert.match(said ?? '', /no notifier is configured for the channel "nobody"/)
  const ids = logged.map((line) => (JSON.parse(line) as { notice: Notice }).notice.id)
  assert.deepEqual(ids, ['a', 'b'])
  assert.deepEqual(await waiting(stage), [])
  await stage.close()
})
