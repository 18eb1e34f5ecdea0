import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract, JsonObject, SignedAtom } from 'rubicon-kernel'
import { AskedClasses } from './asked-class.ts'
import { AuditedAtoms } from './atoms.ts'
import { computeAddress, toCanonicalJson } from './bytes.ts'
import type { Line } from './report.ts'

const START = Date.parse('2026-11-01T12:00:00.000Z')
const at = (ms: number): string => new Date(START + ms).toISOString()
const PERMISSIONS: Partial<Contract['permissions']> = { policy_kinds: ['PAY', 'ORDER'] }
const CONTRACT: Partial<Contract> = { permissions: PERMISSIONS as Contract['permissions'] }

type Watch = {
  readonly atoms: AuditedAtoms
  readonly found: string[]
  /** What the second reading of the law says. */
  says: string | null
  add(kind: string, payload: JsonObject, place?: Partial<Line>): void
  issue(change?: JsonObject, place?: Partial<Line>): SignedAtom & JsonObject
  use(atom: SignedAtom | null, change?: Use): void
}

type Use = {
  readonly intent?: JsonObject
  readonly covered?: boolean
  readonly seq?: number
  readonly at?: string
}

/** The flow `f` of an agent, under the third entry of authority. */
function watch(): Watch {
  const found: string[] = []
  const classes = new AskedClasses()
  const atoms = new AuditedAtoms((_, detail) => void found.push(detail.replace(/^.*?: /, '')), {
    classes,
    findContract: (hash) => (hash === 'contract' ? (CONTRACT as Contract) : undefined),
    verify: (_key, _message, signature) => Buffer.from(signature).toString() === 'good',
    ask: () => it.says,
  })
  const it: Watch = {
    atoms,
    found,
    says: null,
    add(kind, payload, place = {}) {
      const line = {
        id: '',
        leaf: 0,
        trajectory: 'main',
        seq: 1,
        kind,
        at: at(0),
        dfid: 'f',
        authoritySeq: undefined,
        payload,
        ...place,
      }
      classes.add(line)
      atoms.add(line)
    },
    issue(change = {}, place = {}) {
      const body = {
        dfid: 'f',
        agent_id: 'a',
        nonce: `${found.length} ${JSON.stringify(change)}`,
        policy_kinds: ['ORDER', 'PAY'],
        contract_hash: 'contract',
        capability_hashes: { PAY: 'pay', ORDER: 'order' },
        writ_id: 'writ',
        snapshot_id: 'seen',
        rules_hash: 'rules',
        authority_seq: 3,
        issued_at: at(0),
        expires_at: at(60_000),
        ...change,
      }
      const { kernel_signature, atom_id, ...addressed } = body as JsonObject
      const atom: JsonObject = {
        kernel_signature: kernel_signature ?? { key_id: 'kernel', sig: toBase64('good') },
        atom_id: atom_id ?? computeAddress('atom', toCanonicalJson(addressed)),
        ...addressed,
      }
      it.add('evidence', { source: 'kernel', finding: 'atom', atom }, place)
      return atom as SignedAtom & JsonObject
    },
    use(atom, { intent: change = {}, covered = false, seq = 3, at: when = at(1) } = {}) {
      const intent = {
        intent_id: 'i',
        step_id: 's',
        dfid: 'f',
        agent_id: 'a',
        policy_kind: 'PAY',
        contract_hash: 'contract',
        writ_id: 'writ',
        capability_hash: 'pay',
        rules_hash: 'rules',
        snapshot_id: 'seen',
        ...(atom === null ? {} : { atom_id: atom.atom_id }),
        ...change,
      }
      const proposal = atom === null ? {} : { atom_id: atom.atom_id }
      const facts = { authority_seq: seq, flow: {} }
      const trace = [{ stage: 'scope', said: 'pass', ...(covered ? { covered: true } : {}) }]
      it.add('dispatch', { intent, proposal, facts, trace }, { at: when })
    },
  }
  const authority = { trajectory: 'authority' } as const
  const rules = { topologies: [{ topology: 'SDS', agents: ['a'] }] }
  it.add('policy', { body: { rules_hash: 'rules', rules } }, { ...authority, seq: 1 })
  const key = { action: 'add', key_id: 'kernel', purpose: 'kernel', public_key: '' }
  it.add('key', { body: key }, { ...authority, seq: 3 })
  it.add('writ', {
    writ: { id: 'writ' },
    flow: { dfid: 'f', agent_id: 'a', contract: { hash: 'contract' } },
  })
  return it
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

test('an atom is used once, by an intent that it was issued for, before its end', () => {
  const it = watch()
  const atom = it.issue()
  it.atoms.auditGiven(atom)
  it.use(atom, { covered: true })
  assert.deepEqual(it.found, [])
  it.use(atom, { intent: { intent_id: 'another' } })
  assert.deepEqual(it.found.splice(0), ['its atom was used before'])
  const other = it.issue({ nonce: 'other' })
  for (const change of [
    { dfid: 'g' },
    { agent_id: 'b' },
    { writ_id: 'w' },
    { policy_kind: 'WIRE' },
  ])
    it.use(other, { intent: change })
  assert.deepEqual(it.found.splice(0), Array(4).fill('its atom was issued for something else'))
  it.use(other, { at: at(60_000) })
  assert.deepEqual(it.found.splice(0), [`its atom ended at ${at(60_000)}`])
  it.use({ ...other, atom_id: 'sha256:none' })
  assert.deepEqual(it.found.splice(0), ['its atom was never issued'])
  it.use(other, { intent: { atom_id: atom.atom_id, intent_id: 'another' } })
  assert.deepEqual(it.found, ['its intent names another atom than its proposal'])
})

test('nobody has an atom that is not on the record, or is not what it should be there', () => {
  const it = watch()
  const atom = it.issue()
  it.atoms.auditGiven({ ...atom, atom_id: 'sha256:none' })
  assert.deepEqual(it.found.splice(0), ['an atom of f was given out, and is not on the record'])
  it.add('evidence', { atom })
  assert.deepEqual(it.found.splice(0), ['it was issued before'])
  const wrong: readonly (readonly [JsonObject, string])[] = [
    [{ atom_id: 'sha256:other' }, 'it is not its address'],
    [{ kernel_signature: { key_id: 'kernel', sig: 'AA==' } }, 'the kernel did not sign it'],
    [{ kernel_signature: { key_id: 'x', sig: toBase64('good') } }, 'the kernel did not sign it'],
    [{ agent_id: 'b' }, 'it is about another flow, agent, contract or writ'],
    [{ writ_id: 'w' }, 'it is about another flow, agent, contract or writ'],
    [{ authority_seq: 2 }, 'it stands on authority 2 of 3'],
    [{ expires_at: at(60_001) }, 'it does not last a minute'],
    [{ policy_kinds: ['PAY', 'WIRE'] }, 'its contract does not grant WIRE'],
  ]
  for (const [change, said] of wrong) {
    it.issue(change)
    assert.deepEqual(it.found.splice(0), [said])
  }
  it.issue({ policy_kinds: ['ESCALATE', 'PAY'] })
  assert.deepEqual(it.found, [])
})

test('what was not asked is true: nothing has changed since, and the law finds no fault', () => {
  const changed: readonly (readonly [Use, string])[] = [
    [{ intent: { rules_hash: 'others' } }, 'covered, and the rules are others'],
    [{ intent: { snapshot_id: 'other' } }, 'covered, and it was shown something else'],
    [{ intent: { capability_hash: 'other' } }, 'covered, and something else carries it out'],
    [{ seq: 2 }, 'covered by authority 3, and it is 3'],
  ]
  for (const [change, said] of changed) {
    const it = watch()
    it.use(it.issue(), { ...change, covered: true })
    assert.deepEqual(it.found, [said])
    const asked = watch()
    asked.use(asked.issue(), change)
    assert.deepEqual(asked.found, [], 'everything was asked')
  }
  const it = watch()
  const atom = it.issue()
  it.says = 'rejected RBAC_DENIED'
  it.use(atom, { covered: true })
  assert.deepEqual(it.found.splice(0), ['covered, and the law says rejected RBAC_DENIED'])
  it.says = null
  const moved = it.issue({ nonce: 'moved' })
  it.add('lifecycle', { body: {} }, { trajectory: 'authority', seq: 4 })
  it.use(moved, { covered: true, seq: 4 })
  assert.deepEqual(it.found, ['covered by authority 3, and it is 4'])
})

test('who has to decide under an atom does, but for what was approved; and in the end none holds anything', () => {
  const it = watch()
  it.use(null)
  it.use(null, { intent: { agent_id: 'b' } })
  it.use(null, { intent: { approval: { approver: 'ann' } } })
  it.use(null, { intent: { agent_id: 'b' }, covered: true })
  assert.deepEqual(it.found.splice(0), [
    'the rules ask for an atom, and it has none',
    'stages are covered, and by no atom',
  ])
  const used = it.issue()
  it.use(used)
  const stored = (atom: SignedAtom, ended: unknown) => ({ body: { atom, ended } })
  it.atoms.finish([stored(used, 'used'), stored(it.issue({ nonce: 'b' }), 'returned')])
  assert.deepEqual(it.found, [])
  it.atoms.finish([stored(used, 'returned'), stored(it.issue({ nonce: 'c' }), null)])
  assert.deepEqual(it.found, [
    'an atom of f was used, and counts as returned',
    'an atom of f still holds its cost',
  ])
})
