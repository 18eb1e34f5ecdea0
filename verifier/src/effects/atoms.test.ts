import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AcceptedPayload,
  type Address,
  type AtomBody,
  buildAtom,
  type Contract,
  type JsonObject,
  type SignedAtom,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { createAtoms, type Issued } from './atoms.ts'
import { foldAtom } from './fold-atom.ts'
import type { FoldState } from './fold-state.ts'

const { sha256 } = nodeCrypto
const DFID = '0195555c-0000-7000-8000-000000000001'
const AT = '2026-03-02T10:00:00.000Z'
const toAddress = (digit: string): Address => `sha256:${digit.repeat(64)}`

const BODY: AtomBody = {
  dfid: DFID,
  agent_id: 'trader',
  nonce: 'n',
  policy_kinds: ['BUY'],
  contract_hash: toAddress('1'),
  capability_hashes: { BUY: toAddress('2') },
  writ_id: toAddress('3'),
  grammar_hash: null,
  snapshot_id: 'snapshot',
  mission_context_hash: toAddress('4'),
  rules_hash: toAddress('5'),
  authority_seq: 7,
  reserved_cost: { calls: '1' },
  covers: ['signature', 'scope', 'capability'],
  issued_at: AT,
  expires_at: '2026-03-02T10:01:00.000Z',
}

function issue(change: Partial<AtomBody> = {}): SignedAtom {
  const atom = buildAtom({ ...BODY, ...change }, sha256)
  return { ...atom, kernel_signature: { key_id: 'kernel', sig: 'AAAA' } }
}

const contract = {
  permissions: { policy_kinds: ['BUY', 'SELL'], forbidden_kinds: ['SELL'] },
} as unknown as Contract
const flow = {
  trajectory: 'main',
  agent: 'trader',
  contract: toAddress('1'),
  writ: toAddress('3'),
  isOneStep: false,
  event: null,
  topic: null,
}
const ISSUED: Issued = { dfid: DFID, at: AT, seq: 7, flow, contract }

/** A decision under an atom that is in order, but for what is said. */
function decide(
  atom: SignedAtom,
  change: {
    intent?: JsonObject
    facts?: JsonObject
    proposal?: JsonObject
    covered?: boolean
  } = {},
): AcceptedPayload {
  const { covered = true } = change
  return {
    intent: {
      atom_id: atom.atom_id,
      dfid: DFID,
      agent_id: 'trader',
      contract_hash: toAddress('1'),
      writ_id: toAddress('3'),
      policy_kind: 'BUY',
      capability_hash: toAddress('2'),
      rules_hash: toAddress('5'),
      snapshot_id: 'snapshot',
      staged_at: '2026-03-02T10:00:30.000Z',
      ...change.intent,
    },
    proposal: { atom_id: atom.atom_id, ...change.proposal },
    facts: { atom: { atom }, authority_seq: 7, ...change.facts },
    trace: [{ stage: 'scope', ...(covered ? { covered: true } : {}) }],
  } as unknown as AcceptedPayload
}

function judge(atom: SignedAtom, payload: AcceptedPayload): readonly string[] {
  const atoms = createAtoms(sha256)
  assert.deepEqual(atoms.issue(atom, ISSUED), [])
  return atoms.use(payload)
}

test('an atom is used once, in its time, for the decision that it was issued for', () => {
  const atom = issue()
  const atoms = createAtoms(sha256)
  assert.deepEqual(atoms.issue(atom, ISSUED), [])
  assert.deepEqual(atoms.use(decide(atom)), [])
  assert.deepEqual(atoms.use(decide(atom)), ['its atom was used before'])
  assert.deepEqual(createAtoms(sha256).use(decide(atom)), [
    'its atom was never issued, or had ended',
  ])
  for (const staged_at of [atom.expires_at, '2026-03-02T09:59:59.999Z'])
    assert.deepEqual(judge(atom, decide(atom, { intent: { staged_at } })), [
      'it was decided outside of the time of its atom',
    ])
  const others: readonly JsonObject[] = [
    { agent_id: 'somebody' },
    { contract_hash: toAddress('9') },
    { writ_id: toAddress('9') },
    { policy_kind: 'SELL' },
  ]
  for (const intent of others)
    assert.match(judge(atom, decide(atom, { intent, covered: false }))[0] ?? '', /another decision/)
})

test('what was decided names the atom that was proposed and judged on', () => {
  const atom = issue()
  const other = issue({ nonce: 'm' })
  assert.deepEqual(judge(atom, decide(atom, { proposal: { atom_id: other.atom_id } })), [
    'it names another atom than its proposal',
  ])
  assert.deepEqual(
    judge(atom, decide(atom, { facts: { atom: { atom: other } } as unknown as JsonObject })),
    ['it was judged on another atom'],
  )
  const wider = { ...atom, authority_seq: 8 }
  assert.deepEqual(
    judge(atom, decide(atom, { facts: { atom: { atom: wider } } as unknown as JsonObject })),
    ['it was judged on another atom'],
  )
  const approved = decide(atom, { intent: { approval: {} }, covered: false })
  const { atom_id: _, ...intent } = approved.intent
  assert.deepEqual(judge(atom, { ...approved, intent } as AcceptedPayload), [])
})

test('a stage is covered by an atom that was issued on what stands, and by no other', () => {
  const atom = issue()
  const said = ['a stage of it is covered by an atom that was issued on something else']
  assert.deepEqual(judge(atom, decide(atom, { facts: { authority_seq: 8 } })), said)
  for (const intent of [
    { rules_hash: toAddress('9') },
    { snapshot_id: 'another' },
    { capability_hash: toAddress('9') },
  ]) {
    assert.deepEqual(judge(atom, decide(atom, { intent })), said)
    assert.deepEqual(judge(atom, decide(atom, { intent, covered: false })), [])
  }
  const bare = issue({ covers: ['signature'] })
  assert.deepEqual(judge(bare, decide(bare)), said)
})

test('an atom is issued in its flow, inside its contract, on authority that is there, for a minute', () => {
  const cases: readonly (readonly [Partial<AtomBody>, Partial<Issued>, string])[] = [
    [{}, { dfid: 'another' }, 'it is an atom of another flow'],
    [{ agent_id: 'x' }, {}, 'its agent, contract or writ is not that of its flow'],
    [{ contract_hash: toAddress('9') }, {}, 'its agent, contract or writ is not that of its flow'],
    [{ writ_id: toAddress('9') }, {}, 'its agent, contract or writ is not that of its flow'],
    [{ policy_kinds: ['BUY', 'PAY'] }, {}, 'it is for kinds that its contract does not grant'],
    [{ policy_kinds: ['SELL'] }, {}, 'it is for kinds that its contract does not grant'],
    [{ policy_kinds: [] }, {}, 'it is for kinds that its contract does not grant'],
    [{ expires_at: '2026-03-02T10:01:00.001Z' }, {}, 'it lasts for longer than atoms do'],
    [{ expires_at: AT }, {}, 'it lasts for longer than atoms do'],
    [{}, { at: '2026-03-02T09:59:59.999Z' }, 'it was issued after it was written'],
    [{}, { seq: 6 }, 'it was issued on authority that was not there'],
  ]
  for (const [change, issued, said] of cases)
    assert.deepEqual(createAtoms(sha256).issue(issue(change), { ...ISSUED, ...issued }), [said])
  const atoms = createAtoms(sha256)
  atoms.issue(issue(), ISSUED)
  assert.deepEqual(atoms.issue(issue(), ISSUED), ['it was issued before'])
})

test('an atom counts from the moment of its issue to the last one before its end, and may last for a millisecond', () => {
  const atom = issue()
  for (const staged_at of [AT, '2026-03-02T10:00:59.999Z'])
    assert.deepEqual(judge(atom, decide(atom, { intent: { staged_at } })), [])
  const short = issue({ expires_at: '2026-03-02T10:00:00.001Z' })
  assert.deepEqual(createAtoms(sha256).issue(short, ISSUED), [])
})

test('a stage is covered by no atom where none is named, and nothing is where there is no trace', () => {
  const atom = issue()
  const { intent, proposal: _, ...rest } = decide(atom)
  const { atom_id: __, ...bare } = intent
  const use = (payload: AcceptedPayload): readonly string[] => createAtoms(sha256).use(payload)
  const none = { ...rest, intent: bare, proposal: {} }
  assert.deepEqual(use(none), ['a stage of it is covered by no atom'])
  assert.deepEqual(use({ ...none, trace: [] }), [])
  const untold: Partial<AcceptedPayload> = { ...none }
  delete (untold as { trace?: unknown }).trace
  assert.deepEqual(use(untold as AcceptedPayload), [])
})

test('what shows no atom among its facts was not judged on one', () => {
  const atom = issue()
  const { facts, ...rest } = decide(atom, { covered: false })
  const { atom: _, ...others } = facts ?? assert.fail('it was judged on facts')
  assert.deepEqual(judge(atom, { ...rest, facts: others }), ['it was judged on another atom'])
  assert.deepEqual(judge(atom, rest as AcceptedPayload), ['it was judged on another atom'])
  const covered = decide(atom)
  delete (covered as { facts?: unknown }).facts
  assert.deepEqual(judge(atom, covered), [
    'it was judged on another atom',
    'a stage of it is covered by an atom that was issued on something else',
  ])
})

test('what is wrong with an atom is said also of one that was issued before', () => {
  const atoms = createAtoms(sha256)
  const atom = issue({ dfid: 'another' })
  assert.deepEqual(atoms.issue(atom, ISSUED), ['it is an atom of another flow'])
  assert.deepEqual(atoms.issue(atom, ISSUED), [
    'it is an atom of another flow',
    'it was issued before',
  ])
})

test('of many atoms those that have ended are forgotten, and no other', () => {
  const end = '2026-03-02T10:01:00.000Z'
  const useAfter = (many: number, at: string): readonly string[] => {
    const atoms = createAtoms(sha256)
    const old = issue()
    atoms.issue(old, ISSUED)
    for (let nth = 1; nth < many; nth += 1) atoms.issue(issue({ nonce: `n${nth}` }), ISSUED)
    const more = issue({ nonce: 'more', issued_at: at, expires_at: '2026-03-02T10:01:30.000Z' })
    assert.deepEqual(atoms.issue(more, { ...ISSUED, at }), [])
    return atoms.use(decide(old))
  }
  assert.deepEqual(useAfter(1_024, end), ['its atom was never issued, or had ended'])
  assert.deepEqual(useAfter(1_024, '2026-03-02T10:00:59.999Z'), [])
  assert.deepEqual(useAfter(1_023, end), [])
})

test('no atom is issued in a flow that has ended, unless nobody knows what was erased of it', () => {
  const tell = (
    ended: readonly string[],
    erased: readonly string[],
    seq = 7,
  ): readonly string[] => {
    const known = { get: (): undefined => undefined }
    const state = {
      ...{ authority: { flows: known, contracts: known }, atoms: createAtoms(sha256) },
      ...{ ended: new Set(ended), erased: new Set(erased) },
    } as unknown as FoldState
    const entry = { envelope: { dfid: DFID, at: AT } } as ReadEntry
    return foldAtom(state, entry, issue(), seq)
  }
  assert.deepEqual(tell([], []), [])
  assert.deepEqual(tell([DFID], []), ['its flow had ended'])
  assert.deepEqual(tell([DFID], [DFID]), [])
  assert.deepEqual(tell([], [DFID]), [])
  assert.deepEqual(tell([DFID], [], 6), [
    'it was issued on authority that was not there',
    'its flow had ended',
  ])
})
