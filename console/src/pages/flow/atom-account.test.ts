import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, Trace } from 'rubicon-kernel'
import { type AtomUse, listAtoms } from './atom-account.ts'
import type { Attempt, FlowEntry } from './story-parts.ts'

const ATOM = {
  atom_id: 'sha256:a',
  policy_kinds: ['BUY'],
  covers: ['signature', 'scope', 'capability'],
  issued_at: '2026-02-01T00:00:00.000Z',
  expires_at: '2026-02-01T00:01:00.000Z',
  reserved_cost: { calls: '1' },
  rules_hash: 'r1',
  authority_seq: 7,
  snapshot_id: 's1',
  mission_context_hash: 'm1',
  capability_hashes: { BUY: 't1' },
  grammar_hash: null,
}
const FACTS = {
  rules_hash: 'r1',
  authority_seq: 7,
  flow: { snapshot_id: 's1' },
  contract: { mission_hash: 'm1' },
  capability: { hash: 't1' },
}

const ENTRY: FlowEntry = {
  trajectory: 'main',
  seq: 1,
  leaf: 1,
  id: 'sha256:e',
  kind: 'evidence',
  at: '2026-02-01T00:00:00.000Z',
  payload: { source: 'kernel', finding: 'atom', atom: ATOM },
}

function attemptOf(trace: Trace, facts: object = {}, atom_id = 'sha256:a'): Attempt {
  return {
    kind: 'attempt',
    entry: ENTRY,
    attempt: 1,
    outcome: 'accepted',
    code: null,
    stage: null,
    trace,
    proposal: { policy_kind: 'BUY', atom_id },
    facts: { ...FACTS, ...facts } as JsonObject,
    why: [],
    lifted: null,
  }
}

function useOf(attempt: Attempt): AtomUse {
  const [atom] = listAtoms([ENTRY], [attempt])
  return atom?.uses[0] ?? assert.fail('it was named')
}

const pass = (stage: Trace[number]['stage'], covered?: true): Trace[number] => {
  return { stage, said: 'pass', read: [], ...(covered === undefined ? {} : { covered }) }
}
const saysOf = ({ checks }: AtomUse): string => checks.map(({ said }) => said).join(', ')

test('what an atom covered was not asked again', () => {
  const trace = [
    pass('atom'),
    pass('signature', true),
    pass('scope', true),
    pass('capability', true),
  ]
  assert.equal(saysOf(useOf(attemptOf(trace))), 'settled, settled, settled')
})

test('what was asked again names everything that has changed since', () => {
  const trace = [pass('atom'), pass('signature'), pass('scope'), pass('capability')]
  const { checks } = useOf(attemptOf(trace, { authority_seq: 8, rules_hash: 'r2' }))
  for (const { said, because } of checks) {
    assert.equal(said, 'asked again')
    assert.deepEqual(because, ['other rules are in force', 'authority was changed since'])
  }
  const moved = useOf(attemptOf(trace, { flow: { snapshot_id: 's2' } }))
  assert.deepEqual(moved.checks[0]?.because, ['the flow was shown something newer'])
  const tool = useOf(attemptOf(trace, { capability: { hash: 't2' } }))
  assert.deepEqual(tool.checks[0]?.because, ['the tool is another'])
})

test('an atom that was refused has its code, and settled nothing', () => {
  const refusals = [{ code: 'ATOM_EXPIRED', details: {} }] as const
  const use = useOf(attemptOf([{ stage: 'atom', said: 'reject', read: [], refusals }]))
  assert.equal(use.code, 'ATOM_EXPIRED')
  assert.equal(saysOf(use), 'not reached, not reached, not reached')
})

test('an atom that nobody named is shown without uses, and other evidence is no atom', () => {
  const other = { ...ENTRY, payload: { finding: 'applied' } }
  const [atom, none] = listAtoms([ENTRY, other], [attemptOf([], {}, 'sha256:b')])
  assert.deepEqual(atom?.uses, [])
  assert.equal(none, undefined)
  assert.deepEqual(atom?.reserved, [['calls', '1']])
  assert.ok(atom?.grounds.every(([name]) => name !== 'grammar'))
})
