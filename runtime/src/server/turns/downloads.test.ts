import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { LIMITS } from 'rubicon-kernel'
import { buildHttpProblem } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'
import { Downloads, passWhileAllowed } from './downloads.ts'

const PIECE = 'x'.repeat(65_536)

async function* pieces(count: number, made: { count: number }): AsyncGenerator<string> {
  for (; made.count < count; made.count += 1) yield PIECE
}

/** Long enough for whatever would run ahead to do so. */
async function wait(): Promise<void> {
  for (let i = 0; i < 50; i += 1) await turn()
}

test('nothing is read that nobody takes, and all of it once they do', async () => {
  const made = { count: 0 }
  const { stream } = new Downloads(() => {}).reply('ann', 'f', pieces(100, made))
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
  const downloads = new Downloads((line) => reports.push(line))
  const left = new PassThrough()
  downloads.reply('ann', 'f', pieces(100, { count: 0 })).stream?.start(left)
  left.destroy()
  await wait()
  assert.deepEqual(reports, [])

  async function* broken(): AsyncGenerator<string> {
    yield PIECE
    throw new Error('the disk is gone')
  }
  const response = new PassThrough()
  downloads.reply('ann', 'f', broken()).stream?.start(response)
  await assert.rejects(async () => {
    for await (const _ of response);
  })
  assert.deepEqual(reports, ['rubicon: a download was cut: the disk is gone'])
})

test('there are so many downloads at a time, and a place is free again when one ends', async () => {
  const downloads = new Downloads(() => {})
  const open = Array.from({ length: LIMITS.downloads }, () => new PassThrough())
  for (const [i, response] of open.entries())
    downloads.reply(`person ${i}`, 'f', pieces(100, { count: 0 })).stream?.start(response)
  assert.equal(downloads.reply('ann', 'f', pieces(1, { count: 0 })).status, 503)
  open[0]?.destroy()
  await wait()
  assert.equal(downloads.reply('ann', 'f', pieces(1, { count: 0 })).status, 200)
})

test('downloads that are asked for at the same moment count each other', () => {
  const downloads = new Downloads(() => {})
  const statuses = Array.from({ length: LIMITS.downloads + 1 }, (_, i) => {
    return downloads.reply(`person ${i}`, 'f', pieces(1, { count: 0 })).status
  })
  assert.deepEqual(statuses, [...Array(LIMITS.downloads).fill(200), 503])
})

test('one asker takes all downloads there are, and leaves nobody one', async () => {
  const downloads = new Downloads(() => {})
  const begin = (asker: string): Reply => downloads.reply(asker, 'f', pieces(100, { count: 0 }))
  const open = Array.from({ length: LIMITS.downloadsEach }, () => new PassThrough())
  for (const response of open) begin('mallory').stream?.start(response)
  assert.equal(begin('mallory').status, 503)
  assert.equal(begin('ann').status, 200)
  open[0]?.destroy()
  await wait()
  assert.equal(begin('mallory').status, 200)
})

test('when the server stops, a download is cut', async () => {
  const { stream } = new Downloads(() => {}).reply('ann', 'f', pieces(100, { count: 0 }))
  const response = new PassThrough()
  stream?.start(response)
  stream?.stop('the runtime is stopping')
  await wait()
  assert.equal(response.destroyed, true)
})

test('whoever hung up before a download began holds no place, and takes nobody down', async () => {
  const reports: string[] = []
  const downloads = new Downloads((line) => reports.push(line))
  for (let i = 0; i <= LIMITS.downloads; i += 1) {
    const { status, stream } = downloads.reply('ann', 'f', pieces(100, { count: 0 }))
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
