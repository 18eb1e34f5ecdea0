import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryKind } from 'rubicon-kernel'
import { AuditedErasures, type ErasedView } from './erasures.ts'
import type { Line } from './report.ts'

const DFID = 'flow-1'
const HASH = 'sha256:00' as const

type Seen = { readonly kind: EntryKind; readonly dfid?: string; readonly payload?: unknown }

/** What the auditor says of lines, and of what is left of them in the end. */
function found(
  lines: readonly Seen[],
  missing: readonly number[],
  change: Partial<ErasedView> = {},
): readonly string[] {
  const reported: string[] = []
  const erasures = new AuditedErasures((invariant) => reported.push(invariant))
  const at = '2026-02-01T09:00:00.000Z'
  for (const [leaf, { kind, dfid, payload = {} }] of lines.entries()) {
    const trajectory = kind === 'erasure' ? 'erasure' : 'main'
    const line: Line = {
      id: HASH,
      leaf,
      trajectory,
      seq: leaf,
      kind,
      at,
      dfid,
      authoritySeq: 0,
      payload,
    }
    erasures.add(line)
  }
  erasures.finish({
    entries: lines.map(({ kind, dfid }, leaf) => ({
      id: HASH,
      leaf,
      payload: missing.includes(leaf) ? null : '{}',
      envelope: {
        v: 2,
        tenant: 't',
        trajectory: kind === 'erasure' ? 'erasure' : 'main',
        seq: leaf,
        parent: null,
        kind,
        at,
        ...(dfid === undefined ? {} : { dfid }),
        payload_hash: HASH,
      },
    })),
    flows: new Map([[DFID, { trigger: '', state: 'CLOSED' }]]),
    executions: [],
    escalations: [],
    ...change,
  })
  return reported
}

const names = (...leaves: readonly number[]): Seen => ({
  kind: 'erasure',
  dfid: DFID,
  payload: {
    body: { dfid: DFID, payloads: leaves.map((leaf) => ({ trajectory: 'main', seq: leaf, leaf })) },
  },
})
const writ: Seen = { kind: 'writ', dfid: DFID }
const other: Seen = { kind: 'writ', dfid: 'flow-2' }

test('I21: what is named is missing, and nothing else is', () => {
  assert.deepEqual(found([writ, other, names(0)], [0]), [])
  assert.deepEqual(found([writ, other], [0]), ['I21'])
  assert.deepEqual(found([writ, other, names(0)], [0, 1]), ['I21'])
  assert.deepEqual(found([writ, other, names(0)], []), ['I21', 'I21'])
  assert.deepEqual(found([writ, { ...writ, kind: 'commit' }, names(0)], [0]), ['I21'])
})

test('I21: nothing is written of an erased flow, and its rows say nothing', () => {
  assert.deepEqual(found([writ, names(0), { kind: 'rejection', dfid: DFID }], [0]), ['I21', 'I21'])
  assert.deepEqual(found([writ, names(0), names(0)], [0]), ['I21', 'I21'])
  const said = new Map([[DFID, { trigger: 'words', state: 'CLOSED' }]])
  assert.deepEqual(found([writ, names(0)], [0], { flows: said }), ['I21'])
  const intents = (intent: string, dfid = DFID) => ({ executions: [{ dfid, intent }] })
  assert.deepEqual(found([writ, names(0)], [0], intents('{}')), [])
  assert.deepEqual(found([writ, names(0)], [0], intents('{"a":1}')), ['I21'])
  assert.deepEqual(found([writ, names(0)], [0], intents('{}', 'flow-2')), ['I21'])
  const escalations = [{ body: { request: { dfid: DFID } } }]
  assert.deepEqual(found([writ, names(0)], [0], { escalations }), ['I21'])
})
