/**
 * Ours as one more peer: a process of its own that measures a gated, durable action on a Postgres
 * server, or on a SQLite file, and prints one line of JSON. Warm as the others are before they count.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { computeMedian, measureRate, runLanes } from './measure.ts'
import { createSubject, type Subject } from './subject.ts'

/** For a second that a peer is measured. Decisions are counted here, so that every round has as many. */
const WARM_UP_PER_S = 1_333
const DECISIONS_PER_S = 640
const ALONE_PER_S = 100
const ROUNDS = 3

type Way = {
  readonly note: string
  readonly isOnSqlite?: true
  /** Flows have to be opened before. */
  readonly isPrepared?: true
  act(subject: Subject): Promise<void>
}

const WAYS: ReadonlyMap<string, Way> = new Map([
  [
    '',
    {
      note: 'on a flow that is open',
      isPrepared: true,
      act: (subject: Subject) => subject.decide(),
    },
  ],
  [
    'with_opening',
    { note: 'the flow is opened for it', act: (subject: Subject) => subject.openAndDecide() },
  ],
  ['act', { note: 'the flow is opened in the same act', act: (subject: Subject) => subject.act() }],
  [
    'act_sqlite',
    {
      note: 'the flow is opened in the same act; SQLite',
      isOnSqlite: true,
      act: (subject: Subject) => subject.act(),
    },
  ],
])

const { values } = parseArgs({
  options: {
    postgres: { type: 'string', default: '' },
    lanes: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '3' },
    variant: { type: 'string', default: '' },
  },
})
const lanes = Number(values.lanes)
const seconds = Number(values.seconds)
const way = WAYS.get(values.variant)
if (way === undefined) throw new Error(`\`${values.variant}\` is no variant`)
if (way.isOnSqlite) await printFigure(way, await createSubject())
else await printPostgresFigure(way)

async function printPostgresFigure(way: Way): Promise<void> {
  const database = `rubicon_ours_${process.pid}`
  await runStatement(`CREATE DATABASE ${database}`)
  try {
    const address = new URL(values.postgres)
    address.pathname = `/${database}`
    await printFigure(way, await createSubject({ store: address.href }))
  } finally {
    await runStatement(`DROP DATABASE ${database} WITH (FORCE)`)
  }
}

async function printFigure(way: Way, subject: Subject): Promise<void> {
  try {
    await measureActs(way, subject, WARM_UP_PER_S, lanes)
    const rounds: Measured[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(await measureActs(way, subject, DECISIONS_PER_S, lanes))
    const alone = await measureActs(way, subject, ALONE_PER_S, 1)
    const per_s = computeMedian(rounds.map((round) => round.perSecond))
    const latency_ms = computeMedian(rounds.flatMap(({ took }) => took))
    const { note } = way
    const sequential_per_s = alone.perSecond
    console.log(JSON.stringify({ per_s, concurrency: lanes, sequential_per_s, latency_ms, note }))
  } finally {
    await subject.close()
  }
}

/** `took`: how long each took, in milliseconds. */
type Measured = { readonly perSecond: number; readonly took: readonly number[] }

async function measureActs(
  { isPrepared, act }: Way,
  subject: Subject,
  perSecond: number,
  lanes: number,
): Promise<Measured> {
  const count = Math.max(lanes, Math.round(perSecond * seconds))
  if (isPrepared) await subject.prepare(count)
  const took: number[] = []
  const rate = await measureRate(count, () =>
    runLanes(count, lanes, async () => {
      const started = performance.now()
      await act(subject)
      took.push(performance.now() - started)
    }),
  )
  return { perSecond: rate, took }
}

async function runStatement(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: values.postgres })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
