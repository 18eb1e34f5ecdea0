import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { hashIdentity, hashIdentityCommitment } from './identity.ts'
import {
  applyPersonEntry,
  deriveInheritedPersons,
  findLinkedPerson,
  findRegisteredPerson,
  getIdentityName,
  isSamePerson,
  NO_PERSONS,
  NOBODY,
  type PersonBody,
  type Persons,
} from './person.ts'
import { findPersonNameProblem, isSameName, RESERVED_PREFIXES } from './person-name.ts'

const sha256 = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest())

const MAIL = { commitment: `sha256:${'1'.repeat(64)}` } as const
const KEY = { key_id: 'approver-1' }

function after(...bodies: readonly PersonBody[]): Persons {
  return bodies.reduce<Persons>((persons, body) => {
    const next = applyPersonEntry(persons, body)
    assert.ok(next.ok, next.ok ? '' : next.error)
    return next.value
  }, NO_PERSONS)
}

const ANN: PersonBody = { action: 'register', person_id: 'p_ann', identities: [MAIL] }
const BOB: PersonBody = { action: 'register', person_id: 'p_bob', identities: [] }

test('P1 an id is registered once, and an identity belongs to one person', () => {
  const persons = after(ANN, BOB)
  assert.equal(findLinkedPerson(persons, getIdentityName(MAIL)), 'p_ann')
  assert.equal(findLinkedPerson(persons, 'another'), undefined)
  const refused: readonly PersonBody[] = [
    ANN,
    { ...BOB, person_id: 'bob', action: 'register', identities: [] },
    { action: 'register', person_id: 'p_new', identities: [MAIL] },
    { action: 'register', person_id: 'p_new', identities: [KEY, KEY] },
    { action: 'link', person_id: 'p_bob', identity: MAIL },
    { action: 'link', person_id: 'p_none', identity: KEY },
    { action: 'unlink', person_id: 'p_bob', identity: MAIL },
    { action: 'unlink', person_id: 'p_ann', identity: KEY },
  ]
  for (const body of refused) assert.equal(applyPersonEntry(persons, body).ok, false, body.action)
})

test('what was unlinked is nobody\u2019s, and may become another\u2019s', () => {
  const unlink: PersonBody = { action: 'unlink', person_id: 'p_ann', identity: MAIL }
  const persons = after(ANN, BOB, unlink)
  assert.equal(findLinkedPerson(persons, getIdentityName(MAIL)), undefined)
  const moved = after(ANN, BOB, unlink, { ...unlink, action: 'link', person_id: 'p_bob' })
  assert.equal(findLinkedPerson(moved, getIdentityName(MAIL)), 'p_bob')
})

test('P2 merged ids count as one, also what is merged further on, and nobody is merged with nobody', () => {
  const cyd: PersonBody = { action: 'register', person_id: 'p_cyd', identities: [KEY] }
  const merge = (person_id: string, into: string): PersonBody => {
    return { action: 'merge', person_id, into }
  }
  const persons = after(ANN, BOB, cyd, merge('p_cyd', 'p_bob'), merge('p_bob', 'p_ann'))
  assert.equal(findRegisteredPerson(persons, 'p_cyd'), 'p_ann')
  assert.equal(findLinkedPerson(persons, KEY.key_id), 'p_ann')
  assert.equal(isSamePerson(persons, 'p_bob', 'p_cyd'), true)
  assert.equal(isSamePerson(persons, NOBODY, NOBODY), false, 'two that are nobody are not the same')
  for (const body of [merge('p_bob', 'p_cyd'), merge('p_ann', 'p_x'), merge('p_x', 'p_ann')])
    assert.equal(applyPersonEntry(persons, body).ok, false)
})

test('an instance has the persons of its class; a name that the class had not is nobody', () => {
  const naming = (...of: readonly string[]): Parameters<typeof deriveInheritedPersons>[1] => {
    return { safety_rules: { approvers: { of } } }
  }
  const ofClass = { owner: 'p_jane', approvers: ['p_ann', 'p_bob'], deployer: 'p_olga' }
  const child = deriveInheritedPersons(ofClass, naming('ann', 'bob'), naming('bob', 'eve'))
  assert.deepEqual(child, { ...ofClass, approvers: ['p_bob', NOBODY] })
  const none = deriveInheritedPersons(ofClass, { safety_rules: {} }, { safety_rules: {} })
  assert.deepEqual(none, { ...ofClass, approvers: [] })
})

test('names that others have are nobody\u2019s, in any spelling', () => {
  for (const prefix of RESERVED_PREFIXES) {
    assert.ok(findPersonNameProblem(`${prefix}x`) !== undefined, prefix)
    assert.ok(findPersonNameProblem(`${prefix.toUpperCase()}x`) !== undefined, prefix)
  }
  for (const name of [
    '',
    ' ',
    ' agent:x',
    'p_ann',
    ' runtime ',
    'runtime',
    'Kernel',
    'x'.repeat(LIMITS.personNameLength + 1),
    'ann\u200b@example.com',
    'ann@example.com\u{e0041}',
    'ann\n@example.com',
    'ann\u3164',
  ])
    assert.ok(findPersonNameProblem(name) !== undefined, name)
  for (const name of [
    'ann@example.com',
    'operator',
    'agent',
    'pat',
    'runtime-team',
    'Émile Zola',
    '李雷',
    'x'.repeat(LIMITS.personNameLength),
  ])
    assert.equal(findPersonNameProblem(name), undefined, name)
  assert.equal(isSameName('Ann', ' aNN '), true)
  assert.equal(isSameName('ann', 'anna'), false)
})

test('an identity is found by what it is, and committed to so that nobody can guess it', () => {
  const ann = { kind: 'name', name: 'Ann@Example.com' } as const
  const same = { kind: 'name', name: ' ann@example.com ' } as const
  assert.equal(hashIdentity(ann, sha256), hashIdentity(same, sha256))
  assert.equal(hashIdentityCommitment(ann, 's', sha256), hashIdentityCommitment(same, 's', sha256))
  assert.notEqual(
    hashIdentityCommitment(ann, 's', sha256),
    hashIdentityCommitment(ann, 't', sha256),
  )
  const login = { kind: 'oidc', issuer: 'https://a.example', sub: '7' } as const
  const other = { ...login, issuer: 'https://b.example' }
  assert.notEqual(hashIdentity(login, sha256), hashIdentity(other, sha256))
})
