import { formatInstant } from 'rubicon-kernel'
import type { Clock } from '../../../ports/clock.ts'
import { OPERATOR_CHANNEL } from '../../../ports/notifier.ts'
import type { Write } from '../../../ports/store.ts'
import { buildNoticeWrite } from '../../notices/queue.ts'
import type { LifecycleMove } from './lifecycle.ts'

/** Only a person lifts a suspension, so a person hears of it; one that he ordered is no news. */
export function buildSuspensionNotice(
  clock: Clock,
  { agent_id, to, actor, reason_code = 'AGENT_SUSPENDED' }: LifecycleMove,
  seq: number,
): readonly Write[] {
  if (to !== 'SUSPENDED' || actor !== 'runtime') return []
  return [
    buildNoticeWrite({
      id: `${agent_id}:suspension:${seq}`,
      kind: 'suspension',
      agent_id,
      reason_code,
      channel: OPERATOR_CHANNEL,
      at: formatInstant(clock.now()),
      details: { authority_seq: seq },
    }),
  ]
}
