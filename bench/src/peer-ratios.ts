/** How many times a peer's figure ours is; null where either of them did not run. */
import { roundFigure } from './measure.ts'
import type { PeerFigure } from './peers.ts'

type Figures = Readonly<Record<string, PeerFigure>>

/** By the name of the peer. */
export type Ratios = Readonly<Record<string, number | null>>

export type PeerRatios = {
  /** A decision in an open flow, with Postgres beneath both, 64 at a time. */
  readonly times: Ratios
  /** One act, which opens its flow, 64 at a time. */
  readonly act_times: { readonly postgres: Ratios; readonly sqlite: Ratios }
  /** The same, one after the other. */
  readonly sequential_act_times: { readonly postgres: Ratios; readonly sqlite: Ratios }
}

export function computePeerRatios(ours: Figures, peers: Figures): PeerRatios {
  const onPostgres = ours.rubicon_postgres_act
  const onSqlite = ours.rubicon_sqlite_act
  return {
    times: divideBy(peers, ours.rubicon_postgres, getRate),
    act_times: {
      postgres: divideBy(peers, onPostgres, getRate),
      sqlite: divideBy(peers, onSqlite, getRate),
    },
    sequential_act_times: {
      postgres: divideBy(peers, onPostgres, getSequentialRate),
      sqlite: divideBy(peers, onSqlite, getSequentialRate),
    },
  }
}

type GetFigure = (figure: PeerFigure | undefined) => number | null

const getRate: GetFigure = (figure) => figure?.per_s ?? null
const getSequentialRate: GetFigure = (figure) => figure?.sequential_per_s ?? null

function divideBy(peers: Figures, ours: PeerFigure | undefined, getFigure: GetFigure): Ratios {
  const own = getFigure(ours)
  const ratios = Object.entries(peers).map(([name, peer]) => {
    const theirs = getFigure(peer)
    const isKnown = own !== null && theirs !== null && theirs > 0
    return [name, isKnown ? roundFigure(own / theirs) : null] as const
  })
  return Object.fromEntries(ratios)
}
