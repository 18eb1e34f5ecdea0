import { type Address, type JsonObject, type SagaPayload, toCanonicalText } from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { mintSalt } from '../rows/identity.ts'

/** The entry that says where a dirty flow stands, in its own trajectory. */
export function buildSagaEntry(
  context: Context,
  { trajectory, dfid }: Pick<FlowRow, 'trajectory' | 'dfid'>,
  status: SagaPayload['status'],
  details: JsonObject,
  settles?: readonly Address[],
): Write {
  const payload: SagaPayload = {
    salt: mintSalt(context),
    source: 'saga',
    status,
    ...(status === 'PARTIAL_SUCCESS_DIRTY' ? { reason_code: status } : {}),
    ...(settles === undefined ? {} : { settles }),
    details,
  }
  const text = toCanonicalText(payload)
  return { kind: 'append', trajectory, entry: 'evidence', dfid, payload: text }
}
