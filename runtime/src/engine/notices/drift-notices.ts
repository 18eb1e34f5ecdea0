/** A contract may name who is told when the world has moved too far under a decision. */
import { type Contract, isIdentifier, type Refusal } from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import { buildNoticeWrite } from './queue.ts'

/** Part of the unit that records the refusal; `flow` as it is after it. */
export function buildDriftNotices(
  contract: Contract | undefined,
  { dfid, agent_id, attempts: attempt, updated_at }: FlowRow,
  { code, details }: Refusal,
): readonly Write[] {
  if (code !== 'STATE_DRIFT_DETECTED') return []
  const { field, percent } = details
  return listDriftChannels(contract).map((channel) =>
    buildNoticeWrite({
      id: `${dfid}:${attempt}:drift`,
      kind: 'drift',
      agent_id,
      dfid,
      reason_code: code,
      channel,
      at: updated_at,
      details: {
        attempt,
        ...pickIdentifier('field', field),
        ...pickIdentifier('percent', percent),
      },
    }),
  )
}

function listDriftChannels(contract: Contract | undefined): readonly string[] {
  const { notify = [] } = contract?.jit_verification.on_drift_exceeded ?? {}
  if (!Array.isArray(notify)) return []
  const channels: readonly unknown[] = notify
  return [...new Set(channels.filter((channel) => typeof channel === 'string'))]
}

function pickIdentifier(name: string, value: unknown): { readonly [name: string]: string } {
  return typeof value === 'string' && isIdentifier(value) ? { [name]: value } : {}
}
