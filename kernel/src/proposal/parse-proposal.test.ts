import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { baseCase, DFID } from '../compile/case.test-support.ts'
import { LIMITS } from '../limits.ts'
import { parseProposal } from './parse-proposal.ts'
import type { PolicyProposal } from './proposal.ts'

const smallest: JsonObject = { dfid: DFID, agent_id: 'agent', policy_kind: 'BUY' }

function accepted(members: JsonObject): PolicyProposal {
  const parsed = parseProposal({ ...smallest, ...members })
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.value
}

function problemsOf(document: JsonValue): readonly [string, ...string[]] {
  const parsed = parseProposal(document)
  assert.ok(!parsed.ok)
  const { problems } = parsed.error.details
  assert.ok(Array.isArray(problems))
  return [parsed.error.code, ...problems.map((problem) => `${problem.member} ${problem.detail}`)]
}

/** Refused as a shape, and accepted on the other side of the boundary. */
function refused(name: string, value: JsonValue, code = 'SCHEMA_INVALID'): void {
  const [said, problem] = problemsOf({ ...smallest, [name]: value })
  assert.equal(said, code)
  assert.ok(problem?.startsWith(`${name} `), problem)
}

test('what a proposal says is kept as it is', () => {
  const said = accepted({ step_id: 'second', params: { a: 1 }, confidence: '0.50' })
  assert.deepEqual([said.step_id, said.params, said.confidence], ['second', { a: 1 }, '0.5'])
})

test('what a proposal leaves out has its default, in one place', () => {
  const proposal = accepted({})
  assert.equal(proposal.step_id, 'step-1')
  assert.deepEqual(proposal.params, {})
  assert.deepEqual(proposal.execution_constraints, {})
  assert.equal(proposal.confidence, '1')
  assert.equal(proposal.resources, undefined)
  assert.ok(Object.isFrozen(proposal))
})

test('a whole proposal parses to itself', () => {
  const { document, proposal } = baseCase()
  assert.deepEqual({ ...proposal }, document.value)
})

test('what is not an object is no proposal', () => {
  for (const document of [null, [], 'BUY', 1])
    assert.deepEqual(problemsOf(document), ['SCHEMA_INVALID', ' is not an object'])
})

test('unknown members are refused, and every problem is named at once', () => {
  assert.deepEqual(problemsOf({ approved: true, dfid: 'one' }), [
    'SCHEMA_INVALID',
    'approved is unknown',
    'dfid is not a lower-case UUID',
    'agent_id is missing',
    'policy_kind is missing',
  ])
})

test('a bad character in a name has its own code, unless something else is wrong too', () => {
  refused('agent_id', 'agеnt', 'ID_CHARSET')
  refused('step_id', '', 'ID_CHARSET')
  refused('policy_kind', 'a'.repeat(LIMITS.identifierLength + 1), 'ID_CHARSET')
  assert.equal(problemsOf({ ...smallest, step_id: 'a b', dfid: 'one' })[0], 'SCHEMA_INVALID')
  assert.equal(problemsOf({ ...smallest, step_id: 'a b', more: 1 })[0], 'SCHEMA_INVALID')
  refused('step_id', 1)
  accepted({ step_id: 'a'.repeat(LIMITS.identifierLength) })
})

test('confidence is a number between 0 and 1, kept as the shortest decimal', () => {
  for (const [given, kept] of [
    [0, '0'],
    [1, '1'],
    ['1.000', '1'],
    [0.85, '0.85'],
    ['0.50', '0.5'],
  ] as const)
    assert.equal(accepted({ confidence: given }).confidence, kept)
  for (const confidence of [1.0001, -0.1, '1.0001', 'sure', null, true])
    refused('confidence', confidence)
})

test('resources are a short list of ids and amounts', () => {
  const { resources } = accepted({ resources: [{ id: 'a', amount: 1.5 }] })
  assert.deepEqual(resources, [{ id: 'a', amount: '1.5' }])
  const many = Array.from({ length: LIMITS.resourcesPerProposal }, () => ({ id: 'a', amount: '1' }))
  accepted({ resources: many })
  refused('resources', [...many, { id: 'a', amount: '1' }])
  for (const item of [
    null,
    { id: 'a', amount: '1', more: 1 },
    { amount: '1' },
    { id: 'a b', amount: '1' },
    { id: 'a' },
    { id: 'a', amount: '-1' },
    { id: 'a', amount: 'much' },
  ])
    refused('resources', [item])
  refused('resources', {})
})

test('times, texts, maps and signatures have one form', () => {
  accepted({ valid_until: '2026-03-02' })
  refused('valid_until', '2026-03-02T10:00:00+01:00')
  refused('valid_until', 0)
  accepted({ justification: 'a'.repeat(LIMITS.justificationLength) })
  refused('justification', 'a'.repeat(LIMITS.justificationLength + 1))
  refused('justification', 1)
  refused('params', [])
  refused('execution_constraints', 'tight')
  accepted({ grounds: { '/account': 'accounts.settlement', '/to/0/a~1b': 'accounts.other' } })
  for (const key of ['account', 'to.account', '', '/to/*/account', '/a~2', '/__proto__'])
    refused('grounds', { [key]: 'accounts.settlement' })
  refused('grounds', { '/account': 1 })
  refused('grounds', 'accounts')
  const made = { context_ref: 'c', mission_context_hash: 'm' }
  accepted({ ...made, signature: { key_id: 'k', sig: 's' } })
  for (const signature of [
    { key_id: 'k' },
    { key_id: 1, sig: 's' },
    { key_id: 'k', sig: 1 },
    's',
    { key_id: 'k', sig: 's', more: 1 },
  ])
    assert.equal(
      problemsOf({ ...smallest, ...made, signature })[1],
      'signature is not {key_id, sig}',
    )
  refused('dfid', 1)
})

test('flow, agent and kind are always said', () => {
  for (const name of ['dfid', 'agent_id', 'policy_kind']) {
    const { [name]: _, ...rest } = smallest
    assert.deepEqual(problemsOf(rest), ['SCHEMA_INVALID', `${name} is missing`])
  }
})

test('a name with a bad character is told apart wherever it stands', () => {
  for (const name of ['agent_id', 'step_id', 'policy_kind', 'explain_ref', 'context_ref'])
    refused(name, 'two words', 'ID_CHARSET')
})

test('a version of proposals is a short text', () => {
  assert.equal(accepted({ schema_version: '1'.repeat(16) }).schema_version, '1'.repeat(16))
  refused('schema_version', '1'.repeat(17))
})

test('a proof has the form of a hash and is signed, and an atom is named by its address', () => {
  const hash = 'a'.repeat(64)
  for (const value of ['x', hash.slice(1), `sha256:${hash}`, 7, null])
    refused('evidence_hash', value)
  for (const value of ['x', hash, 7, null]) refused('atom_id', value)
  accepted({ atom_id: `sha256:${hash}` })
  assert.deepEqual(problemsOf({ ...smallest, evidence_hash: hash }), [
    'SCHEMA_INVALID',
    'signature is missing, and a proof is worth what its signature is worth',
  ])
})

test('a dotted name of a ground is told how it is written, and no other', () => {
  const told = 'grounds names parameters otherwise than by JSON pointers to one place'
  const tell = (name: string): readonly string[] =>
    problemsOf({ ...smallest, grounds: { [name]: 'p' } })
  assert.deepEqual(tell('a.b'), ['SCHEMA_INVALID', `${told}, as in \`/a/b\``])
  assert.deepEqual(tell('a b'), ['SCHEMA_INVALID', told])
})
