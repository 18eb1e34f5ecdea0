/** An agent with half a job does nothing else, whatever its decisions say that they saw. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address, PayloadOf } from 'rubicon-kernel'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept, carryOut, settle } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  DFID,
  dispatch,
  grant,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { sendAgain } from '../samples/sample-resends.test-support.ts'
import { saga, WORD } from '../samples/sample-saga.test-support.ts'
import { describeChoice } from '../samples/sample-undoing.test-support.ts'
import { createMaintenance } from './maintenance.ts'

const OTHER_FLOW = '019c1200-0000-7000-8000-00000000000d'

type Begun = { readonly builder: LedgerBuilder; readonly writId: Address }

/** Two flows of one agent, at leaves 10 and 11. */
function begun(): Begun {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writId = grant(builder, writBody(builder))
  grant(builder, writBody(builder, { nonce: OTHER_FLOW }), { dfid: OTHER_FLOW })
  return { builder, writId }
}

const ABANDONED = { settles: [], details: { ...WORD, outcome: 'abandon' } }

function says({ builder }: Begun, status: string, dfid = OTHER_FLOW): void {
  saga(builder, status, {}, dfid)
}

async function found({ builder }: Begun): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

test('while a flow of its agent is half done, nothing is decided, carried out or sent again', async () => {
  const it = begun()
  const sent = dispatch(it.builder, it.writId)
  const waiting = accept(it.builder, it.writId, { step_id: 'step-2' })
  says(it, 'PARTIAL_SUCCESS_DIRTY')
  assert.deepEqual(await found(it), [])
  dispatch(it.builder, it.writId, { step_id: 'step-3' })
  accept(it.builder, it.writId, { step_id: 'step-4' })
  carryOut(it.builder, waiting)
  settle(it.builder, sent.intent, 'UNKNOWN')
  sendAgain(it.builder, sent.intent, sent.entry.envelope.seq)
  assert.deepEqual(
    await found(it),
    [15, 16, 17, 19].map((leaf) => `${leaf} AUTHORITY_ORDER`),
  )
})

test('what puts it right passes, and with the last of its flows it is over', async () => {
  const it = begun()
  says(it, 'PARTIAL_SUCCESS_DIRTY')
  says(it, 'PARTIAL_SUCCESS_DIRTY', DFID)
  const params = { dfid: OTHER_FLOW, action: 'REVERT' }
  const choice = { policy_kind: 'COMPENSATE', step_id: 'choice', params }
  const chosen = dispatch(it.builder, it.writId, choice)
  saga(it.builder, 'COMPENSATING', describeChoice(chosen), OTHER_FLOW)
  says(it, 'MANUAL_REVIEW')
  saga(it.builder, 'SETTLED', ABANDONED, OTHER_FLOW)
  const { intent } = dispatch(it.builder, it.writId)
  assert.deepEqual(await found(it), ['18 AUTHORITY_ORDER'])
  settle(it.builder, intent, 'FAILED')
  says(it, 'COMPENSATED', DFID)
  dispatch(it.builder, it.writId, { step_id: 'step-2' })
  assert.deepEqual(await found(it), ['18 AUTHORITY_ORDER'])
})

test('an agent that finished is not held by another agent’s half job', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const it = { builder, writId: grant(builder, writBody(builder)) }
  says(it, 'PARTIAL_SUCCESS_DIRTY', DFID)
  saga(builder, 'SETTLED', ABANDONED)
  says(it, 'PARTIAL_SUCCESS_DIRTY')
  dispatch(builder, it.writId)
  assert.deepEqual(await found(it), ['13 AUTHORITY_ORDER'], 'that flow is nobody’s that is known')
})

test('a flow stays half done until somebody says that it is put right', () => {
  const maintenance = createMaintenance()
  const learn = (status: string, source = 'saga'): void =>
    maintenance.learn('a', DFID, { source, status } as unknown as PayloadOf['evidence'])
  learn('PARTIAL_SUCCESS_DIRTY', 'agent')
  assert.deepEqual(maintenance.findProblems('a', 'BUY'), [])
  learn('PARTIAL_SUCCESS_DIRTY')
  for (const status of ['COMPENSATING', 'MANUAL_REVIEW']) learn(status)
  learn('SETTLED', 'agent')
  assert.deepEqual(maintenance.findProblems('a', 'BUY'), ['its agent is in maintenance'])
  learn('SETTLED')
  assert.deepEqual(maintenance.findProblems('a', 'BUY'), [])
})
