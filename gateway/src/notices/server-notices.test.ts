import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awaitNotices } from './await-notices.ts'
import type { ServerNotice } from './server-notice.ts'
import { ServerNotices } from './server-notices.ts'

const LOG = { level: 'info', data: 'a' } as const

test('a line of a log that may be about the call of another agent is told to nobody', () => {
  const notices = new ServerNotices()
  const told: ServerNotice[] = []
  notices.follow((notice) => told.push(notice))
  notices.tellLog('files', LOG)
  assert.equal(told.length, 0)
  const end = notices.beginCall('files', 'desk')
  notices.tellLog('files', LOG)
  notices.tellLog('web', LOG)
  assert.equal(told.length, 1)
  const endOther = notices.beginCall('files', 'shop')
  notices.tellLog('files', LOG)
  assert.equal(told.length, 1)
  endOther()
  notices.tellLog('files', LOG)
  assert.equal(told.length, 2)
  end()
  notices.tellLog('files', LOG)
  assert.equal(told.length, 2)
})

test('what is told of a call is handed to no other agent', async () => {
  const notices = new ServerNotices()
  notices.tellProgress('desk', 'call', { progress: 1 })
  const asked = { after: 0, waitMs: 0, isGone: () => false }
  assert.equal((await awaitNotices(notices, { ...asked, agent: 'desk' })).notices.length, 1)
  const other = await awaitNotices(notices, { ...asked, agent: 'shop' })
  assert.deepEqual(other, { last: 1, notices: [] })
})

test('what was said of a call is kept for a minute: its flow may be erased then', async () => {
  let now = 0
  const notices = new ServerNotices(() => now)
  notices.tellProgress('desk', 'call', { progress: 1, message: 'looking for Mrs Smith' })
  const asked = { agent: 'desk', after: 0, waitMs: 0, isGone: () => false }
  now = 59_999
  assert.equal((await awaitNotices(notices, asked)).notices.length, 1)
  now = 60_000
  assert.deepEqual(await awaitNotices(notices, asked), { last: 1, notices: [] })
})

test('whoever waits is told as soon as there is something, and of a list that changes again and again once', async () => {
  const notices = new ServerNotices()
  const asked = { agent: 'desk', after: null, waitMs: 5_000, isGone: () => false }
  const waiting = awaitNotices(notices, asked)
  for (let index = 0; index < 100; index += 1) notices.tellChanged('tools')
  const { last, notices: heard } = await waiting
  assert.deepEqual(heard, [{ kind: 'changed', list: 'tools' }])
  assert.equal(last, 1)
})

test('whoever hangs up, or counts from another process, is not kept waiting', async () => {
  const notices = new ServerNotices()
  const asked = { agent: 'desk', waitMs: 60_000 }
  await awaitNotices(notices, { ...asked, after: 0, isGone: () => true })
  const { last } = await awaitNotices(notices, { ...asked, after: 7, isGone: () => false })
  assert.equal(last, 0)
})
