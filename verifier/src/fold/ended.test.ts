/** A flow that has ended does nothing any more, whoever ended it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address } from 'rubicon-kernel'
import { places, verifyTwice } from '../agreement.test-support.ts'
import { LedgerBuilder } from '../ledger-builder.test-support.ts'
import { accept, carryOut } from '../sample-executors.test-support.ts'
import { bootstrap, DFID, dispatch, grant, writBody } from '../sample-ledger.test-support.ts'

type Begun = { readonly builder: LedgerBuilder; readonly writId: Address }

function begun(): Begun {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return { builder, writId: grant(builder, writBody(builder)) }
}

async function found({ builder }: Begun): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

test('AUTHORITY_ORDER: a flow that was refused for the last time, or cancelled, decides and sends nothing', async () => {
  const refused = { attempt: 2, received: 'cd', trace: [], stage: 'parser', gate: null }
  const ends = {
    rejection: { ...refused, reason_code: 'JSON_SYNTAX', ended_flow: 'REJECTED' },
    settle: { status: 'ABANDONED', reason_code: 'FLOW_CANCELLED' },
  }
  for (const kind of ['rejection', 'settle'] as const) {
    const it = begun()
    const waiting = accept(it.builder, it.writId)
    const other = accept(it.builder, it.writId, { step_id: 'step-2' })
    const about = kind === 'settle' ? { intent_id: other.intent.intent_id ?? null } : {}
    const payload = { salt: 'c2FsdA==', details: {}, ...ends[kind], ...about }
    it.builder.append('main', kind, payload, { dfid: DFID })
    assert.deepEqual(await found(it), [], kind)
    carryOut(it.builder, waiting)
    dispatch(it.builder, it.writId, { step_id: 'step-3' })
    assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER', '15 AUTHORITY_ORDER'], kind)
  }
})
