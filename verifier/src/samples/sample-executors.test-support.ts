/** What executors of their own write: accepted, carried out, given back. */
import {
  type Address,
  computeAddress,
  type Entry,
  type IntentBody,
  type JsonObject,
  type JsonValue,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { LedgerBuilder } from './ledger-builder.test-support.ts'
import {
  bootstrap,
  commit,
  DFID,
  type Dispatched,
  decide,
  grant,
  sampleFacts,
  writBody,
} from './sample-ledger.test-support.ts'
import { WORD } from './sample-saga.test-support.ts'

export function accept(
  builder: LedgerBuilder,
  writId: Address,
  change: Partial<IntentBody> = {},
): Dispatched {
  const { intent, record } = decide(builder, writId, change)
  const { dfid = DFID } = change
  return { intent, entry: builder.append('main', 'accepted', record, { dfid }) }
}

export type CarryOutPlace = {
  readonly trajectory?: string
  readonly dfid?: string
  readonly authority_seq?: number
}

/** `change` is put into the payload. */
export function carryOut(
  builder: LedgerBuilder,
  { intent, entry }: Dispatched,
  change: JsonObject = {},
  { trajectory: where = 'main', ...place }: CarryOutPlace = {},
): Entry {
  const { trajectory, seq } = entry.envelope
  const facts = asJson(sampleFacts(builder, `sha256:${'00'.repeat(32)}`))
  const payload = {
    salt: 'c2FsdA==',
    intent_id: intent.intent_id ?? null,
    accepted: { trajectory, seq },
    send: 1,
    facts,
    facts_hash: computeAddress('facts', facts, nodeCrypto.sha256),
    jit: {},
    ...change,
  }
  const cited = { dfid: DFID, authority_seq: builder.authoritySeq(), ...place }
  return builder.append(where, 'dispatch', payload, cited)
}

function asJson(value: object): JsonValue {
  return { ...value } as JsonObject
}

export function settle(
  builder: LedgerBuilder,
  { intent_id = null }: JsonObject,
  status: string,
  dfid: string = DFID,
): Entry {
  const reason = { status, reason_code: 'LOCK_EXPIRED', details: {} }
  return builder.append('main', 'settle', { salt: 'c2FsdA==', intent_id, ...reason }, { dfid })
}

/** What was found out about an effect. */
export function learn(
  builder: LedgerBuilder,
  { intent_id = null }: JsonObject,
  source: string,
  finding: string,
): Entry {
  const details = source === 'person' ? WORD : {}
  const payload = { salt: 'c2FsdA==', intent_id, source, finding, details }
  return builder.append('main', 'evidence', payload, { dfid: DFID })
}

export function abandon(builder: LedgerBuilder, { intent }: Dispatched): Entry {
  return settle(builder, intent, 'ABANDONED')
}

export type ExecutorsSample = {
  readonly builder: LedgerBuilder
  readonly writId: Address
  readonly done: Dispatched
  readonly given: Dispatched
}

/** Two intents are accepted; one is carried out and committed, the other one given back. */
export function executorsLedger(): ExecutorsSample {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writId = grant(builder, writBody(builder))
  const done = accept(builder, writId)
  const given = accept(builder, writId, { step_id: 'step-2' })
  carryOut(builder, done)
  abandon(builder, given)
  commit(builder, done.intent)
  return { builder, writId, done, given }
}
