import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  bootstrap,
  commit,
  dispatch,
  grant,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { verifyAny } from '../verify-any.ts'

test('what a commit says that it undoes is compared with what its intent undoes', () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const { intent } = dispatch(builder, grant(builder, writBody(builder)))
  commit(builder, intent, undefined, { compensates: String(intent.intent_id) })
  const found = verifyAny(builder.text(), nodeCrypto).findings.map(({ detail }) => detail)
  assert.deepEqual(found, ['it names another effect to undo than its intent does'])
})
