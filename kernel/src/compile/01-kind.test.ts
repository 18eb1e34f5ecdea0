import { test } from 'node:test'
import { RESERVED_KINDS } from '../proposal/reserved-kind.ts'
import { withCase } from './case.test-support.ts'
import { refused, staged } from './expect.test-support.ts'
import { reserved } from './reserved-case.test-support.ts'

test('schema version 1 is understood up to our own minor version, others are not', () => {
  for (const schema_version of ['1', '1.0', '1.5', '1.5.7'])
    staged({ proposal: { schema_version } })
  for (const schema_version of ['1.6', '2', '0.9', '10', '11.0', ' 1', '1.', ''])
    refused({ proposal: { schema_version } }, 'SCHEMA_VERSION_UNSUPPORTED')
})

test('a reserved kind is carried out by the hands that the rules have for it, or by none', () => {
  for (const policy_kind of RESERVED_KINDS) {
    const event = { event_id: 'sha256:event', topic: 'market.price' }
    refused({ proposal: { policy_kind }, facts: { flow: { event } } }, 'KIND_UNSUPPORTED')
    if (policy_kind !== 'COMPENSATE') staged(reserved(policy_kind, { facts: { flow: { event } } }))
  }
})

test('rules that are not recorded judge nothing, and those that still count do', () => {
  refused({ facts: { in_force: { rules: ['sha256:other'] } } }, 'RULES_NOT_IN_FORCE')
  refused({ facts: { in_force: { rules: [] } } }, 'RULES_NOT_IN_FORCE')
  const { rules_hash } = withCase({}).facts.value
  staged({ facts: { in_force: { rules: ['sha256:other', rules_hash] } } })
})

test('a capability that is recorded with another hash, or not at all, is not used', () => {
  refused({ facts: { in_force: { capability: ['sha256:other'] } } }, 'RULES_NOT_IN_FORCE')
  refused({ facts: { in_force: { capability: [] } } }, 'RULES_NOT_IN_FORCE')
  refused({ capability: 'absent', facts: { in_force: { capability: [] } } }, 'CAPABILITY_UNKNOWN')
})
