/** Every form of every payload is read, as it is and in each of its words, and nothing that is nearly one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import type { EntryKind } from '../ledger/entry.ts'
import { FORMS } from './forms.test-support.ts'
import { parsePayload } from './payload-shape.ts'

type Kind = keyof typeof FORMS
type Path = readonly (string | number)[]

const EVERY = Object.entries(FORMS).flatMap(([kind, forms]) =>
  forms.map((form, nth) => ({ kind: kind as Kind, form, nth })),
)

const isRead = (kind: EntryKind, form: JsonObject): boolean => parsePayload(kind, form).ok

/** With another value at the place; undefined: without it. */
function withAt(value: JsonValue, [name, ...rest]: Path, to: JsonValue | undefined): JsonValue {
  if (name === undefined) return to ?? null
  if (Array.isArray(value))
    return value.map((one: JsonValue, nth) => (nth === name ? withAt(one, rest, to) : one))
  assert.ok(isObject(value), String(name))
  const { [name]: member = null, ...others } = value
  if (rest.length === 0 && to === undefined) return others
  return { ...others, [name]: withAt(member, rest, to) }
}

/** Every place inside, those that hold others as well. */
function listPlaces(value: JsonValue, path: Path = []): readonly Path[] {
  const inner = Array.isArray(value)
    ? value.map((one: JsonValue, nth) => [nth, one] as const)
    : isObject(value)
      ? Object.entries(value)
      : []
  return inner.flatMap(([name, one]) => [[...path, name], ...listPlaces(one, [...path, name])])
}

function readAt(form: JsonValue, path: Path): JsonValue {
  return path.reduce<JsonValue>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)] ?? null
    return isObject(value) ? (value[name] ?? null) : null
  }, form)
}

function changeForm(form: JsonObject, path: Path, to: JsonValue | undefined): JsonObject {
  const changed = withAt(form, path, to)
  assert.ok(isObject(changed))
  return changed
}

test('each form of each kind is read whole', () => {
  for (const { kind, form, nth } of EVERY)
    assert.deepEqual(
      parsePayload(kind, form),
      { ok: true, value: { kind, payload: form } },
      `${kind} ${nth}`,
    )
})

/** What is covered by a hash of its own, or is for people: only the members that a check reads are looked at. */
const OPEN = ['contract', 'capability', 'rules', 'monitor', 'facts', 'request', 'trace', 'texts']

test('no form has a member more, wherever somebody could put one', () => {
  for (const { kind, form, nth } of EVERY)
    for (const path of [[], ...listPlaces(form)]) {
      const inner = readAt(form, path)
      const isOpen = path.some((name) => OPEN.includes(String(name)))
      if (!isObject(inner) || Object.keys(inner).length === 0 || isOpen) continue
      const more = changeForm(form, [...path, 'unheard_of'], 1)
      assert.equal(isRead(kind, more), false, `${kind} ${nth} ${path.join('/')}`)
    }
})

/** Of these anything may stand there. */
const ANY = ['proposal', 'receipt', 'value', 'instance_of', 'agent', 'maintenance']

test('no form has a member of another type, wherever somebody could put one', () => {
  for (const { kind, form, nth } of EVERY)
    for (const path of listPlaces(form)) {
      if (ANY.includes(String(path.at(-1)))) continue
      const other = typeof readAt(form, path) === 'string' ? 7 : 'x y'
      const changed = changeForm(form, path, other)
      assert.equal(isRead(kind, changed), false, `${kind} ${nth} ${path.join('/')}`)
    }
  const [spawned = {}] = FORMS.contract.slice(2)
  assert.ok(!isRead('contract', changeForm(spawned, ['body', 'contract', 'instance_of'], 7)))
  const [resend = {}] = FORMS.resend
  assert.ok(!isRead('resend', changeForm(resend, ['facts', 'agent', 'maintenance'], 'no')))
})

/** Each list of words, at one place of one form, and what may stand there. */
const WORDS: readonly (readonly [Kind, number, string, ...JsonValue[]])[] = [
  [
    'key',
    0,
    'body/purpose',
    'operator',
    'issuer',
    'agent',
    'approver',
    'kernel',
    'checkpoint',
    'witness',
  ],
  ['lifecycle', 0, 'body/from', null, 'INITIALIZING', 'ACTIVE', 'SUSPENDED', 'RETIRED'],
  ['lifecycle', 0, 'body/to', 'INITIALIZING', 'ACTIVE', 'SUSPENDED', 'RETIRED'],
  ['lifecycle', 0, 'body/actor', 'registry', 'runtime', 'operator', 'agent'],
  ['revocation', 0, 'body/target', 'writ', 'contract'],
  ['policy', 0, 'body/rules/topologies/0/topology', 'EOAM', 'SDS', 'DL_PCI'],
  ['policy', 0, 'body/rules/topics/0/arbitration/exclusive', 'event', 'resources'],
  ['source', 0, 'body/label', 'trusted', 'operator', 'external'],
  ['person', 1, 'body/action', 'link', 'unlink'],
  ['delegation', 0, 'opened_by/kind', 'session', 'runtime'],
  ['accepted', 0, 'filled/0', 'agent_id', 'context_ref', 'dfid', 'mission_context_hash'],
  ['accepted', 0, 'intent/on_failure', 'REVERT_STATE', 'ALERT_HUMAN'],
  ['accepted', 0, 'intent/approval/decision', 'OVERRIDE', 'MODIFY'],
  ['accepted', 0, 'intent/approval/impact', 'LOW_IMPACT', 'HIGH_IMPACT'],
  ['dispatch', 0, 'send', 1],
  ['dispatch', 1, 'send', 1],
  ['resend', 0, 'body/why', 'same_key', 'not_applied'],
  ['pending_approval', 1, 'request/impact', 'LOW_IMPACT', 'HIGH_IMPACT'],
  ['approval', 0, 'body/decision', 'OVERRIDE', 'MODIFY', 'ABORT', 'EXPIRED'],
  ['approval', 0, 'vouched_by', 'approver', 'operator', 'kernel'],
  ['approval', 0, 'self_approval', 'allowed'],
  ['commit', 0, 'settled_by', 'answer', 'probe', 'resend', 'person'],
  [
    'settle',
    0,
    'status',
    'MANUAL_REVIEW',
    'UNKNOWN',
    'NOT_APPLIED',
    'ACCEPTED',
    'DISPATCHED',
    'FAILED',
    'ABANDONED',
    'SUCCESS',
  ],
  ['event', 0, 'observations/0/label', 'trusted', 'operator', 'external', 'agent'],
  ['evidence', 0, 'source', 'probe', 'person'],
  ['evidence', 0, 'finding', 'applied', 'absent', 'inconclusive'],
  ['evidence', 4, 'finding', 'subscribed', 'denied'],
  ['evidence', 5, 'finding', 'aligned', 'mismatch'],
  ['evidence', 6, 'finding', 'aligned', 'drifted', 'no_opinion'],
  [
    'evidence',
    8,
    'status',
    'PARTIAL_SUCCESS_DIRTY',
    'COMPENSATING',
    'MANUAL_REVIEW',
    'COMPENSATED',
    'SETTLED',
  ],
  ['evidence', 9, 'details/statistic', 'mean', 'rate', 'ratio', 'streak', 'cusum', 'shift'],
  ['evidence', 9, 'details/bound', 'max', 'min', 'length', 'unreadable'],
  ['evidence', 12, 'stop', 'end', 'tools', 'length', 'filtered', 'other'],
  ['evidence', 15, 'adviser', 'soft_guard', 'auditor'],
  ['evidence', 15, 'opinion', 'aligned', 'mismatch', 'drifted', 'none'],
  ['evidence', 18, 'atom/covers/0', 'signature', 'scope', 'capability'],
]

const toPath = (at: string): Path =>
  at.split('/').map((name) => (/^\d+$/.test(name) ? Number(name) : name))

test('where a member is one of several words, each of them is read and no other', () => {
  for (const [kind, nth, at, ...words] of WORDS) {
    const form = FORMS[kind][nth]
    assert.ok(form !== undefined)
    const isReadWith = (word: JsonValue): boolean =>
      isRead(kind, changeForm(form, toPath(at), word))
    for (const word of words) assert.ok(isReadWith(word), `${kind} ${at} ${word}`)
    for (const word of ['otherwise', 7]) assert.ok(!isReadWith(word), `${kind} ${at} ${word}`)
  }
})

test('a writ is read with what is opened under it, and what is wrong with one is said', () => {
  const window = { not_before: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-02T00:00:00.000Z' }
  const body: JsonObject = {
    ...{ tenant: 't', issuer_key: 'k1', subject: 'bot', audience: 'rubicon', window },
    ...{ nonce: '019b76da-a800-7000-8000-000000000000', scopes: [{ kind: 'PAY' }], budget: {} },
    effect_ceiling: { read: true, write: true, external: false, irreversible: false },
    delegation: { max_depth: 0, may_delegate: false },
  }
  const id = `sha256:${'a'.repeat(64)}`
  const writ = { id, body, signature: { key_id: 'k1', sig: `${'A'.repeat(86)}==` } }
  const flow = {
    dfid: 'f1',
    agent_id: 'bot',
    contract: { hash: id },
    parent_dfid: 'f0',
    event_id: id,
  }
  const tell = (payload: JsonObject): string => {
    const read = parsePayload('writ', payload)
    return read.ok ? '' : read.error
  }
  assert.equal(tell({ salt: 's', writ }), '')
  assert.equal(tell({ salt: 's', writ, flow }), '')
  assert.match(
    tell({ salt: 's', writ: { ...writ, id: 'x', body: {} } }),
    /^payload `writ` is no writ: /,
  )
  const [first, second] = [
    { ...writ, id: 7 },
    { ...writ, body: 7 },
  ].map((one) => tell({ salt: 's', writ: one }))
  assert.equal(tell({ salt: 's', writ: { ...writ, id: 7, body: 7 } }), first)
  assert.notEqual(first, second)
  for (const bad of [
    { ...flow, dfid: 'a b' },
    { ...flow, contract: {} },
    { ...flow, event_id: 'x' },
  ])
    assert.match(tell({ salt: 's', writ, flow: bad }), /^payload `flow` /)
})

test('who proposed is known by a session, a signature or an approval, and by nothing else', () => {
  const [form = {}] = FORMS.accepted
  const isReadBy = (auth: JsonValue): boolean =>
    isRead('accepted', changeForm(form, ['facts', 'auth'], auth))
  const session = { kind: 'session', agent_id: 'bot', key: null }
  const approval = { kind: 'approval', request_id: 'r1', approver: 'joe' }
  const signature = { kind: 'signature', signature: { key_id: 'k1' } }
  for (const auth of [session, approval, signature, { ...approval, more: 1 }])
    assert.ok(isReadBy(auth))
  for (const auth of [
    null,
    'session',
    { ...session, kind: 'approval' },
    { ...approval, kind: 'session' },
    { kind: 'signature' },
    { ...session, kind: 'other' },
  ])
    assert.ok(!isReadBy(auth), JSON.stringify(auth))
})
