/**
 * `bench decide --peers`: the same gated, durable action on other systems and on ours, one after the
 * other on one server in one run, so that the ratios mean something on a noisy machine. Ours is
 * measured before and after the others, in processes like theirs.
 */
import { startLocalServer } from '../../runtime/src/adapters/postgres/local-server.ts'
import { roundFigure } from './measure.ts'
import { computePeerRatios, type PeerRatios } from './peer-ratios.ts'
import { OURS, type PeerFigure, runPeersBench } from './peers.ts'

export type PeersReport = PeerRatios & {
  readonly peers: Readonly<Record<string, PeerFigure>>
}

export async function reportPeers(options: {
  readonly note: (text: string) => void
  /** How long each of them is measured. */
  readonly seconds: number
}): Promise<PeersReport> {
  const server = await startLocalServer()
  try {
    const asked = { ...options, postgres: server.formatAddress('postgres') }
    const before = await runPeersBench({ ...asked, peers: OURS })
    const peers = await runPeersBench(asked)
    const after = await runPeersBench({ ...asked, peers: OURS })
    const ours = Object.fromEntries(
      Object.entries(before).map(([name, figure]) => [name, combineFigures(figure, after[name])]),
    )
    return { peers: { ...ours, ...peers }, ...computePeerRatios(ours, peers) }
  } finally {
    await server.remove()
  }
}

function combineFigures(before: PeerFigure, after: PeerFigure | undefined): PeerFigure {
  if (before.per_s === null || after === undefined || after.per_s === null) return before
  const [first, second] = [before.sequential_per_s, after.sequential_per_s]
  return {
    ...before,
    per_s: roundFigure((before.per_s + after.per_s) / 2),
    ...(first === undefined || second === undefined
      ? {}
      : { sequential_per_s: roundFigure((first + second) / 2) }),
  }
}
