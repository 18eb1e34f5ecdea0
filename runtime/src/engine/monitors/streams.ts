/**
 * Who is watched, and by what. A stream is the executions of one agent, of a class with those of its
 * instances, in the order in which they become known: when they settle, or when an auditor has spoken of them.
 */
import {
  AUTHORITY,
  type Authority,
  listMonitorsInForce,
  listSources,
  type MonitorInForce,
  parseSource,
} from 'rubicon-kernel'
import type { Registrar } from '../authority/registry/append-authority.ts'
import { MODEL_COLUMN } from './model-marks.ts'

export type MonitoredStream = {
  readonly name: string
  readonly agent_id: string
  /** Whose word is waited for; null: none, an execution counts when it settles. */
  readonly auditor: string | null
  /** The sources of all its monitors, each once and in one order; and the model behind each execution. */
  readonly sources: readonly string[]
  readonly monitors: readonly MonitorInForce[]
}

export type MonitoredStreams = ReadonlyMap<string, MonitoredStream>

/** What is watched, and the authority that says so. */
export type InForce = { readonly authority: Authority; readonly streams: MonitoredStreams }

type Source = Pick<Registrar, 'authorities' | 'sha256' | 'store'>

/**
 * Authority does not change; another one is another object. But its contracts begin and end: what
 * was worked out of it holds until the next of them does.
 */
export class InForceCache {
  readonly #source: Source
  #known: (InForce & { readonly until: string | null }) | null = null

  constructor(source: Source) {
    this.#source = source
  }

  async loadLatest(): Promise<InForce> {
    const { authorities, sha256, store } = this.#source
    const authority = await authorities.loadLatest()
    const known = this.#known?.authority === authority ? this.#known : null
    if (known !== null && known.until === null) return known
    const { now } = await store.readNow(AUTHORITY)
    if (known?.until != null && now < known.until) return known
    const streams = groupStreams(listMonitorsInForce(authority, now, sha256))
    this.#known = { authority, streams, until: findNextTurn(authority, now) }
    return this.#known
  }
}

/** When the next contract begins or ends; null: none does. */
function findNextTurn({ contracts }: Authority, now: string): string | null {
  const points = [...contracts.values()].flat().flatMap(({ contract, revoked }) => {
    const { effective_from, effective_until = effective_from } = contract
    return revoked ? [] : [effective_from, effective_until]
  })
  const [next] = points.filter((point) => point > now).sort()
  return next ?? null
}

export function groupStreams(monitors: readonly MonitorInForce[]): MonitoredStreams {
  const streams = new Map<string, MonitoredStream>()
  for (const one of monitors) {
    const auditor = findAuditor(one)
    const name = toStreamName(one.agent_id, auditor)
    const known = streams.get(name)
    const own = [MODEL_COLUMN, ...listSources(one.monitor)]
    const sources = new Set([...(known?.sources ?? []), ...own])
    streams.set(name, {
      name,
      agent_id: one.agent_id,
      auditor,
      sources: [...sources].sort(),
      monitors: [...(known?.monitors ?? []), one],
    })
  }
  return streams
}

/** A name of ours holds no space, so that no two streams share one. */
export function toStreamName(agent: string, auditor: string | null): string {
  return auditor === null ? `settled ${agent}` : `found ${auditor} ${agent}`
}

function findAuditor({ monitor }: MonitorInForce): string | null {
  for (const source of listSources(monitor).map(parseSource))
    if (source?.kind === 'finding') return source.name
  return null
}
