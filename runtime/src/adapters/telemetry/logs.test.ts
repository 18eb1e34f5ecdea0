import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogLine } from '../../ports/telemetry.ts'
import { logText } from './logs.ts'

const LINE: LogLine = {
  at: '2026-06-01T12:00:00.000Z',
  level: 'info',
  event: 'proposal_answered',
  dfid: '019c0b5e-7c00-7000-8000-000000000001',
  agent_id: 'trader',
  outcome: 'REJECTED',
  reason_code: 'STATE_DRIFT_DETECTED',
  ms: 1.23456789,
}

test('a line is one line of JSON, in the order of the list', () => {
  assert.equal(
    logText({ ...LINE, params: { note: 'string(3)' } }),
    '{"at":"2026-06-01T12:00:00.000Z","level":"info","event":"proposal_answered",' +
      '"dfid":"019c0b5e-7c00-7000-8000-000000000001","agent_id":"trader","outcome":"REJECTED",' +
      '"reason_code":"STATE_DRIFT_DETECTED","params":{"note":"string(3)"},"ms":1.235}',
  )
  assert.ok(!logText({ ...LINE, agent_id: 'two\nlines' }).includes('\n'))
})

test('a field that is not on the list is not written, whoever put it there', () => {
  const more = { ...LINE, justification: 'because', params_raw: { iban: 'x' } }
  assert.equal(logText(more), logText(LINE))
})
