import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CANARY_FIELDS, createCanary, findCanaries } from './canary.ts'
import { VirtualTime } from './clock.ts'
import { Ears } from './ears.ts'

test('a canary is found as it is, in hexadecimal and in base64, and names its field', () => {
  for (const field of CANARY_FIELDS) {
    const text = createCanary(field)
    assert.deepEqual(findCanaries(JSON.stringify({ text })), [field])
    assert.deepEqual(findCanaries(Buffer.from(text).toString('hex')), [field])
    for (const before of ['', 'a', 'ab'])
      assert.deepEqual(findCanaries(Buffer.from(before + text).toString('base64')), [field])
  }
  assert.deepEqual(findCanaries('nothing to see here'), [])
})

test('what leaves by a notice, a line, a label or a span is heard (I13)', async () => {
  const notice = {
    id: 'n',
    kind: 'drift',
    agent_id: 'bot',
    reason_code: 'STATE_DRIFT_DETECTED',
    channel: 'operator',
    at: '2026-06-01T12:00:00.000Z',
    details: { note: createCanary('note') },
  } as const
  const deaf = await Ears.open(new VirtualTime(), false)
  assert.equal(deaf.telemetry.telemetry, undefined)
  deaf.recordNotice(notice)
  assert.deepEqual(await deaf.close(), ['note'])

  const ears = await Ears.open(new VirtualTime(), true)
  const { telemetry } = ears.telemetry
  assert.ok(telemetry !== undefined)
  telemetry.log({ at: notice.at, level: 'info', event: 'flow_opened', state: createCanary('memo') })
  telemetry.count('escalation_count', { agent_id: createCanary('story'), reason: 'SILENCE' })
  const ref = { dfid: '019e807a-f84f-7043-9284-91a0f2e4eab5', name: 'flow', ordinal: '' } as const
  const attributes = { 'rubicon.said': createCanary('trigger') }
  telemetry.span({ ref, parent: null, start: 0, end: 1, attributes })
  assert.deepEqual(await ears.close(), ['memo', 'story', 'trigger'])
})
