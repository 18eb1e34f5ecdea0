import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findServer, startLocalServer } from '../../runtime/src/adapters/postgres/local-server.ts'
import { computePeerRatios } from './peer-ratios.ts'
import { OURS, type PeerFigure, runPeersBench } from './peers.ts'

const skip = findServer() === null ? 'there is no Postgres server on this machine' : false
/** As many decisions as there are lanes. */
const SECONDS = 0.01
/** One on each store; the others differ in what is called. */
const MEASURED = ['rubicon_postgres', 'rubicon_sqlite_act']

test('a store that processes share does not keep ours from being measured', { skip }, async (t) => {
  const server = await startLocalServer()
  t.after(() => server.remove())
  const postgres = server.formatAddress('postgres')
  const peers = OURS.filter(({ name }) => MEASURED.includes(name))
  const figures = await runPeersBench({ postgres, seconds: SECONDS, peers })
  assert.deepEqual(Object.keys(figures), MEASURED)
  for (const [name, { per_s, sequential_per_s = 0, reason }] of Object.entries(figures)) {
    assert.equal(reason, undefined, name)
    assert.ok(Number(per_s) > 0 && sequential_per_s > 0, name)
  }
})

function figureOf(per_s: number | null, sequential_per_s?: number): PeerFigure {
  const alone = sequential_per_s === undefined ? {} : { sequential_per_s }
  return { per_s, concurrency: 64, ...alone }
}

test('an act is compared with every peer, and has no ratio to one that did not run', () => {
  const ours = {
    rubicon_postgres: figureOf(1_000, 200),
    rubicon_postgres_act: figureOf(600, 100),
    rubicon_sqlite_act: figureOf(3_000, 500),
  }
  const peers = { dbos: figureOf(300, 125), restate: figureOf(null), langgraph: figureOf(200) }
  assert.deepEqual(computePeerRatios(ours, peers), {
    times: { dbos: 3.33, restate: null, langgraph: 5 },
    act_times: {
      postgres: { dbos: 2, restate: null, langgraph: 3 },
      sqlite: { dbos: 10, restate: null, langgraph: 15 },
    },
    sequential_act_times: {
      postgres: { dbos: 0.8, restate: null, langgraph: null },
      sqlite: { dbos: 4, restate: null, langgraph: null },
    },
  })
  const { act_times } = computePeerRatios({}, peers)
  assert.deepEqual(act_times.sqlite, { dbos: null, restate: null, langgraph: null })
})
