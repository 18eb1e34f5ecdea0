/** Both verifiers read the words and names of a contract alike: what nobody sees is nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contract, computeAddress } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  bootstrap,
  contract,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

/** One step, under a contract that was deployed so. */
async function foundUnder(change: Partial<Contract>): Promise<string[]> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  const changed = { ...contract, version: '1.1.0', ...change }
  const contract_hash = computeAddress('contract', changed, nodeCrypto.sha256)
  builder.decree('contract', { ...DEPLOY, contract: changed, contract_hash })
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const pinned = { contract: { hash: contract_hash, seq: 9 } }
  const writ = grant(builder, writBody(builder), { dfid: DFID, ...pinned })
  dispatch(builder, writ, { contract_hash })
  return places(await verifyTwice(builder.text()))
}

test('a mission that nobody can read makes no contract, for either verifier', async () => {
  for (const mission of ['\u200b', '\u00ad \u2800', '\u{e0041}', '\u3164', '\u180e\ufe0f'])
    assert.deepEqual(await foundUnder({ mission }), ['12 AUTHORITY_ORDER'], JSON.stringify(mission))
  assert.deepEqual(await foundUnder({ mission: '\u200bbuy' }), [])
})

test('names of people are folded and measured alike by both verifiers', async () => {
  const isBad = ['jane\u200b', ' Kernel\u3000', 'P_jane', `${'\u{1d400}'.repeat(128)}x`, 'ja\tne']
  for (const owner of isBad)
    assert.deepEqual(await foundUnder({ owner }), ['12 AUTHORITY_ORDER'], JSON.stringify(owner))
  for (const owner of ['\u212aernel', 'jane', '\u{1d400}'.repeat(128)])
    assert.deepEqual(await foundUnder({ owner }), [], JSON.stringify(owner))
})
