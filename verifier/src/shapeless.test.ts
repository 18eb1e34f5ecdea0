/** Members that nobody signed for: whoever makes a file may put anything there, and gets findings for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApprovalBody, type JsonObject, toCanonicalText } from 'rubicon-kernel'
import { places, verifyTwice } from './samples/agreement.test-support.ts'
import { DECIDED, found } from './samples/sample-approvals.test-support.ts'
import { executorsLedger, settle } from './samples/sample-executors.test-support.ts'
import { sampleLedger } from './samples/sample-ledger.test-support.ts'

async function changed(kind: string, change: (payload: JsonObject) => JsonObject): Promise<void> {
  const { builder } = sampleLedger()
  const leaf = builder.entries.findIndex(({ envelope }) => envelope.kind === kind)
  const entry = builder.entries[leaf]
  assert.ok(entry !== undefined && entry.payload !== null)
  const payload = toCanonicalText(change(JSON.parse(entry.payload)))
  builder.entries[leaf] = { ...entry, payload }
  builder.rehash(leaf)
  const seen = places(await verifyTwice(builder.text()))
  assert.ok(seen.includes(`${leaf} ENTRY_UNREADABLE`), seen.join())
}

test('an opening that names no contract, or something else than a flow above it, is found by both', async () => {
  const contracts = [undefined, null, [], {}, { hash: 5 }]
  for (const contract of contracts)
    await changed('writ', ({ flow, ...rest }) => {
      const { contract: _, ...kept } = flow as JsonObject
      return { ...rest, flow: contract === undefined ? kept : { ...kept, contract } }
    })
  for (const parent_dfid of [5, {}])
    await changed('writ', ({ flow, ...rest }) => {
      return { ...rest, flow: { ...(flow as JsonObject), parent_dfid } }
    })
})

test('an outcome that nobody knows is found by both', async () => {
  const { builder } = executorsLedger()
  const leaf = builder.entries.findIndex(({ envelope }) => envelope.kind === 'dispatch')
  const { intent, intent_id = null } = JSON.parse(builder.entries[leaf]?.payload ?? '{}')
  settle(builder, intent ?? { intent_id }, 'DONE')
  const seen = places(await verifyTwice(builder.text()))
  assert.ok(seen.includes(`${builder.entries.length - 1} ENTRY_UNREADABLE`), seen.join())
})

test('a modification that says of no parameters what they become is found by both', async () => {
  for (const modified of [{}, { params: null }, { params: {}, more: 1 }]) {
    const body = { decision: 'MODIFY', modified } as unknown as Partial<ApprovalBody>
    const seen = await found({ body })
    assert.ok(seen.includes(`${DECIDED} ENTRY_UNREADABLE`), seen.join())
  }
})
