/** What a monitor said over time, and what it would have said. */
import type { JsonObject } from 'rubicon-kernel'
import { monitorBound, monitorStatus, monitorVerdict } from './monitor.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildWholeObject,
  integer,
  nameSchema,
  string,
} from './shape.ts'

const point: JsonObject = nameSchema(
  'SeriesPoint',
  buildWholeObject({
    leaf: integer,
    at: string,
    value: allowNull(string),
    samples: integer,
    unreadable: integer,
    says: buildEnum('ok', 'trip', 'no_data'),
  }),
)

const mark: JsonObject = nameSchema(
  'SeriesMark',
  buildWholeObject({
    kind: buildEnum('contract', 'revocation', 'policy', 'monitor', 'suspended', 'lifted', 'model'),
    at: string,
    seq: allowNull(integer),
    leaf: allowNull(integer),
    label: string,
  }),
)

export const monitorSeries: JsonObject = nameSchema(
  'MonitorSeries',
  buildWholeObject({
    monitor: monitorStatus,
    bounds: buildWholeObject({ max: allowNull(string), min: allowNull(string) }),
    points: buildArray(point),
    /** Between these it was at its first points. */
    baseline: allowNull(buildWholeObject({ low: string, high: string, points: integer })),
    marks: buildArray(mark),
    executions: integer,
    complete: boolean,
  }),
)

export const flowsBehind: JsonObject = nameSchema(
  'FlowsBehind',
  buildWholeObject({ flows: buildArray(string) }),
)

const trip: JsonObject = nameSchema(
  'RehearsedTrip',
  buildWholeObject({
    agent_id: string,
    monitor: string,
    leaf: integer,
    dfid: string,
    at: string,
    value: allowNull(string),
    bound: monitorBound,
    threshold: string,
    samples: integer,
    executions_behind: integer,
    flows: buildArray(string),
  }),
)

export const rehearsal: JsonObject = nameSchema(
  'Rehearsal',
  buildWholeObject({
    ok: boolean,
    sentence: string,
    entries: integer,
    executions: integer,
    /** Where it began to look. */
    from_leaf: integer,
    trips: buildArray(trip),
    monitors: buildArray(
      buildWholeObject({ agent_id: string, monitor: string, verdict: monitorVerdict }),
    ),
  }),
)
