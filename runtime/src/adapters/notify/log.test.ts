import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseNoticeLine } from '../../build-deps.ts'
import type { Notice } from '../../ports/notifier.ts'

const NOTICE: Notice = {
  id: 'a',
  kind: 'escalation',
  agent_id: 'bot',
  dfid: '01a1d141-5e50-789c-87b5-844ff8aa970f',
  reason_code: 'AUTHORITY_CEILING',
  channel: 'operator',
  at: '2026-06-01T12:00:00.000Z',
  details: { attempt: 1 },
}

const ON_TERMINAL = chooseNoticeLine({}, true)

test('on a terminal a notice is a line that a person reads', () => {
  const flow = 'flow 01a1d141-5e50-789c-87b5-844ff8aa970f'
  assert.equal(
    ON_TERMINAL(NOTICE),
    `⚠ bot: a request waits for approval (AUTHORITY_CEILING, ${flow})`,
  )
  const { dfid: _, ...withoutFlow } = NOTICE
  assert.equal(ON_TERMINAL(withoutFlow), '⚠ bot: a request waits for approval (AUTHORITY_CEILING)')
})

test('where the lines are piped, or somebody takes them, a notice is JSON', () => {
  for (const toLine of [
    chooseNoticeLine({}, false),
    chooseNoticeLine({}, undefined),
    chooseNoticeLine({ report: () => {} }, true),
  ])
    assert.deepEqual(JSON.parse(toLine(NOTICE)), { notice: NOTICE })
})

test('a terminal obeys nothing that stands in a notice', () => {
  assert.equal(ON_TERMINAL({ ...NOTICE, agent_id: '\u001b[31m' }).includes('\u001b'), false)
})
