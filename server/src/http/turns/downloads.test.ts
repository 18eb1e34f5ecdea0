import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { err, LIMITS, ok } from 'rubicon-kernel'
import { buildHttpProblem } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'
import { Downloads, passWhileAllowed } from './downloads.ts'

const PIECE = 'x'.repeat(65_536)

async function* pieces(count: number, made: { count: number }): AsyncGenerator<string> {
  for (; made.count < count; made.count += 1) yield PIECE
}

/** No time passes. */
const CLOCK = { monotonic: () => 0 }
const STILL_THERE = (): boolean => false

function begin(downloads: Downloads, asker: string, text: AsyncIterable<string>): Promise<Reply> {
  return downloads.reply(asker, 'f', STILL_THERE, async () => ok(text))
}

/** Long enough for whatever would run ahead to do so. */
async function wait(): Promise<void> {
  for (let i = 0; i < 50; i += 1) await turn()
}

test('nothing is read that nobody takes, and all of it once they do', async () => {
  const made = { count: 0 }
  const { stream } = await begin(new Downloads(() => {}, CLOCK), 'ann', pieces(100, made))
  const response = new PassThrough()
  stream?.start(response)
  await wait()
  assert.ok(made.count < 40, `${made.count} pieces were made ahead`)
  let length = 0
  for await (const chunk of response) length += chunk.length
  assert.equal(length, 100 * PIECE.length)
})

test('whoever hangs up is not reported; what goes wrong inside is, and the text is cut', async () => {
  const reports: string[] = []
  const downloads = new Downloads((line) => reports.push(line), CLOCK)
  const left = new PassThrough()
  const leaving = await begin(downloads, 'ann', pieces(100, { count: 0 }))
  leaving.stream?.start(left)
  left.destroy()
  await wait()
  assert.deepEqual(reports, [])

  async function* broken(): AsyncGenerator<string> {
    yield PIECE
    throw new Error('the disk is gone')
  }
  const response = new PassThrough()
  const cut = await begin(downloads, 'ann', broken())
  cut.stream?.start(response)
  await assert.rejects(async () => {
    for await (const _ of response);
  })
  assert.deepEqual(reports, ['rubicon: a download was cut: the disk is gone'])
})

test('there are so many downloads at a time, and a place is free again when one ends', async () => {
  const downloads = new Downloads(() => {}, CLOCK)
  const open = Array.from({ length: LIMITS.downloads }, () => new PassThrough())
  for (const [i, response] of open.entries())
    (await begin(downloads, `person ${i}`, pieces(100, { count: 0 }))).stream?.start(response)
  assert.equal((await begin(downloads, 'ann', pieces(1, { count: 0 }))).status, 503)
  open[0]?.destroy()
  await wait()
  assert.equal((await begin(downloads, 'ann', pieces(1, { count: 0 }))).status, 200)
})

test('downloads that are asked for at the same moment count each other', async () => {
  const downloads = new Downloads(() => {}, CLOCK)
  const asked = Array.from({ length: LIMITS.downloads + 1 }, (_, i) =>
    begin(downloads, `person ${i}`, pieces(1, { count: 0 })),
  )
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.deepEqual(statuses, [...Array(LIMITS.downloads).fill(200), 503])
})

test('one asker takes all downloads there are, and leaves nobody one', async () => {
  const downloads = new Downloads(() => {}, CLOCK)
  const ask = (asker: string): Promise<Reply> => begin(downloads, asker, pieces(100, { count: 0 }))
  const open = Array.from({ length: LIMITS.downloadsEach }, () => new PassThrough())
  for (const response of open) (await ask('mallory')).stream?.start(response)
  assert.equal((await ask('mallory')).status, 503)
  assert.equal((await ask('ann')).status, 200)
  open[0]?.destroy()
  await wait()
  assert.equal((await ask('mallory')).status, 200)
})

test('when the server stops, a download is cut', async () => {
  const { stream } = await begin(new Downloads(() => {}, CLOCK), 'ann', pieces(100, { count: 0 }))
  const response = new PassThrough()
  stream?.start(response)
  stream?.stop('the runtime is stopping')
  await wait()
  assert.equal(response.destroyed, true)
})

test('whoever hung up before a download began holds no place, and takes nobody down', async () => {
  const reports: string[] = []
  const downloads = new Downloads((line) => reports.push(line), CLOCK)
  for (let i = 0; i <= LIMITS.downloads; i += 1) {
    const { status, stream } = await begin(downloads, 'ann', pieces(100, { count: 0 }))
    assert.equal(status, 200)
    const gone = new PassThrough()
    gone.destroy()
    await wait()
    stream?.start(gone)
    stream?.stop('the runtime is stopping')
    await wait()
  }
  assert.deepEqual(reports, [])
})

test('a download goes on for somebody who may no longer ask', async () => {
  const made = { count: 0 }
  const ended = async () => (made.count < 3 ? null : buildHttpProblem('TOKEN_INVALID'))
  const taken: string[] = []
  await assert.rejects(async () => {
    for await (const piece of passWhileAllowed(pieces(100, made), ended)) taken.push(piece)
  }, /whoever asked may no longer ask/)
  assert.equal(taken.length, 3)
})

test('pieces of several downloads are made at once, and nobody else has the thread between them', async () => {
  let now = 0
  const downloads = new Downloads(() => {}, { monotonic: () => now })
  const order: string[] = []
  let atOnce = 0
  async function* slow(): AsyncGenerator<string> {
    for (let i = 0; i < 3; i += 1) {
      atOnce += 1
      assert.equal(atOnce, 1)
      order.push('piece')
      setImmediate(() => order.push('others'))
      now += LIMITS.pastSliceMs
      await Promise.resolve()
      atOnce -= 1
      yield PIECE
    }
  }
  const texts = [1, 2, 3].map(async (i) => {
    const response = new PassThrough().resume()
    const { stream } = await begin(downloads, `person ${i}`, slow())
    stream?.start(response)
    await once(response, 'close')
  })
  await Promise.all(texts)
  assert.deepEqual(order, Array(9).fill(['piece', 'others']).flat())
})

test('a checkpoint is made for a download that has no place, and a place is kept where none could be', async () => {
  const downloads = new Downloads(() => {}, CLOCK)
  let prepared = 0
  const ask = (): Promise<Reply> =>
    downloads.reply('ann', 'f', STILL_THERE, async () => {
      prepared += 1
      return prepared === 1 ? err(buildHttpProblem('STOPPING')) : ok(pieces(100, { count: 0 }))
    })
  assert.deepEqual(await ask(), buildHttpProblem('STOPPING'))
  const failing = downloads.reply('ann', 'f', STILL_THERE, () =>
    Promise.reject(new Error('the disk is gone')),
  )
  await assert.rejects(failing, /the disk is gone/)
  const replies = await Promise.all(Array.from({ length: LIMITS.downloadsEach + 2 }, ask))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [...Array(LIMITS.downloadsEach).fill(200), 503, 503],
  )
  assert.equal(prepared, 1 + LIMITS.downloadsEach)
})
