/** What monitors leave in the ledger, as checks. */
import {
  address,
  count,
  createEnumShape,
  createExactShape,
  createNullableShape,
  createOpenShape,
  identifier,
  listOf,
  object,
  type Shape,
  text,
} from './shape.ts'

export const MONITOR_BODIES: readonly Shape[] = [
  createExactShape({
    action: createEnumShape(['watch']),
    monitor: createOpenShape({ name: identifier, agents: listOf(identifier), statistic: object }),
    monitor_hash: address,
  }),
  createExactShape({ action: createEnumShape(['unwatch']), name: identifier, reason: text }),
]

export const monitorTrip: Shape = createExactShape({
  salt: text,
  source: createEnumShape(['monitor']),
  finding: createEnumShape(['tripped']),
  reason_code: createEnumShape(['MONITOR_TRIPPED']),
  details: createExactShape({
    agent_id: identifier,
    monitor: identifier,
    monitor_hash: address,
    statistic: createEnumShape(['mean', 'rate', 'ratio', 'streak', 'cusum', 'shift']),
    value: createNullableShape(text),
    bound: createEnumShape(['max', 'min', 'length', 'unreadable']),
    threshold: text,
    window: object,
    samples: count,
    unreadable: count,
    executions_behind: count,
    flows: listOf(identifier),
  }),
})
