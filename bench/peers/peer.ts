/**
 * Measures one peer and prints one line of JSON.
 *
 * Its boundary: a peer is what takes a proposal and returns an outcome once that is recorded.
 * 1. A peer whose gate lets a bad proposal through has no figure.
 * 2. Every success has had exactly one effect.
 * 3. Lanes are full before the clock starts and until it stops: neither filling nor draining counts.
 */
import { parseArgs } from 'node:util'
import { countEffects, type Outcome, type Proposal } from './refund.ts'

const WARM_UP_S = 2
const SEQUENTIAL_S = 1

const GOOD_CENTS = 2_000
const BAD: readonly Proposal[] = [
  { order: 'o-1', cents: 0 },
  { order: '', cents: 2_000 },
  { order: 'o-1', cents: 50_001 },
]

export interface Peer {
  /** What the figure means: how durable, in which configuration. */
  readonly note: string
  /** One at a time where the peer has no waiting to share. */
  readonly concurrency?: 1
  act(proposal: Proposal): Promise<Outcome> | Outcome
  close(): Promise<void> | void
}

export type PeerOptions = {
  /** The server, for peers that need one. */
  readonly postgres: string
  readonly seconds: number
  readonly lanes: number
  /** Another way of the same peer; the empty string is the plain one. */
  readonly variant: string
}

export function parsePeerOptions(variants: readonly string[] = []): PeerOptions {
  const { values } = parseArgs({
    options: {
      postgres: { type: 'string', default: '' },
      seconds: { type: 'string', default: '3' },
      lanes: { type: 'string', default: '64' },
      variant: { type: 'string', default: '' },
    },
  })
  const { postgres, seconds, lanes, variant } = values
  const options = { seconds: Number(seconds), lanes: Number(lanes) }
  if (!(options.seconds > 0)) throw new Error(`\`${seconds}\` is no number of seconds`)
  if (!(options.lanes >= 1)) throw new Error(`\`${lanes}\` is no number of lanes`)
  if (!['', ...variants].includes(variant)) throw new Error(`\`${variant}\` is no variant`)
  return { postgres, ...options, variant }
}

/** Leaves with exit code 1 and the reason on stderr where the peer cannot run. */
export async function printFigure(name: string, options: PeerOptions, peer: Peer): Promise<void> {
  const { seconds, lanes, variant } = options
  const concurrency = peer.concurrency ?? lanes
  try {
    const before = await proveGate(peer)
    const many = await measure(peer, { lanes: concurrency, warmUp: WARM_UP_S, seconds })
    const alone =
      concurrency === 1
        ? many
        : await measure(peer, { lanes: 1, warmUp: SEQUENTIAL_S / 4, seconds: SEQUENTIAL_S })
    const acts = many.acts + (alone === many ? 0 : alone.acts)
    const did = countEffects() - before
    if (did !== acts) throw new Error(`${acts} successes had ${did} effects`)
    console.log(
      JSON.stringify({
        name: variant === '' ? name : `${name}_${variant}`,
        per_s: many.perSecond,
        concurrency,
        sequential_per_s: alone.perSecond,
        latency_ms: many.medianMs,
        note: peer.note,
      }),
    )
  } finally {
    await peer.close()
  }
}

/** A gate that is not there would be the fastest of all. Returns the effects had so far. */
async function proveGate(peer: Peer): Promise<number> {
  for (const proposal of BAD) {
    const { kind } = await peer.act(proposal)
    if (kind !== 'denied') throw new Error(`${JSON.stringify(proposal)} went through the gate`)
  }
  if (countEffects() !== 0) throw new Error('a denied proposal had an effect')
  await actOnce(peer, 0)
  if (countEffects() !== 1) throw new Error('a permitted proposal had no effect')
  return countEffects()
}

async function actOnce(peer: Peer, number: number): Promise<void> {
  const outcome = await peer.act({ order: `o-${number}`, cents: GOOD_CENTS })
  if (outcome.kind !== 'refunded' || outcome.cents !== GOOD_CENTS) {
    throw new Error(`a measured action did not succeed: ${JSON.stringify(outcome)}`)
  }
}

type Window = { readonly lanes: number; readonly warmUp: number; readonly seconds: number }
type Measured = { readonly perSecond: number; readonly medianMs: number; readonly acts: number }

async function measure(peer: Peer, { lanes, warmUp, seconds }: Window): Promise<Measured> {
  const from = performance.now() + warmUp * 1000
  const until = from + seconds * 1000
  const times: number[] = []
  // From one completion to another: lanes that move in step end in bursts, and a burst too many or
  // too few would count for much.
  let first = from - warmUp * 1000
  let last = first
  let acts = 0
  const runLane = async (): Promise<void> => {
    for (;;) {
      const started = performance.now()
      if (started >= until) return
      acts += 1
      await actOnce(peer, acts)
      const ended = performance.now()
      if (ended >= until) continue
      last = ended
      if (ended < from) first = ended
      else times.push(ended - started)
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  if (times.length === 0) throw new Error(`nothing was done within ${seconds} s`)
  times.sort((a, b) => a - b)
  const medianMs = times[times.length >> 1] ?? 0
  return { perSecond: (times.length * 1000) / (last - first), medianMs, acts }
}
