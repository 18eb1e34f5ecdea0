/**
 * What a monitor said over time: the packed samples of its stream once more through a window, as a
 * sweep puts them there. Bounded: of a long past the newest executions, and of those only points whose
 * window was seen whole.
 */
import {
  AUTHORITY,
  type Authority,
  compareDecimal,
  formatDecimal,
  formatInstant,
  LIMITS,
  type MonitorInForce,
  type MonitorVerdict,
  parseDecimal,
  parseDuration,
  RollingWindow,
  type Sample,
} from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { type Mark, readAuthorityMarks } from './authority-marks.ts'
import { listModelMarks } from './model-marks.ts'
import { unpack } from './sample-block.ts'
import type { MonitoredStream } from './streams.ts'
import { readFlowsAt } from './trip.ts'

export type SeriesPoint = {
  readonly leaf: number
  readonly at: string
  readonly value: string | null
  readonly samples: number
  readonly unreadable: number
  readonly says: MonitorVerdict['kind']
}

/** What it said when it began to say something: the least and the most of so many points. */
export type Baseline = { readonly low: string; readonly high: string; readonly points: number }

export type MonitorSeries = {
  readonly points: readonly SeriesPoint[]
  /** Null: there are too few points, or the first ones are not known any more. */
  readonly baseline: Baseline | null
  readonly marks: readonly Mark[]
  /** Executions that were looked at. */
  readonly executions: number
  /** False: there are older ones. */
  readonly complete: boolean
}

export type SeriesOf = {
  readonly store: Store
  readonly authority: Authority
  readonly stream: MonitoredStream
  readonly watched: MonitorInForce
  /** Lets others go first. */
  readonly pause: () => Promise<void>
}

const BLOCKS_AT_ONCE = 8

export async function loadMonitorSeries(of: SeriesOf): Promise<MonitorSeries> {
  const { samples, complete } = await readSamples(of)
  const marks = await readSeriesMarks(of, samples)
  const points: SeriesPoint[] = []
  const enough = warmUp(of.watched.monitor, samples, complete)
  await roll(of, samples, marks, (sample, window) => {
    if (enough(sample)) points.push(toSeriesPoint(sample, window.computeVerdict()))
    return true
  })
  return {
    points: reducePoints(points),
    baseline: complete ? computeBaseline(points) : null,
    marks: [...marks, ...listModelMarks(samples)].toSorted(compareMarks),
    executions: samples.length,
    complete,
  }
}

/** The flows behind the point at a leaf, the newest first, as a trip would name them. */
export async function listFlowsBehind(of: SeriesOf, leaf: number): Promise<readonly string[]> {
  const { samples } = await readSamples(of)
  const marks = await readSeriesMarks(of, samples)
  let behind: readonly number[] = []
  await roll(of, samples, marks, (sample, window) => {
    const breach = window.computeVerdict().breach ?? { bound: 'min', threshold: '' }
    if (sample.leaf === leaf) behind = window.listLeavesBehind(breach)
    return sample.leaf < leaf
  })
  return readFlowsAt(of, behind)
}

/** Every sample that the monitor watches, with the window after it; until `visit` has enough. */
async function roll(
  { watched, pause }: SeriesOf,
  samples: readonly Sample[],
  marks: readonly Mark[],
  visit: (sample: Sample, window: RollingWindow) => boolean,
): Promise<void> {
  const lifts = marks.filter(({ kind }) => kind === 'lifted').map(({ leaf }) => leaf ?? 0)
  let window = new RollingWindow(watched.monitor)
  let next = 0
  for (const sample of samples) {
    await pause()
    // Nobody is held to account twice for the same executions.
    const lift = lifts[next]
    if (lift !== undefined && sample.leaf > lift) {
      window = new RollingWindow(watched.monitor)
      next += 1
    }
    if (window.add(sample) && !visit(sample, window)) return
  }
}

/** The newest, from the oldest to the newest. */
async function readSamples({
  store,
  stream,
  watched,
  pause,
}: SeriesOf): Promise<{ readonly samples: readonly Sample[]; readonly complete: boolean }> {
  const [entry] = await store.listEntries(AUTHORITY, watched.seq, 1)
  const since = entry?.leaf ?? 0
  const blocks: (readonly Sample[])[] = []
  let count = 0
  let until: string | undefined
  for (;;) {
    const page = await store.listRecords('monitor_samples', stream.name, {
      newest: true,
      limit: BLOCKS_AT_ONCE,
      ...(until === undefined ? {} : { until }),
    })
    for (const { key, body } of page) {
      // The last of a page is the first of the next.
      if (key === until) continue
      await pause()
      const found = unpack(body).filter(({ leaf }) => leaf > since)
      if (found.length === 0) return { samples: blocks.toReversed().flat(), complete: true }
      blocks.push(found)
      count += found.length
      if (count >= LIMITS.seriesSamples)
        return { samples: blocks.toReversed().flat(), complete: false }
    }
    until = page.at(-1)?.key
    if (page.length < BLOCKS_AT_ONCE) return { samples: blocks.toReversed().flat(), complete: true }
  }
}

function compareMarks(a: Mark, b: Mark): number {
  if (a.at === b.at) return (a.leaf ?? 0) - (b.leaf ?? 0)
  return a.at < b.at ? -1 : 1
}

function readSeriesMarks(
  { store, authority, watched }: SeriesOf,
  samples: readonly Sample[],
): Promise<readonly Mark[]> {
  const { agent_id, monitor } = watched
  const [first] = authority.contracts.get(agent_id) ?? []
  const marked = {
    agent: agent_id,
    instanceOf: first?.contract.instance_of ?? null,
    monitor: monitor.name,
  }
  return readAuthorityMarks(store, authority.seq, marked, formatInstant(samples[0]?.at ?? 0))
}

/** Of a past that is cut off, the first windows lack what was cut. */
function warmUp(
  { window: { executions, duration } }: MonitorInForce['monitor'],
  samples: readonly Sample[],
  complete: boolean,
): (sample: Sample) => boolean {
  if (complete) return () => true
  const start = samples[0]?.at ?? 0
  const durationMs = parseDuration(duration ?? '') ?? 0
  let seen = 0
  return ({ at }) => {
    seen += 1
    return seen > (executions ?? 0) && at - start >= durationMs
  }
}

function toSeriesPoint({ leaf, at }: Sample, verdict: MonitorVerdict): SeriesPoint {
  const { value, samples, unreadable, kind } = verdict
  return { leaf, at: formatInstant(at), value, samples, unreadable, says: kind }
}

function computeBaseline(points: readonly SeriesPoint[]): Baseline | null {
  const said = points.filter(({ says }) => says !== 'no_data')
  const first = said.slice(0, LIMITS.seriesBaseline).flatMap(({ value }) => {
    const decimal = parseDecimal(value ?? '')
    return decimal === undefined ? [] : [decimal]
  })
  const sorted = first.toSorted(compareDecimal)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (first.length < LIMITS.seriesBaseline || low === undefined || high === undefined) return null
  return { low: formatDecimal(low), high: formatDecimal(high), points: first.length }
}

/** Evenly, the last one always, and wherever it began to say something else. */
function reducePoints(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const stride = Math.ceil(points.length / LIMITS.seriesPoints)
  if (stride <= 1) return points
  const kept = points.filter(({ says }, at) => {
    return (points.length - 1 - at) % stride === 0 || points[at - 1]?.says !== says
  })
  return kept.slice(-2 * LIMITS.seriesPoints)
}
