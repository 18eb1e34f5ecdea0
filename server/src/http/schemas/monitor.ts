/** What watches over agents, and what it says now. */
import type { JsonObject, Monitor, MonitorBreach, MonitorVerdict } from 'rubicon-kernel'
import type { MonitorReport } from 'rubicon-runtime/engine/monitors'
import type { MonitorView } from '../views/monitor-view.ts'
import { agentStatus } from './agent.ts'
import { documentProblem } from './contract.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildUnionEnum,
  buildWholeObject,
  count,
  nameSchema,
  open,
  string,
} from './shape.ts'

/** What was crossed. */
export const monitorBound: JsonObject = buildUnionEnum<MonitorBreach['bound']>({
  max: true,
  min: true,
  length: true,
  unreadable: true,
})

const sampledStatus: JsonObject = buildUnionEnum<Monitor['statuses'][number]>({
  SUCCESS: true,
  FAILED: true,
  ABANDONED: true,
})

export const monitorVerdict: JsonObject = nameSchema(
  'MonitorVerdict',
  buildWholeObject<MonitorVerdict>({
    kind: buildEnum('ok', 'trip', 'no_data'),
    value: allowNull(string),
    samples: count,
    unreadable: count,
    breach: allowNull(buildWholeObject({ bound: monitorBound, threshold: string })),
  }),
)

/** As its file has it. */
const monitor: JsonObject = nameSchema(
  'Monitor',
  buildWholeObject<Monitor>({
    api_version: buildEnum('rubicon/v1'),
    kind: buildEnum('Monitor'),
    name: string,
    agents: buildArray(string),
    policy_kinds: buildArray(string),
    statuses: buildArray(sampledStatus),
    statistic: open,
    window: open,
    min_samples: count,
    max_unreadable: count,
  }),
)

export const monitorState: JsonObject = nameSchema(
  'MonitorState',
  buildEnum('OK', 'WARNING', 'TRIPPED', 'NO_DATA', 'PAUSED'),
)

export const monitorStatus: JsonObject = nameSchema(
  'MonitorStatus',
  buildWholeObject<MonitorView>({
    agent_id: string,
    monitor,
    monitor_hash: string,
    origin: buildEnum('contract', 'file'),
    agent_status: allowNull(agentStatus),
    verdict: monitorVerdict,
    state: monitorState,
    /** The rule. */
    sentence: string,
  }),
)

export const checkedMonitor: JsonObject = nameSchema(
  'CheckedMonitor',
  buildWholeObject({
    ok: boolean,
    code: allowNull(string),
    summary: allowNull(string),
    problems: buildArray(documentProblem),
    name: allowNull(string),
    monitor_hash: allowNull(string),
    sentence: allowNull(string),
    /** The file of its name that it would replace. */
    in_force: allowNull(buildWholeObject({ monitor_hash: string, source: string })),
  }),
)

export const monitorReport: JsonObject = nameSchema(
  'MonitorReport',
  buildWholeObject<MonitorReport>({ monitors: buildArray(monitorStatus), unseen: count }),
)
