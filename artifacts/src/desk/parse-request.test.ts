import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerText } from './answer-text.ts'
import { parseAnswer } from './parse-answer.ts'
import { parseRequest } from './parse-request.ts'

const TEXT = { artifact: 'a.ts', text: 'export const a = 1\n' }
const CLAIMS = { key: 'a', artifact: 'a.ts', writes: [], inserts: [], reads: [], redefines: [] }

function findPlace(request: unknown): string | null {
  const parsed = parseRequest(request)
  return parsed.ok ? null : (/`(.*)`/u.exec(parsed.error.detail)?.[1] ?? '')
}

test('a request that is none is refused with its place, however it is none', () => {
  assert.equal(findPlace({ ask: 'symbols', text: TEXT }), null)
  for (const [request, place] of [
    [null, ''],
    [[], ''],
    [{}, '/ask'],
    [{ ask: 'toString', text: TEXT }, '/ask'],
    [{ ask: 'symbols', text: TEXT, more: 1 }, '/more'],
    [{ ask: 'symbols', text: { ...TEXT, text: 1 } }, '/text/text'],
    [{ ask: 'symbols', text: { ...TEXT, schema: [] } }, '/text/schema'],
    [{ ask: 'slice', text: TEXT }, '/path'],
    [{ ask: 'plan', key: 'a', changes: [{ text: TEXT }], project: [] }, '/changes/0/deltas'],
    [
      { ask: 'conflicts', strategy: null, claims: [{ ...CLAIMS, reads: [{ kind: 'guess' }] }] },
      '/claims/0/reads/0/kind',
    ],
    [{ ask: 'conflicts', strategy: { granularity: 'line' }, claims: [] }, '/strategy/granularity'],
    [
      {
        ask: 'undo',
        key: 'a',
        parts: [{ now: TEXT, past: [], seq: 1.5 }],
        project: [],
      },
      '/parts/0/seq',
    ],
  ] as const)
    assert.equal(findPlace(request), place, JSON.stringify(request))
})

test('an answer is not believed that does not have the form of what was asked for', () => {
  const request = { ask: 'symbols', text: TEXT } as const
  const answer = JSON.parse(answerText(JSON.stringify(request)))
  assert.ok(parseAnswer(request, answer).ok)
  for (const other of [
    null,
    'yes',
    { ok: 'true', value: answer.value },
    { ok: true, value: {} },
    { ok: true, value: { symbols: [{ ...answer.value.symbols[0], extra: 1 }] } },
    { ok: false, error: { code: 'TARGET_MISSING' } },
  ]) {
    const parsed = parseAnswer(request, other)
    assert.equal(parsed.ok ? null : parsed.error.code, 'DESK_FAILED', JSON.stringify(other))
  }
  const slice = parseAnswer({ ask: 'slice', text: TEXT, path: '' }, answer)
  assert.equal(slice.ok ? null : slice.error.code, 'DESK_FAILED', 'the answer to something else')
})
