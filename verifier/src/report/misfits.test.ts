import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddressOfText } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { traceAddress } from './misfits.ts'

test('a trace has its own address, whatever the one before it was', () => {
  const { sha256 } = nodeCrypto
  for (const text of ['[{"said":"pass"}]', '[{"said":"fail"}]', '[{"said":"fail"}]', '[]'])
    assert.equal(traceAddress(text, sha256), computeAddressOfText('trace', text, sha256))
})
