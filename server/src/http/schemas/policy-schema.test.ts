import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  completeProposal,
  type JsonObject,
  listMissingMembers,
  parseProposal,
} from 'rubicon-kernel'
import { compileSchema } from '../../../../runtime/src/capabilities/schema.ts'
import { policySchema } from './policy-schema.ts'

const FLOW = {
  dfid: '01890000-0000-7000-8000-000000000000',
  agent_id: 'bot',
  context_ref: 'snap',
  mission_context_hash: 'mission',
}

const smallest: JsonObject = { policy_kind: 'BUY' }

/** A member, values that both take, and values that neither takes. */
const MEMBERS: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['dfid', [], ['x', 7]],
  ['agent_id', ['a.b:c@d-e_f'], ['', 'a b', 'x'.repeat(129)]],
  ['step_id', ['s'], ['']],
  ['policy_kind', ['SELL'], ['']],
  ['params', [{}], [[], 'x']],
  ['context_ref', ['snap_a'], ['a b']],
  ['mission_context_hash', ['m'], [7]],
  ['execution_constraints', [{}], ['x']],
  [
    'resources',
    [[], [{ id: 'a', amount: '1.5' }]],
    [{}, [{ id: 'a' }], [{ id: 'a', amount: 'x' }]],
  ],
  ['valid_until', ['2026-02-11T14:35:00Z'], [7]],
  ['confidence', [0.5, '0.5', 1], [true, 'much']],
  ['justification', ['because'], ['x'.repeat(16_385), 7]],
  ['explain_ref', ['exp_991a2b3c'], ['a b']],
  ['grounds', [{ '/a': 'state.x' }], [{ '/a': 1 }, 'x']],
  ['schema_version', ['1.5.0'], ['x'.repeat(17)]],
  ['writ_id', ['w'], ['']],
  ['atom_id', [`sha256:${'0'.repeat(64)}`], ['', 'sha256:0', 'a']],
  ['signature', [], [{ key_id: 'k' }, 'x', { key_id: 'k', sig: 's' }]],
  ['supersedes', ['s'], ['']],
  ['unknown', [], ['x']],
]

test('the schema that agents are shown agrees with the parser that decides', () => {
  const compiled = compileSchema(policySchema)
  assert.ok(compiled.ok)
  const bySchema = (document: JsonObject): boolean => compiled.value(document).length === 0
  const byParser = (document: JsonObject): boolean =>
    parseProposal(completeProposal(document, listMissingMembers(document), FLOW)).ok
  assert.ok(bySchema(smallest) && byParser(smallest))
  for (const [name, good, bad] of MEMBERS) {
    for (const value of good) {
      const document = { ...smallest, [name]: value } as JsonObject
      assert.deepEqual([bySchema(document), byParser(document)], [true, true], name)
    }
    for (const value of bad) {
      const document = { ...smallest, [name]: value } as JsonObject
      assert.deepEqual([bySchema(document), byParser(document)], [false, false], name)
    }
  }
  const signed = { ...FLOW, ...smallest, signature: { key_id: 'k', sig: 's' } }
  assert.ok(bySchema(signed) && byParser(signed), 'what is signed is whole')
  const { properties } = policySchema
  assert.deepEqual(
    Object.keys(properties ?? {}).sort(),
    MEMBERS.map(([name]) => name)
      .filter((name) => name !== 'unknown')
      .sort(),
  )
})
