/** The entry about a flow that no proposal led to: cancelled, out of budget, or silent. */
import {
  type JsonObject,
  type ReasonCode,
  type RejectionPayload,
  toCanonicalText,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { mintSalt } from './identity.ts'

export function buildGovernorEntry(
  context: Context,
  flow: FlowRow,
  code: ReasonCode,
  details: JsonObject,
  ended?: NonNullable<RejectionPayload['ended_flow']>,
): Write {
  const payload: RejectionPayload = {
    salt: mintSalt(context),
    attempt: flow.attempts,
    received: '',
    trace: [],
    stage: 'queue',
    gate: null,
    reason_code: code,
    details,
    ...(ended === undefined ? {} : { ended_flow: ended }),
  }
  return {
    kind: 'append',
    trajectory: flow.trajectory,
    entry: 'rejection',
    dfid: flow.dfid,
    payload: toCanonicalText(payload),
  }
}
