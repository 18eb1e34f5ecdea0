import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GenerationPayload, WritPayload } from 'rubicon-kernel'
import type { OpenGeneration } from '../../../runtime/src/ports/generation-record.ts'
import type { ModelEvent } from '../model.ts'
import { AuditedGenerations } from './generations.ts'
import type { Line } from './report.ts'

const OPEN = {
  generation_id: 'g-1',
  dfid: 'flow',
  provider: 'storm',
  model: 'm',
  request_hash: `sha256:${'0'.repeat(64)}`,
  reserved: { tokens: '100', usd: '0.000150' },
  reserved_at: '2026-06-01T12:00:00.000Z',
  epoch: 1,
} as OpenGeneration
const COUNTED = new Map([
  ['n:tokens', 107],
  ['n:usd', 157],
])
const WRIT = { writ: { body: { nonce: 'n' } }, flow: { dfid: 'flow' } } as WritPayload
const LINE = { trajectory: 'main', seq: 3 } as Line

/** Seven of each are used by what the ledger says. */
function createAudit(): { readonly audit: AuditedGenerations; readonly found: string[] } {
  const found: string[] = []
  const audit = new AuditedGenerations(
    (invariant, detail) => found.push(`${invariant} ${detail}`),
    () => 7n,
  )
  audit.recordWrit(WRIT)
  return { audit, found }
}

function play(
  said: readonly ModelEvent[],
  end: Partial<GenerationPayload>,
  used: Readonly<Record<string, string>>,
): readonly string[] {
  const { audit, found } = createAudit()
  audit.auditOpen({ open: [OPEN], counters: COUNTED })
  for (const event of said) audit.auditModelEvent(event, { findAsked: () => ['g-1'] })
  audit.auditEntry(LINE, { generation_id: 'g-1', used, ...end } as GenerationPayload)
  audit.finish([])
  return found
}

const ASKED: ModelEvent = { event: 'asked', question: 'q' }
const usage = { input_tokens: 30, output_tokens: 12 }
const ANSWERED: ModelEvent = { event: 'answered', question: 'q', usage }

test('what the provider counted is what is used, and all that was reserved where nobody knows', () => {
  const cost = { tokens: '42', usd: '0.000054' }
  assert.deepEqual(play([ASKED, ANSWERED], { finding: 'answered' }, cost), [])
  assert.deepEqual(play([ASKED], { finding: 'lost' }, OPEN.reserved), [])
  assert.deepEqual(play([], { finding: 'lost' }, OPEN.reserved), [])
  const away: ModelEvent = { event: 'turned_away', question: 'q' }
  assert.deepEqual(play([ASKED, away], { finding: 'failed', charged: false }, {}), [])
  const uncounted: ModelEvent = { event: 'answered', question: 'q', usage: null }
  assert.deepEqual(play([ASKED, uncounted], { finding: 'answered' }, OPEN.reserved), [])
})

test('less than that is found, and so is a failure that says it was free', () => {
  for (const [end, used] of [
    [{ finding: 'answered' }, { tokens: '41', usd: '0.000054' }],
    [{ finding: 'lost' }, {}],
    [{ finding: 'failed', charged: true }, {}],
    [{ finding: 'failed', charged: false }, {}],
  ] as const)
    assert.match(play([ASKED, ANSWERED], end, used).join(), /^I10 main\/3 .* counts/)
})

test('a process that was taken for dead may ask what is counted as lost, and not what was answered', () => {
  for (const [finding, isFound] of [
    ['lost', false],
    ['answered', true],
  ] as const) {
    const { audit, found } = createAudit()
    audit.auditOpen({ open: [OPEN], counters: COUNTED })
    const end = { generation_id: 'g-1', used: OPEN.reserved, finding } as GenerationPayload
    audit.auditEntry(LINE, end)
    audit.auditModelEvent(ASKED, { findAsked: () => ['g-1'] })
    assert.equal(found.length === 1, isFound, found.join())
  }
})

test('what is asked before it is reserved, counted short, settled twice or left open is found', () => {
  const early = createAudit()
  early.audit.auditModelEvent(ASKED, { findAsked: () => [] })
  early.audit.auditModelEvent(ASKED, { findAsked: () => ['g-1'] })
  const reported = 'I10 q is asked, and what it can cost is not reserved'
  assert.deepEqual(early.found, [reported, reported])
  const short = createAudit()
  short.audit.auditOpen({ open: [OPEN], counters: new Map([...COUNTED, ['n:tokens', 7]]) })
  assert.deepEqual(short.found, ['I10 n:tokens counts 7; used and reserved are 107'])
  short.audit.finish([OPEN])
  assert.match(short.found.join(), /I7 g-1 of flow is open.*I10 g-1 was reserved/)
  const twice = createAudit()
  twice.audit.auditOpen({ open: [OPEN], counters: COUNTED })
  const lost = { generation_id: 'g-1', used: OPEN.reserved, finding: 'lost' } as GenerationPayload
  twice.audit.auditEntry(LINE, lost)
  twice.audit.auditEntry(LINE, lost)
  assert.match(twice.found.join(), /^I10 main\/3 settles g-1 a second time$/)
})
