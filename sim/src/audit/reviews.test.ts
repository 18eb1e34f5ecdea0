import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Line } from './report.ts'
import { AuditedReviews } from './reviews.ts'

const DFID = 'f'

function createAudited(): { readonly found: string[]; readonly reviews: AuditedReviews } {
  const found: string[] = []
  return { found, reviews: new AuditedReviews((_, detail) => found.push(detail), 100) }
}

function line(seq: number, payload: object): Line {
  const place = { id: '', leaf: seq, trajectory: 'main', seq, at: '', authoritySeq: 0 }
  return { ...place, kind: 'evidence', dfid: DFID, payload }
}

const flag = { source: 'soft_guard', finding: 'mismatch', strict: false, by: 'g', step_id: 's' }
const review = (flags: number) => ({ source: 'review', details: { by: 'olga', flags } })

test('a flag that is gone though nobody looked, or that was not shown, is found', () => {
  const { found, reviews } = createAudited()
  const flows = new Map([[DFID, { tags: [] as string[] }]])
  reviews.add(line(1, flag))
  reviews.finish(flows, new Map())
  assert.match(found.pop() ?? '', /flag 1 of f, and it is gone/)
  assert.equal(reviews.findShown(DFID), 1)
  reviews.add(line(2, flag))
  reviews.add(line(3, review(2)))
  reviews.auditSaid({ dfid: DFID, by: 'olga', shown: 2 })
  reviews.finish(flows, new Map())
  assert.deepEqual(found, [])
  reviews.auditSaid({ dfid: DFID, by: 'olga', shown: 1 })
  assert.match(found.pop() ?? '', /was shown 1 of f, and cleared 2/)
  reviews.auditSaid({ dfid: DFID, by: 'otto', shown: 2 })
  assert.match(found.pop() ?? '', /by otto stands nowhere/)
  reviews.add(line(4, review(1)))
  assert.match(found.pop() ?? '', /clears 1 flags of 0/)
})

test('a second finding about a step is found', () => {
  const { found, reviews } = createAudited()
  const finding = { source: 'auditor', finding: 'aligned', by: 'reader', step_id: 's' }
  reviews.add(line(1, finding))
  reviews.add(line(2, { ...finding, step_id: 't' }))
  assert.deepEqual(found, [])
  reviews.add(line(3, finding))
  assert.match(found.pop() ?? '', /second finding by reader of f:s/)
})

test('what is asked and not counted, and what is counted beyond a budget or a share, is found', () => {
  const { found, reviews } = createAudited()
  const id = 'advice auditor reader 60 1'
  const count = (tokens: number, share = 0) =>
    new Map([
      [`${id} tokens`, tokens],
      [`${id} of bot tokens`, share],
    ])
  const asked = { adviser: 'auditor', event: 'asked', tokens: 30 } as const
  reviews.auditAdvice(asked, count(30, 25))
  assert.deepEqual(found, [])
  reviews.auditAdvice(asked, count(59))
  assert.match(found.pop() ?? '', /counts 59 of at least 60/)
  reviews.auditAdvice({ ...asked, event: 'counted', asked: 30, tokens: 2 }, count(0))
  reviews.finish(new Map(), count(32))
  assert.deepEqual(found, [])
  reviews.finish(new Map(), count(101, 26))
  assert.deepEqual(found, ['auditor has spent 101', `${id} of bot tokens is 26`])
})
