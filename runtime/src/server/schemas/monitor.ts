/** What watches over agents, and what it says now. */
import type { JsonObject, Monitor, MonitorBreach, MonitorVerdict } from 'rubicon-kernel'
import type { MonitorReport } from '../../engine/monitors/sweep.ts'
import type { MonitorView } from '../routes/monitors.ts'
import {
  buildWholeObject,
  count,
  many,
  named,
  open,
  orNull,
  string,
  words,
  wordsOf,
} from '../routes/shape.ts'
import { agentStatus } from './agent.ts'

/** What was crossed. */
export const monitorBound: JsonObject = wordsOf<MonitorBreach['bound']>({
  max: true,
  min: true,
  length: true,
  unreadable: true,
})

const sampledStatus: JsonObject = wordsOf<Monitor['statuses'][number]>({
  SUCCESS: true,
  FAILED: true,
  ABANDONED: true,
})

export const monitorVerdict: JsonObject = named(
  'MonitorVerdict',
  buildWholeObject<MonitorVerdict>({
    kind: words('ok', 'trip', 'no_data'),
    value: orNull(string),
    samples: count,
    unreadable: count,
    breach: orNull(buildWholeObject({ bound: monitorBound, threshold: string })),
  }),
)

/** As its file has it. */
const monitor: JsonObject = named(
  'Monitor',
  buildWholeObject<Monitor>({
    api_version: words('rubicon/v1'),
    kind: words('Monitor'),
    name: string,
    agents: many(string),
    policy_kinds: many(string),
    statuses: many(sampledStatus),
    statistic: open,
    window: open,
    min_samples: count,
    max_unreadable: count,
  }),
)

export const monitorStatus: JsonObject = named(
  'MonitorStatus',
  buildWholeObject<MonitorView>({
    agent_id: string,
    monitor,
    monitor_hash: string,
    origin: words('contract', 'file'),
    agent_status: orNull(agentStatus),
    verdict: monitorVerdict,
    state: named('MonitorState', words('OK', 'WARNING', 'TRIPPED', 'NO_DATA', 'PAUSED')),
    /** The rule. */
    sentence: string,
  }),
)

export const monitorReport: JsonObject = named(
  'MonitorReport',
  buildWholeObject<MonitorReport>({ monitors: many(monitorStatus), unseen: count }),
)
