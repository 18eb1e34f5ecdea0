import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address } from '../canonical/address.ts'
import { findLinkProblems, isAuthorityKind } from './chain.ts'
import { ENTRY_KINDS, type Envelope, type Head } from './entry.ts'

const ID: Address = `sha256:${'11'.repeat(32)}`
const OTHER: Address = `sha256:${'22'.repeat(32)}`
const head: Head = { seq: 4, id: ID, at: '2026-02-01T09:00:00.000Z' }
const next: Envelope = {
  v: 2,
  tenant: 'acme',
  trajectory: 'main',
  seq: 5,
  parent: ID,
  kind: 'commit',
  at: '2026-02-01T09:00:00.000Z',
  payload_hash: OTHER,
}
const first: Envelope = { ...next, seq: 0, parent: null, kind: 'root' }

function codes(envelope: Envelope, from: Head | undefined, fork: Address | null = null): string[] {
  return findLinkProblems(envelope, from, fork).map(({ code }) => code)
}

test('an entry follows the head of its trajectory, at the same moment or later', () => {
  assert.deepEqual(codes(next, head), [])
  assert.deepEqual(codes({ ...next, at: '2026-02-01T08:59:59.999Z' }, head), ['ENTRY_SEQUENCE'])
})

test('a gap, a repeat and another parent are each found', () => {
  assert.deepEqual(codes({ ...next, seq: 6 }, head), ['ENTRY_SEQUENCE'])
  assert.deepEqual(codes({ ...next, seq: 4 }, head), ['ENTRY_SEQUENCE'])
  assert.deepEqual(codes({ ...next, parent: OTHER }, head), ['ENTRY_PARENT'])
  assert.deepEqual(codes({ ...next, parent: null }, head), ['ENTRY_PARENT'])
  assert.deepEqual(codes(next, undefined), ['ENTRY_SEQUENCE', 'ENTRY_PARENT'])
})

test('a trajectory begins with a root without a parent', () => {
  assert.deepEqual(codes(first, undefined), [])
  assert.deepEqual(codes({ ...first, parent: OTHER }, undefined), ['ENTRY_PARENT'])
  assert.deepEqual(codes({ ...first, kind: 'commit' }, undefined), ['ENTRY_SEQUENCE'])
  assert.deepEqual(codes({ ...first, kind: 'root', seq: 5, parent: ID }, head), ['ENTRY_SEQUENCE'])
})

test('what is wrong with a parent is said as it is', () => {
  const said = (envelope: Envelope, from?: Head): readonly string[] =>
    findLinkProblems(envelope, from, null).map(({ detail }) => detail)
  assert.deepEqual(said({ ...first, parent: OTHER }), ['a first entry has a parent'])
  assert.deepEqual(said({ ...next, parent: OTHER }, head), ['parent is not the entry before it'])
})

test('a branch names the entry that it forks from, and authority has none', () => {
  const branch: Envelope = { ...first, kind: 'branch', parent: ID }
  assert.deepEqual(codes(branch, undefined, ID), [])
  assert.deepEqual(codes(branch, undefined, OTHER), ['ENTRY_PARENT'])
  assert.deepEqual(codes(branch, undefined, null), ['ENTRY_PARENT'])
  assert.deepEqual(codes({ ...branch, trajectory: 'authority' }, undefined, ID), ['ENTRY_SEQUENCE'])
})

test('each kind stands in authority or outside it, never in both', () => {
  for (const kind of ENTRY_KINDS) {
    if (kind === 'root' || kind === 'branch') continue
    const inside = codes({ ...next, kind, trajectory: 'authority' }, head)
    const outside = codes({ ...next, kind, trajectory: kind === 'erasure' ? kind : 'main' }, head)
    assert.deepEqual([...inside, ...outside], ['ENTRY_SEQUENCE'], kind)
  }
})

test('erasures have a trajectory of their own, and events stand in main', () => {
  const stand = (kind: Envelope['kind'], trajectory: string): string[] =>
    codes({ ...next, kind, trajectory }, head)
  for (const kind of ENTRY_KINDS) {
    if (kind === 'root' || kind === 'branch') continue
    assert.deepEqual(stand(kind, 'erasure'), kind === 'erasure' ? [] : ['ENTRY_SEQUENCE'], kind)
  }
  assert.deepEqual(stand('erasure', 'main'), ['ENTRY_SEQUENCE'])
  assert.deepEqual(stand('event', 'main'), [])
  assert.deepEqual(stand('event', 'what-if'), ['ENTRY_SEQUENCE'])
  const branch: Envelope = { ...first, kind: 'branch', parent: ID, trajectory: 'erasure' }
  assert.deepEqual(codes(branch, undefined, ID), ['ENTRY_SEQUENCE'])
})

test('keys, contracts, lifecycle, revocations, policies, anchors, sources and persons are authority', () => {
  assert.deepEqual(ENTRY_KINDS.filter(isAuthorityKind).sort(), [
    'anchor',
    'contract',
    'key',
    'lifecycle',
    'person',
    'policy',
    'revocation',
    'source',
  ])
})
