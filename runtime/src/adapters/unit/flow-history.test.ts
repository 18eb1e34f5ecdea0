import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowStep } from '../../ports/store.ts'
import { encodeHistory, parseHistory } from './flow-history.ts'

const FIRST = '2026-01-31T09:30:00.000Z'
const LATER = '2026-01-31T09:30:01.000Z'

const USUAL: readonly FlowStep[] = [
  { from: null, to: 'CREATED', at: FIRST },
  { from: 'CREATED', to: 'ACTIVE', at: FIRST },
  { from: 'ACTIVE', to: 'CLOSED', at: LATER },
]

test('a move says where it led, and when, if that is another instant', () => {
  equal(encodeHistory(USUAL), `[["CREATED","${FIRST}"],["ACTIVE"],["CLOSED","${LATER}"]]`)
  deepEqual(parseHistory(encodeHistory(USUAL)), USUAL)
})

test('a move that does not begin where the last one led says so', () => {
  const odd: readonly FlowStep[] = [
    { from: 'ACTIVE', to: 'ESCALATED', at: FIRST },
    { from: null, to: 'ACTIVE', at: FIRST },
    { from: 'ACTIVE', to: 'ABORTED', at: FIRST },
  ]
  deepEqual(parseHistory(encodeHistory(odd)), odd)
  deepEqual(parseHistory(encodeHistory([])), [])
})
