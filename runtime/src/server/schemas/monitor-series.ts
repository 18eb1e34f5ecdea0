/** What a monitor said over time, and what it would have said. */
import type { JsonObject } from 'rubicon-kernel'
import {
  boolean,
  buildWholeObject,
  integer,
  many,
  named,
  orNull,
  string,
  words,
} from '../routes/shape.ts'
import { monitorBound, monitorStatus, monitorVerdict } from './monitor.ts'

const point: JsonObject = named(
  'SeriesPoint',
  buildWholeObject({
    leaf: integer,
    at: string,
    value: orNull(string),
    samples: integer,
    unreadable: integer,
    says: words('ok', 'trip', 'no_data'),
  }),
)

const mark: JsonObject = named(
  'SeriesMark',
  buildWholeObject({
    kind: words('contract', 'revocation', 'policy', 'monitor', 'suspended', 'lifted'),
    at: string,
    seq: integer,
    leaf: orNull(integer),
    label: string,
  }),
)

export const monitorSeries: JsonObject = named(
  'MonitorSeries',
  buildWholeObject({
    monitor: monitorStatus,
    bounds: buildWholeObject({ max: orNull(string), min: orNull(string) }),
    points: many(point),
    /** Between these it was at its first points. */
    baseline: orNull(buildWholeObject({ low: string, high: string, points: integer })),
    marks: many(mark),
    executions: integer,
    complete: boolean,
  }),
)

export const flowsBehind: JsonObject = named(
  'FlowsBehind',
  buildWholeObject({ flows: many(string) }),
)

const trip: JsonObject = named(
  'RehearsedTrip',
  buildWholeObject({
    agent_id: string,
    monitor: string,
    leaf: integer,
    dfid: string,
    at: string,
    value: orNull(string),
    bound: monitorBound,
    threshold: string,
    samples: integer,
    executions_behind: integer,
    flows: many(string),
  }),
)

export const rehearsal: JsonObject = named(
  'Rehearsal',
  buildWholeObject({
    ok: boolean,
    sentence: string,
    entries: integer,
    executions: integer,
    /** Where it began to look. */
    from_leaf: integer,
    trips: many(trip),
    monitors: many(
      buildWholeObject({ agent_id: string, monitor: string, verdict: monitorVerdict }),
    ),
  }),
)
