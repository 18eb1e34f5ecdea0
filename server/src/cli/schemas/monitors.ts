/** `monitors …`. */
import type { AgentStatus, MonitorVerdict, Statistic } from 'rubicon-kernel'
import type { DeployedMonitorAnswer } from 'rubicon-runtime/engine/monitors'
import type { ListedMonitor } from '../monitors.ts'
import type { PrintedTrip } from '../monitors-dry-run.ts'
import { recompiled } from './evidence.ts'
import {
  buildClosedSchema,
  buildEnumSchema,
  buildNullableSchema,
  buildUnionSchema,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  markOptional,
  type OutputSchema,
  open,
  text,
} from './shape.ts'

const bound: OutputSchema = buildEnumSchema(['max', 'min', 'length', 'unreadable'])

const verdict: OutputSchema = buildClosedSchema({
  kind: buildUnionSchema<MonitorVerdict['kind']>({ ok: true, trip: true, no_data: true }),
  value: buildNullableSchema(text),
  samples: count,
  unreadable: count,
  breach: buildNullableSchema(buildClosedSchema({ bound, threshold: text })),
} satisfies Members<MonitorVerdict>)

// What else a statistic says is docs/spec/monitors.md's.
const statistic: OutputSchema = open({
  kind: buildUnionSchema<Statistic['kind']>({
    mean: true,
    rate: true,
    ratio: true,
    streak: true,
    cusum: true,
    shift: true,
  }),
  value: text,
})

const monitor: OutputSchema = buildClosedSchema({
  agent_id: text,
  agent_status: buildNullableSchema(
    buildUnionSchema<AgentStatus>({
      INITIALIZING: true,
      ACTIVE: true,
      SUSPENDED: true,
      RETIRED: true,
    }),
  ),
  name: text,
  origin: buildEnumSchema(['contract', 'file']),
  monitor_hash: text,
  statistic,
  window: buildClosedSchema({ executions: markOptional(count), duration: markOptional(text) }),
  min_samples: count,
  verdict,
} satisfies Members<ListedMonitor>)

const trip: OutputSchema = buildClosedSchema({
  agent_id: text,
  monitor: text,
  at: instant,
  dfid: text,
  value: buildNullableSchema(text),
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
    shape: buildClosedSchema({ monitors: listOf(monitor), unseen: count }),
  },
  'monitors deploy': {
    prints: 'the monitors that are now in force',
    shape: buildClosedSchema({
      deployed: listOf(
        buildClosedSchema({
          name: text,
          monitor_hash: text,
          unchanged: flag,
        } satisfies Members<DeployedMonitorAnswer>),
      ),
    }),
  },
  'monitors withdraw': {
    prints: 'what watches no more, why, and at which authority seq',
    shape: buildClosedSchema({ withdrawn: text, reason: text, seq: count }),
  },
  'monitors dry-run': {
    prints:
      'when the monitors would have tripped and on which flows, and verdicts that would differ',
    shape: buildClosedSchema({
      ok: flag,
      entries: count,
      executions: count,
      trips: listOf(trip),
      monitors: listOf(buildClosedSchema({ agent_id: text, monitor: text, verdict })),
      verdicts: buildNullableSchema(recompiled),
    }),
  },
}
