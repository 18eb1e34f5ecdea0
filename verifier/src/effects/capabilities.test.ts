import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capability, capabilityHash } from '../samples/sample-ledger.test-support.ts'
import { createCapabilities } from './capabilities.ts'

type Body = Parameters<ReturnType<typeof createCapabilities>['fold']>[0]

test('a capability is known from rules, and where it was recorded alone', () => {
  const recorded = { capability, capability_hash: capabilityHash }
  for (const body of [{ capabilities: [recorded] }, { action: 'capability', ...recorded }]) {
    const capabilities = createCapabilities()
    assert.equal(capabilities.get(capabilityHash), undefined)
    capabilities.fold(body as unknown as Body)
    assert.deepEqual(capabilities.get(capabilityHash), capability)
  }
})
