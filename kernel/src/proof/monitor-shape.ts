/** What monitors leave in the ledger, as checks. */
import {
  address,
  count,
  having,
  identifier,
  listOf,
  members,
  nullOr,
  object,
  oneOf,
  type Shape,
  text,
} from './shape.ts'

export const MONITOR_BODIES: readonly Shape[] = [
  members({
    action: oneOf(['watch']),
    monitor: having({ name: identifier, agents: listOf(identifier), statistic: object }),
    monitor_hash: address,
  }),
  members({ action: oneOf(['unwatch']), name: identifier, reason: text }),
]

export const monitorTrip: Shape = members({
  salt: text,
  source: oneOf(['monitor']),
  finding: oneOf(['tripped']),
  reason_code: oneOf(['MONITOR_TRIPPED']),
  details: members({
    agent_id: identifier,
    monitor: identifier,
    monitor_hash: address,
    statistic: oneOf(['mean', 'rate', 'ratio', 'streak', 'cusum', 'shift']),
    value: nullOr(text),
    bound: oneOf(['max', 'min', 'length', 'unreadable']),
    threshold: text,
    window: object,
    samples: count,
    unreadable: count,
    executions_behind: count,
    flows: listOf(identifier),
  }),
})
