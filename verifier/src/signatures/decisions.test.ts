/** Who signs a decision: a person's key, whoever vouches for a person, or the kernel for nobody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyTwice } from '../samples/agreement.test-support.ts'
import { type Case, ledger } from '../samples/sample-approvals.test-support.ts'

/** What is said of the signature of the decision. */
async function said(change: Case): Promise<readonly string[]> {
  const { builder } = ledger(change)
  const leaf = builder.entries.findIndex(({ envelope }) => envelope.kind === 'approval')
  const { findings } = await verifyTwice(builder.text())
  return findings
    .filter((one) => one.code === 'ENTRY_SIGNATURE' && one.leaf === leaf)
    .map(({ detail }) => detail)
}

test('a person decides under an operator or a key of their own, and is named', async () => {
  assert.deepEqual(await said({}), [])
  assert.deepEqual(await said({ without: 'person' }), ['it names no person'])
  const byKernel: Case = { vouched_by: 'kernel', signer: ({ kernel }) => kernel }
  assert.deepEqual(await said(byKernel), ['the kernel signed it for a person'])
  assert.deepEqual(await said({ ...byKernel, without: 'person' }), [
    'the kernel signed it for a person',
    'it names no person',
  ])
})

test('what nobody or an agent decided is signed by the kernel, and names no person', async () => {
  const byKernel: Case = { vouched_by: 'kernel', signer: ({ kernel }) => kernel }
  for (const body of [{ decision: 'EXPIRED' }, { approver: 'agent:lead' }] as const) {
    assert.deepEqual(await said({ ...byKernel, body, without: 'person' }), [])
    assert.deepEqual(await said({ ...byKernel, body }), ['it names a person, and none decided'])
    assert.deepEqual(await said({ body, without: 'person' }), ['the kernel did not sign it'])
  }
})

test('whoever vouches for a decision has signed it', async () => {
  const { builder } = ledger()
  assert.deepEqual(await said({ signer: ({ kernel }) => kernel }), [
    `key \`${builder.kernel.id}\` is not valid here as a operator key`,
  ])
  assert.deepEqual(await said({ vouched_by: 'approver', signer: ({ operator }) => operator }), [
    `key \`${builder.operator.id}\` is not valid here as a approver key`,
  ])
})
