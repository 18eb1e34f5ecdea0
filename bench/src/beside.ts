/**
 * `bench decide --peers`: the same gated, durable action on other systems and on ours, one after the
 * other on one server in one run, so that the ratios mean something on a noisy machine.
 */
import { startLocalServer } from '../../runtime/src/adapters/postgres/local-server.ts'
import { inLanes, median, rate, rounded } from './measure.ts'
import { benchPeers, type PeerFigure } from './peers.ts'
import { createSubject } from './subject.ts'

const LANES = 64
const DECISIONS = 1_920
const ROUNDS = 3

export type BesideReport = {
  readonly peers: Readonly<Record<string, PeerFigure>>
  /** How many times a peer's figure ours is, with Postgres beneath both; null where it did not run. */
  readonly times: Readonly<Record<string, number | null>>
}

export async function benchBeside(options: {
  readonly note: (text: string) => void
}): Promise<BesideReport> {
  const { note } = options
  const server = await startLocalServer()
  try {
    note('ours, before')
    const before = await ours(server.address('ours_before'), () =>
      server.createDatabase('ours_before'),
    )
    const peers = await benchPeers({ postgres: server.address('postgres'), note })
    note('ours, after')
    const after = await ours(server.address('ours_after'), () =>
      server.createDatabase('ours_after'),
    )
    const per_s = rounded(median([...before, ...after]))
    const own: PeerFigure = { per_s, concurrency: LANES }
    const times = Object.entries(peers).map(([name, figure]) => {
      return [name, figure.per_s === null ? null : rounded(per_s / figure.per_s)] as const
    })
    return { peers: { rubicon_postgres: own, ...peers }, times: Object.fromEntries(times) }
  } finally {
    await server.remove()
  }
}

async function ours(store: string, create: () => Promise<void>): Promise<readonly number[]> {
  await create()
  const subject = await createSubject({ store })
  const rates: number[] = []
  try {
    await inLanes(300, LANES, subject.openAndDecide)
    for (let round = 0; round < ROUNDS; round += 1) {
      await subject.prepare(DECISIONS)
      rates.push(await rate(DECISIONS, () => inLanes(DECISIONS, LANES, subject.decide)))
    }
  } finally {
    await subject.close()
  }
  return rates
}
