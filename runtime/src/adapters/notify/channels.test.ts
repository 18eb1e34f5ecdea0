import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice, Notifier } from '../../ports/notifier.ts'
import { createChannels } from './channels.ts'

const NOTICE: Notice = {
  id: 'a',
  kind: 'drift',
  agent_id: 'bot',
  reason_code: 'STATE_DRIFT_DETECTED',
  channel: 'operator',
  at: '2026-06-01T12:00:00.000Z',
  details: { attempt: 1 },
}

const desk: Notifier = { name: 'desk', send: async () => {} }

test('a channel has the notifier of its name, and no other', () => {
  const lines: string[] = []
  const channels = createChannels({ desk }, (line) => void lines.push(line))
  assert.equal(channels.getNotifier('desk'), desk)
  assert.equal(channels.getNotifier('operator').name, 'log')
  assert.equal(lines.length, 0)
  for (const name of ['Desk', 'toString', '__proto__', '\u001b[31m'])
    assert.equal(channels.getNotifier(name).name, 'log')
  assert.equal(channels.getNotifier('Desk').name, 'log')
  assert.equal(lines.length, 4, 'each is said once')
  assert.ok(lines.every((line) => !line.includes('\u001b')))
})

test('operators are told where they say, and in the log where they do not', async () => {
  const lines: string[] = []
  const log = createChannels({}, (line) => void lines.push(line)).getNotifier('operator')
  await log.send(NOTICE)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [{ notice: NOTICE }],
  )
  assert.equal(createChannels({ operator: desk }, () => {}).getNotifier('operator'), desk)
})
