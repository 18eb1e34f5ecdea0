/** A step that was done, the choice to undo it, and what undoes it. */
import {
  type Address,
  computeAddress,
  computeIdempotencyKey,
  computeParamsFingerprint,
  type IntentBody,
  type JsonObject,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from './agreement.test-support.ts'
import { LedgerBuilder } from './ledger-builder.test-support.ts'
import {
  bootstrap,
  commit,
  DFID,
  type Dispatched,
  dispatch,
  grant,
  sampleDelta,
  worldAfter,
  writBody,
} from './sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
/** A commit that leaves World as it is. */
export const NOTHING: JsonObject = { world_after: worldAfter([sampleDelta]) }

export const CHOICE: JsonObject = { dfid: DFID, action: 'REVERT' }

export type Stage = {
  readonly builder: LedgerBuilder
  readonly writId: Address
  /** Committed at leaf 12. */
  readonly done: Dispatched
  /** The COMPENSATE, dispatched at leaf 13. */
  readonly chosen: Dispatched
}

export function idOf({ intent }: Dispatched): Address {
  return intent.intent_id as Address
}

export function stage(): Stage {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writId = grant(builder, writBody(builder))
  const done = dispatch(builder, writId)
  commit(builder, done.intent)
  const choice = { step_id: 'choose', policy_kind: 'COMPENSATE', params: CHOICE }
  const chosen = dispatch(builder, writId, choice)
  return { builder, writId, done, chosen }
}

export type Change = {
  readonly step_id?: string
  readonly compensation?: Partial<NonNullable<IntentBody['compensation']>>
  readonly body?: JsonObject
  /** It is accepted, and sent later. */
  readonly accepted?: boolean
}

/** The decision of the choice once more, with an intent that undoes. */
export function undoing(
  { builder, done, chosen }: Stage,
  { step_id = 'undo~step-1', compensation = {}, body = {}, accepted = false }: Change = {},
): Dispatched {
  const { intent_id: _, kernel_signature: __, ...choice } = chosen.intent
  const params = done.intent.params as JsonObject
  const unaddressed: JsonObject = {
    ...choice,
    step_id,
    params,
    capability: done.intent.capability ?? '',
    capability_hash: done.intent.capability_hash ?? '',
    idempotency_key: computeIdempotencyKey(DFID, step_id, params, sha256),
    params_fingerprint: computeParamsFingerprint('COMPENSATE', params, sha256),
    cost: {},
    ...body,
    compensation: {
      action: 'REVERT',
      chosen: idOf(chosen),
      dfid: DFID,
      of: idOf(done),
      ...compensation,
    },
  }
  const unsigned = { ...unaddressed, intent_id: computeAddress('intent', unaddressed, sha256) }
  const intent = { ...unsigned, kernel_signature: { ...builder.kernel.sign('intent', unsigned) } }
  const record: JsonObject = JSON.parse(chosen.entry.payload ?? '{}')
  if (accepted) {
    const { send: _, ...waiting } = record
    return {
      intent,
      entry: builder.append('main', 'accepted', { ...waiting, intent }, { dfid: DFID }),
    }
  }
  const dfid = String(unaddressed.dfid)
  const place = { dfid, authority_seq: builder.authoritySeq() }
  const entry = builder.append('main', 'dispatch', { ...record, intent, send: 1 }, place)
  return { intent, entry }
}

export async function found({ builder }: Pick<Stage, 'builder'>): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

/** What is found, in words, where one code stands for many rules. */
export async function told({ builder }: Pick<Stage, 'builder'>): Promise<string[]> {
  const { findings } = await verifyTwice(builder.text())
  return findings.map(({ leaf, detail }) => `${leaf}: ${detail}`)
}

/** What COMPENSATING says of who chose it. */
export function describeChoice(
  chosen: Dispatched,
  { action = 'REVERT', dfid = DFID }: { readonly action?: string; readonly dfid?: string } = {},
): JsonObject {
  return {
    details: { action, dfid, step_id: chosen.intent.step_id ?? '', intent_id: idOf(chosen) },
  }
}

export function undone(it: Stage, change: JsonObject = {}): void {
  const undo = undoing(it)
  const compensates = idOf(it.done)
  commit(it.builder, undo.intent, [], { compensates, ...NOTHING, ...change })
}
