/** `monitors …`. */
import type { AgentStatus, MonitorVerdict, Statistic } from 'rubicon-kernel'
import type { DeployedMonitorAnswer } from '../../engine/monitors/deploy-monitor.ts'
import type { ListedMonitor } from '../monitors.ts'
import type { PrintedTrip } from '../monitors-dry-run.ts'
import { recompiled } from './evidence.ts'
import {
  closed,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  oneOf,
  open,
  optional,
  orNull,
  type Schema,
  text,
  wordsOf,
} from './shape.ts'

const bound: Schema = oneOf(['max', 'min', 'length', 'unreadable'])

const verdict: Schema = closed({
  kind: wordsOf<MonitorVerdict['kind']>({ ok: true, trip: true, no_data: true }),
  value: orNull(text),
  samples: count,
  unreadable: count,
  breach: orNull(closed({ bound, threshold: text })),
} satisfies Members<MonitorVerdict>)

// What else a statistic says is docs/spec/monitors.md's.
const statistic: Schema = open({
  kind: wordsOf<Statistic['kind']>({
    mean: true,
    rate: true,
    ratio: true,
    streak: true,
    cusum: true,
    shift: true,
  }),
  value: text,
})

const monitor: Schema = closed({
  agent_id: text,
  agent_status: orNull(
    wordsOf<AgentStatus>({ INITIALIZING: true, ACTIVE: true, SUSPENDED: true, RETIRED: true }),
  ),
  name: text,
  origin: oneOf(['contract', 'file']),
  monitor_hash: text,
  statistic,
  window: closed({ executions: optional(count), duration: optional(text) }),
  min_samples: count,
  verdict,
} satisfies Members<ListedMonitor>)

const trip: Schema = closed({
  agent_id: text,
  monitor: text,
  at: instant,
  dfid: text,
  value: orNull(text),
  bound,
  threshold: text,
  samples: count,
  unreadable: count,
  executions_behind: count,
  flows: listOf(text),
} satisfies Members<PrintedTrip>)

export const MONITORS: Family = {
  'monitors list': {
    prints: 'the monitors in force, what each says now, and entries that none has seen yet',
    shape: closed({ monitors: listOf(monitor), unseen: count }),
  },
  'monitors deploy': {
    prints: 'the monitors that are now in force',
    shape: closed({
      deployed: listOf(
        closed({
          name: text,
          monitor_hash: text,
          unchanged: flag,
        } satisfies Members<DeployedMonitorAnswer>),
      ),
    }),
  },
  'monitors withdraw': {
    prints: 'what watches no more, why, and at which authority seq',
    shape: closed({ withdrawn: text, reason: text, seq: count }),
  },
  'monitors dry-run': {
    prints:
      'when the monitors would have tripped and on which flows, and verdicts that would differ',
    shape: closed({
      ok: flag,
      entries: count,
      executions: count,
      trips: listOf(trip),
      monitors: listOf(closed({ agent_id: text, monitor: text, verdict })),
      verdicts: orNull(recompiled),
    }),
  },
}
