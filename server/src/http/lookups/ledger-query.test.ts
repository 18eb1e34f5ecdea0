import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { parseLedgerQuery } from './ledger-query.ts'

function filterOf(text: string): object {
  const parsed = parseLedgerQuery(text)
  assert.ok(parsed.ok, text)
  return parsed.value
}

const DFID = '019c0000-0000-7000-8000-000000000000'

test('every sort of term is read for what it is', () => {
  const id = `sha256:${'0123456789abcdef'.repeat(4)}`
  assert.deepEqual(filterOf(''), { facts: {} })
  assert.deepEqual(filterOf(' 4711 '), { leaf: 4711, facts: {} })
  assert.deepEqual(filterOf('#0'), { leaf: 0, facts: {} })
  assert.deepEqual(filterOf(id), { digits: id.slice(7), facts: {} })
  assert.deepEqual(filterOf(id.slice(0, 15)), { digits: '01234567', facts: {} })
  assert.deepEqual(filterOf('main/12'), { place: { trajectory: 'main', seq: 12 }, facts: {} })
  assert.deepEqual(filterOf(DFID), { dfid: [DFID], facts: {} })
  assert.deepEqual(filterOf('rejection'), { facts: { kind: ['rejection'] } })
  assert.deepEqual(filterOf('LIMIT_EXCEEDED'), { facts: { code: ['LIMIT_EXCEEDED'] } })
  assert.deepEqual(filterOf('agent:refunds_bot'), { facts: { agent_id: ['refunds_bot'] } })
  assert.deepEqual(filterOf('trajectory:main'), { facts: { trajectory: ['main'] } })
})

test('terms of one sort are alternatives, of several sorts all count', () => {
  assert.deepEqual(filterOf('kind:commit kind:settle agent:a code:OWN_CODE main/3'), {
    place: { trajectory: 'main', seq: 3 },
    facts: { kind: ['commit', 'settle'], agent_id: ['a'], code: ['OWN_CODE'] },
  })
})

test('what is none of them is named, with how it is written', () => {
  const strange = ['sha256:0123456', 'hello', 'agent:', 'AGENT:x', 'main/', 'main/-1', '<b>', '-1']
  for (const text of [...strange, '1 2', `${DFID} sha256:01234567 3`, '01', 'commit/']) {
    const parsed = parseLedgerQuery(text)
    assert.equal(!parsed.ok && parsed.error.code, 'QUERY_UNREADABLE', text)
    assert.match((!parsed.ok && parsed.error.fix) || '', /^write a leaf/)
  }
})

test('a search has so many terms and no more', () => {
  const terms = Array.from({ length: LIMITS.queryTerms }, (_, i) => `agent:a${i}`)
  assert.ok(parseLedgerQuery(terms.join(' ')).ok)
  assert.ok(!parseLedgerQuery([...terms, 'agent:b'].join(' ')).ok)
})
