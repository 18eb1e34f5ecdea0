import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { REASON_CODES } from 'rubicon-kernel'
import type { StoredEntry } from '../../runtime/src/ports/store.ts'
import { jcs } from './audit/bytes.ts'
import { Auditor } from './auditor.ts'
import { runSeed } from './storm.ts'

let entries: readonly StoredEntry[] = []
before(async () => {
  const result = await runSeed(16)
  assert.deepEqual(result.violations, [])
  entries = result.entries
})

function audit(lines: readonly StoredEntry[]): readonly string[] {
  const auditor = new Auditor({ codes: new Set(REASON_CODES), recompile: null, thorough: true })
  auditor.committed(lines)
  return auditor.violations.map(({ invariant }) => invariant)
}

function at(kind: string): number {
  const index = entries.findIndex(({ envelope }) => envelope.kind === kind)
  assert.ok(index >= 0, `the seed has a ${kind}`)
  return index
}

function changed(
  index: number,
  change: (entry: StoredEntry) => StoredEntry,
): readonly StoredEntry[] {
  return entries.map((entry, i) => (i === index ? change(entry) : entry))
}

test('a ledger as it was written has no finding', () => {
  assert.deepEqual(audit(entries), [])
})

test('a changed payload, a missing entry and two swapped entries are found (I3)', () => {
  const index = at('dispatch')
  const edited = changed(index, (entry) => ({ ...entry, payload: `${entry.payload} ` }))
  assert.ok(audit(edited).includes('I3'))
  assert.ok(audit(entries.toSpliced(index, 1)).includes('I3'))
  const [a, b] = entries.slice(index, index + 2)
  assert.ok(a !== undefined && b !== undefined)
  assert.ok(audit(entries.toSpliced(index, 2, b, a)).includes('I3'))
})

test('a success without its dispatch is found (I12)', () => {
  const { intent_id } = JSON.parse(entries[at('commit')]?.payload ?? '') as { intent_id: string }
  const sent = entries.findIndex(
    ({ envelope, payload }) => envelope.kind === 'dispatch' && payload?.includes(intent_id),
  )
  assert.ok(audit(entries.toSpliced(sent, 1)).includes('I12'))
})

test('a commit whose world is another is found (I9)', () => {
  const index = entries.findIndex(
    ({ envelope, payload }) => envelope.kind === 'commit' && payload?.includes('"op":"create"'),
  )
  const forged = changed(index, (entry) => {
    const payload = JSON.parse(entry.payload ?? '') as { world_after: string }
    return { ...entry, payload: jcs({ ...payload, world_after: '0'.repeat(64) }) }
  })
  assert.ok(audit(forged).includes('I9'))
})

test('an unknown code is found (I8)', () => {
  const forged = changed(at('rejection'), (entry) => {
    const payload = JSON.parse(entry.payload ?? '') as object
    return { ...entry, payload: jcs({ ...payload, reason_code: 'BECAUSE' }) }
  })
  assert.ok(audit(forged).includes('I8'))
})

test('an effect that nobody dispatched is found (I1), and a second one (I2)', () => {
  const auditor = new Auditor({ codes: new Set(REASON_CODES), recompile: null, thorough: false })
  const request = { kind: 'WIRE', key: 'k', send: 1, params: {}, at: 0 } as const
  auditor.outside({ ...request, event: 'received' })
  assert.deepEqual(
    auditor.violations.map(({ invariant }) => invariant),
    ['I1'],
  )

  const index = at('dispatch')
  auditor.committed(entries.slice(0, index + 1))
  const { intent } = JSON.parse(entries[index]?.payload ?? '') as {
    intent: { idempotency_key: string; params: Record<string, string> }
  }
  const { idempotency_key: key, params } = intent
  auditor.outside({ ...request, key, params, event: 'applied' })
  auditor.outside({ ...request, key, params, event: 'applied' })
  assert.ok(auditor.violations.some(({ invariant }) => invariant === 'I2'))
})
