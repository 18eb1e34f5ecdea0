/**
 * Ours as one more peer: a process of its own that measures a gated, durable action on a Postgres
 * server and prints one line of JSON. Warm as the others are before they count.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { computeMedian, measureRate, runLanes } from './measure.ts'
import { createSubject, type Subject } from './subject.ts'

const WARM_UP = 4_000
const DECISIONS = 1_920
const ROUNDS = 3
const ALONE = 300

const { values } = parseArgs({
  options: {
    postgres: { type: 'string', default: '' },
    lanes: { type: 'string', default: '64' },
    // Decisions are counted here, not seconds.
    seconds: { type: 'string' },
    variant: { type: 'string', default: '' },
  },
})
const lanes = Number(values.lanes)
const isOpening = values.variant === 'with_opening'
/** How long each took, in milliseconds. */
const took: number[] = []

const database = `rubicon_ours_${process.pid}`
await runStatement(`CREATE DATABASE ${database}`)
const address = new URL(values.postgres)
address.pathname = `/${database}`
const subject = await createSubject({ store: address.href })
try {
  await measureActs(subject, WARM_UP, lanes)
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    rates.push(await measureActs(subject, DECISIONS, lanes))
  const times = took.slice(WARM_UP)
  const sequential_per_s = await measureActs(subject, ALONE, 1)
  const per_s = computeMedian(rates)
  const note = isOpening ? 'the flow is opened for it' : 'on a flow that is open'
  const latency_ms = computeMedian(times)
  console.log(JSON.stringify({ per_s, concurrency: lanes, sequential_per_s, latency_ms, note }))
} finally {
  await subject.close()
  await runStatement(`DROP DATABASE ${database} WITH (FORCE)`)
}

async function measureActs(subject: Subject, count: number, lanes: number): Promise<number> {
  if (!isOpening) await subject.prepare(count)
  const act = isOpening ? subject.openAndDecide : subject.decide
  return measureRate(count, () =>
    runLanes(count, lanes, async () => {
      const started = performance.now()
      await act()
      took.push(performance.now() - started)
    }),
  )
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
