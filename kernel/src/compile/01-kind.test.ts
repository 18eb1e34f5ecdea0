import { test } from 'node:test'
import { RESERVED_KINDS } from '../proposal/reserved-kind.ts'
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
    refused({ proposal: { policy_kind } }, 'KIND_UNSUPPORTED')
    if (policy_kind !== 'COMPENSATE') staged(reserved(policy_kind))
  }
})
