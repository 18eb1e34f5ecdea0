/**
 * `bench decide --peers`: the same gated, durable action on other systems and on ours, one after the
 * other on one server in one run, so that the ratios mean something on a noisy machine. Ours is
 * measured before and after the others, in processes like theirs.
 */
import { startLocalServer } from '../../runtime/src/adapters/postgres/local-server.ts'
import { roundFigure } from './measure.ts'
import { OURS, type PeerFigure, runPeersBench } from './peers.ts'

export type BesideReport = {
  readonly peers: Readonly<Record<string, PeerFigure>>
  /** How many times a peer's figure ours is, with Postgres beneath both; null where it did not run. */
  readonly times: Readonly<Record<string, number | null>>
}

export async function runBesideBench(options: {
  readonly note: (text: string) => void
}): Promise<BesideReport> {
  const { note } = options
  const server = await startLocalServer()
  try {
    const postgres = server.formatAddress('postgres')
    const before = await runPeersBench({ postgres, note, peers: OURS })
    const peers = await runPeersBench({ postgres, note })
    const after = await runPeersBench({ postgres, note, peers: OURS })
    const ours = Object.fromEntries(
      Object.entries(before).map(([name, figure]) => [name, combineFigures(figure, after[name])]),
    )
    const own = ours.rubicon_postgres?.per_s ?? null
    const times = Object.entries(peers).map(([name, { per_s }]) => {
      return [name, per_s === null || own === null ? null : roundFigure(own / per_s)] as const
    })
    return { peers: { ...ours, ...peers }, times: Object.fromEntries(times) }
  } finally {
    await server.remove()
  }
}

function combineFigures(before: PeerFigure, after: PeerFigure | undefined): PeerFigure {
  if (before.per_s === null || after === undefined || after.per_s === null) return before
  return { ...before, per_s: roundFigure((before.per_s + after.per_s) / 2) }
}
