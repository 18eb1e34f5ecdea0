/** What is sent again is signed over what was looked at, by a kernel key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyTwice } from '../samples/agreement.test-support.ts'
import { settle } from '../samples/sample-executors.test-support.ts'
import { dispatch } from '../samples/sample-ledger.test-support.ts'
import { sendAgain } from '../samples/sample-resends.test-support.ts'
import { stage } from '../samples/sample-undoing.test-support.ts'

const OTHER = `sha256:${'7'.repeat(64)}`

async function said(change: Parameters<typeof sendAgain>[3]): Promise<readonly string[]> {
  const { builder, writId } = stage()
  const { intent, entry } = dispatch(builder, writId, { step_id: 'step-2' })
  settle(builder, intent, 'UNKNOWN')
  sendAgain(builder, intent, entry.envelope.seq, change)
  const { findings } = await verifyTwice(builder.text())
  const signed = findings.filter(({ code }) => code === 'ENTRY_SIGNATURE')
  return signed.map(({ detail }) => detail)
}

test('what is sent again names the facts and the trace that it holds, and a kernel key signed it', async () => {
  const { builder } = stage()
  const { issuer } = builder
  const [facts, trace] = ['facts_hash does not match', 'policy_trace_hash does not match']
  const key = `key \`${issuer.id}\` is not valid here as a kernel key`
  assert.deepEqual(await said({}), [])
  assert.deepEqual(await said({ body: { facts_hash: OTHER } }), [facts])
  assert.deepEqual(await said({ body: { policy_trace_hash: OTHER } }), [trace])
  assert.deepEqual(await said({ signer: issuer }), [key])
  const body = { facts_hash: OTHER, policy_trace_hash: OTHER }
  assert.deepEqual(await said({ signer: issuer, body }), [facts, trace, key])
})
