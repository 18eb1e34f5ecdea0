/** Operators are told, once for each definition, that a tool is not the one that somebody agreed to. */
import { formatInstant } from 'rubicon-kernel'
import { OPERATOR_CHANNEL } from '../../ports/notifier.ts'
import type { Deps } from '../deps.ts'
import { buildNoticeWrite } from './queue.ts'

export type ToolDrift = {
  /** In whose name the tool is called. */
  readonly agent_id: string
  readonly kind: string
  /** The pin of what its server says now; null: it has the tool no more. */
  readonly found: string | null
}

/** As a call of such a tool is refused by what would carry it out; no verdict of the law. */
const TOOL_DRIFT = 'TOOL_DRIFT'

/** Whether they are told now: the counter stands in the store, so that no restart tells it again. */
export async function tellToolDrift(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { agent_id, kind, found }: ToolDrift,
): Promise<boolean> {
  const told = `tool_drift ${kind} ${found ?? 'gone'}`
  const { ok } = await store.commit({
    guards: [{ kind: 'counter', id: told, by: 1, limit: 1 }],
    writes: [
      { kind: 'count', id: told, by: 1 },
      buildNoticeWrite({
        id: told.replaceAll(' ', ':'),
        kind: 'tool_drift',
        agent_id,
        reason_code: TOOL_DRIFT,
        channel: OPERATOR_CHANNEL,
        at: formatInstant(clock.now()),
        details: { tool: kind, found: found ?? 'gone' },
      }),
    ],
  })
  return ok
}
