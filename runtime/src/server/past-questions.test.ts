import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { PastQuestions, type Pause } from './past-questions.ts'
import { toReply } from './route.ts'

test('a question that takes long leaves others the thread for as long as it had it', async () => {
  let now = 0
  const past = new PastQuestions({ monotonic: () => now })
  let turns = 0
  const counting = (): void => {
    turns += 1
    if (turns < 3) setImmediate(counting)
  }
  await past.ask(async (pause) => {
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
  const past = new PastQuestions({ monotonic: () => now })
  const rests = t.mock.method(globalThis, 'setTimeout', (go: () => void) => setImmediate(go))
  await past.ask(async (pause) => {
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
  const past = new PastQuestions({ monotonic: () => 0 })
  let isGone = false
  const ended = past.ask(
    async (pause) => {
      isGone = true
      await pause()
      return toReply({})
    },
    () => isGone,
  )
  assert.equal((await ended).status, 422)
  const begun = past.ask(
    async () => toReply({}),
    () => isGone,
  )
  assert.equal((await begun).status, 422)
})

test('only so many are answered at a time; the others wait their turn, and not too many', async () => {
  const past = new PastQuestions({ monotonic: () => 0 })
  const release: (() => void)[] = []
  let answered = 0
  const held = (_pause: Pause): Promise<ReturnType<typeof toReply>> =>
    new Promise((resolve) => release.push(() => resolve(toReply({}))))
  const asked = Array.from({ length: LIMITS.pastQuestions + LIMITS.pastQuestionsWaiting }, () =>
    past.ask(held).then(() => {
      answered += 1
    }),
  )
  assert.equal((await past.ask(held)).status, 503)
  assert.equal(release.length, LIMITS.pastQuestions)
  while (answered < asked.length) {
    assert.ok(release.length <= LIMITS.pastQuestions)
    for (const go of release.splice(0)) go()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(asked)
})

test('one that fails makes room too', async () => {
  const past = new PastQuestions({ monotonic: () => 0 })
  for (let times = 0; times <= LIMITS.pastQuestions; times += 1)
    await assert.rejects(past.ask(() => Promise.reject(new Error('broken'))))
  assert.equal((await past.ask(async () => toReply({}))).status, 200)
})

test('one that goes on for too long is ended', async () => {
  let now = 0
  const past = new PastQuestions({ monotonic: () => now })
  const { status, body } = await past.ask(async (pause) => {
    for (;;) {
      await pause()
      now += LIMITS.pastQuestionMs / 4
    }
  })
  assert.deepEqual([status, Object(body).code], [422, 'PAST_TOO_LONG'])
  assert.equal((await past.ask(async () => toReply({}))).status, 200)
})
