/** `monitors …`. */
import type { DeployedMonitorAnswer } from 'rubicon-runtime/engine/monitors'
import { monitorBound, monitorReport, monitorVerdict } from '../../http/schemas/monitor.ts'
import type { PrintedTrip } from '../monitors-dry-run.ts'
import { recompiled } from './evidence.ts'
import {
  buildClosedSchema,
  buildNullableSchema,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  type OutputSchema,
  text,
} from './shape.ts'

const trip: OutputSchema = buildClosedSchema({
  agent_id: text,
  monitor: text,
  at: instant,
  dfid: text,
  value: buildNullableSchema(text),
  bound: monitorBound,
  threshold: text,
  samples: count,
  unreadable: count,
  executions_behind: count,
  flows: listOf(text),
} satisfies Members<PrintedTrip>)

export const MONITORS: Family = {
  'monitors list': {
    prints: 'the monitors in force, their current results, and entries not yet processed',
    shape: monitorReport,
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
    prints: 'the withdrawn monitor, why, and at which authority seq',
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
      monitors: listOf(
        buildClosedSchema({ agent_id: text, monitor: text, verdict: monitorVerdict }),
      ),
      verdicts: buildNullableSchema(recompiled),
    }),
  },
}
