import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { buildHttpProblem } from '../problems/problem.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { type Pause, SlowReads } from './slow-reads.ts'

const ANN = { asker: 'person ann' }

test('a question that takes long leaves others the thread for as long as it had it', async () => {
  let now = 0
  const past = new SlowReads({ monotonic: () => now })
  let turns = 0
  const counting = (): void => {
    turns += 1
    if (turns < 3) setImmediate(counting)
  }
  await past.ask(ANN, async (pause) => {
    await pause()
    now += LIMITS.pastSliceMs - 1
    await pause()
    assert.equal(turns, 0)
    setImmediate(counting)
    now += 1
    await pause()
    assert.ok(turns > 0)
    const before = turns
    await pause()
    assert.equal(turns, before)
    return toReply({})
  })
})

test('after a slice that took too long others have the thread for as long', async (t) => {
  let now = 0
  const past = new SlowReads({ monotonic: () => now })
  const rests = t.mock.method(globalThis, 'setTimeout', (go: () => void) => setImmediate(go))
  await past.ask(ANN, async (pause) => {
    for (const tookMs of [LIMITS.pastSliceMs * 8, LIMITS.pastRestMs * 8]) {
      now += tookMs
      await pause()
    }
    return toReply({})
  })
  const waited = rests.mock.calls.map(({ arguments: [, ms] }) => ms as unknown)
  assert.deepEqual(waited, [LIMITS.pastSliceMs * 8, LIMITS.pastRestMs])
})

test('a question of somebody who has hung up goes on, or is begun', async () => {
  const past = new SlowReads({ monotonic: () => 0 })
  let isGone = false
  const asking = { ...ANN, isGone: () => isGone }
  const ended = past.ask(asking, async (pause) => {
    isGone = true
    await pause()
    return toReply({})
  })
  assert.equal((await ended).status, 422)
  const begun = past.ask(asking, async () => toReply({}))
  assert.equal((await begun).status, 422)
})

test('only so many are answered at a time; the others wait their turn, and not too many', async () => {
  const past = new SlowReads({ monotonic: () => 0 })
  const release: (() => void)[] = []
  let answered = 0
  const held = (_pause: Pause): Promise<ReturnType<typeof toReply>> =>
    new Promise((resolve) => release.push(() => resolve(toReply({}))))
  const asked = Array.from({ length: LIMITS.pastQuestions + LIMITS.pastQuestionsWaiting }, (_, i) =>
    past.ask({ asker: `person ${i}` }, held).then(() => {
      answered += 1
    }),
  )
  assert.equal((await past.ask(ANN, held)).status, 503)
  assert.equal(release.length, LIMITS.pastQuestions)
  while (answered < asked.length) {
    assert.ok(release.length <= LIMITS.pastQuestions)
    for (const go of release.splice(0)) go()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(asked)
})

test('P1: whoever asks much about the past keeps everybody else from asking', async () => {
  const past = new SlowReads({ monotonic: () => 0 })
  const order: string[] = []
  const held = Promise.withResolvers<void>()
  const ask = (asker: string): Promise<Reply> =>
    past.ask({ asker }, async () => {
      order.push(asker)
      await held.promise
      return toReply({})
    })
  const places = LIMITS.pastQuestions + LIMITS.pastQuestionsWaitingEach
  const hers = Array.from({ length: places }, () => ask('mallory'))
  const surplus = ask('mallory')
  const others = [ask('ann'), ask('bob')]
  held.resolve()
  assert.equal((await surplus).status, 503)
  for (const { status } of await Promise.all([...hers, ...others])) assert.equal(status, 200)
  const first = LIMITS.pastQuestions
  assert.deepEqual(order.slice(first, first + 2).sort(), ['ann', 'bob'])
})

test('P2: a question that waited is answered to somebody who may no longer ask', async () => {
  const past = new SlowReads({ monotonic: () => 0 })
  const held = Promise.withResolvers<void>()
  let hasEnded = false
  let begun = 0
  const asking = {
    ...ANN,
    ended: async () => (hasEnded ? buildHttpProblem('TOKEN_INVALID') : null),
  }
  const asked = Array.from({ length: LIMITS.pastQuestions + 1 }, () =>
    past.ask(asking, async () => {
      begun += 1
      await held.promise
      return toReply({})
    }),
  )
  hasEnded = true
  held.resolve()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.equal(statuses.at(-1), 401)
  assert.equal(begun, LIMITS.pastQuestions)
  assert.equal((await past.ask(ANN, async () => toReply({}))).status, 200)
})

test('one that fails makes room too', async () => {
  const past = new SlowReads({ monotonic: () => 0 })
  for (let times = 0; times <= LIMITS.pastQuestions; times += 1)
    await assert.rejects(past.ask(ANN, () => Promise.reject(new Error('broken'))))
  assert.equal((await past.ask(ANN, async () => toReply({}))).status, 200)
})

test('one that goes on for too long is ended', async () => {
  let now = 0
  const past = new SlowReads({ monotonic: () => now })
  const { status, body } = await past.ask(ANN, async (pause) => {
    for (;;) {
      await pause()
      now += LIMITS.pastQuestionMs / 4
    }
  })
  assert.deepEqual([status, Object(body).code], [422, 'PAST_TOO_LONG'])
  assert.equal((await past.ask(ANN, async () => toReply({}))).status, 200)
})

test('a read rests for time in which nobody read', async (t) => {
  let now = 0
  const past = new SlowReads({ monotonic: () => now })
  const pause = past.createPause()
  const rests = t.mock.method(globalThis, 'setTimeout', (go: () => void) => setImmediate(go))
  for (let asked = 0; asked < 3; asked += 1) {
    now += LIMITS.pastSliceMs * 8
    await past.ask(ANN, async (own) => {
      now += LIMITS.pastSliceMs - 1
      await pause()
      await own()
      return toReply({})
    })
  }
  assert.equal(rests.mock.callCount(), 0)
})

test('S1: a read goes on while the thread is left to others, or rests once more for that', async (t) => {
  let now = 0
  const past = new SlowReads({ monotonic: () => now })
  let done = 0
  const rests = t.mock.method(globalThis, 'setTimeout', (go: () => void, ms: number) =>
    setImmediate(() => {
      assert.equal(done, 0)
      now += ms
      go()
    }),
  )
  const read = (asker: string): Promise<Reply> =>
    past.ask({ asker }, async (pause) => {
      for (let step = 0; step < 2; step += 1) {
        now += LIMITS.pastSliceMs / 2
        await pause()
      }
      done += 1
      return toReply({})
    })
  await Promise.all([read('ann'), read('bob')])
  const waited = rests.mock.calls.map(({ arguments: [, ms] }) => ms as unknown)
  assert.deepEqual(waited, [LIMITS.pastSliceMs])
})
