/** What is sent again under the same key. */
import {
  type AuthFact,
  computeAddress,
  type Entry,
  type JsonObject,
  type JsonValue,
  listRecheckedStages,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import type { LedgerBuilder } from './ledger-builder.test-support.ts'
import type { SampleKey } from './sample-keys.test-support.ts'
import { DFID, sampleFacts, secondsAfter } from './sample-ledger.test-support.ts'

export type ResendChange = {
  readonly send?: number
  readonly auth?: AuthFact
  readonly maintenance?: boolean
  /** Put into the facts that it was judged on. */
  readonly facts?: JsonObject
  readonly stages?: readonly string[]
  readonly said?: string
  /** Put into the body before it is signed. */
  readonly body?: JsonObject
  /** Put into the payload afterwards. */
  readonly payload?: JsonObject
  readonly signer?: SampleKey
  readonly authority_seq?: number
}

/** `seq`: of its first dispatch, in main. */
export function sendAgain(
  builder: LedgerBuilder,
  { intent_id = null }: JsonObject,
  seq: number,
  change: ResendChange = {},
): Entry {
  const { sha256 } = nodeCrypto
  const { stages = listRecheckedStages(false), said = 'pass', signer = builder.kernel } = change
  const facts = {
    ...sampleFacts(builder, `sha256:${'00'.repeat(32)}`, change.auth),
    agent: { status: 'ACTIVE', maintenance: change.maintenance ?? false },
    ...change.facts,
  } as unknown as JsonObject
  const trace: JsonValue = stages.map((stage) => ({ stage, read: [], said }))
  const body: JsonObject = {
    intent_id,
    first: { trajectory: 'main', seq },
    send: change.send ?? 2,
    why: 'same_key',
    facts_hash: computeAddress('facts', facts, sha256),
    policy_trace_hash: computeAddress('trace', trace, sha256),
    jit: {},
    send_before: secondsAfter(builder.now(), 30),
    ...change.body,
  }
  const signature = { ...signer.sign('resend', body) }
  const payload = { salt: 'c2FsdA==', body, facts, trace, signature, ...change.payload }
  const { authority_seq = builder.authoritySeq() } = change
  return builder.append('main', 'resend', payload, { dfid: DFID, authority_seq })
}
