/**
 * Who is watched, and by what. A stream is the executions of one agent in the order in which they
 * become known: when they settle, or when an auditor has spoken of them.
 */
import {
  type Authority,
  type MonitorInForce,
  monitorsInForce,
  parseSource,
  sourcesOf,
} from 'rubicon-kernel'
import type { Registrar } from '../registry/append-authority.ts'

export type Stream = {
  readonly name: string
  readonly agent_id: string
  /** Whose word is waited for; null: none, an execution counts when it settles. */
  readonly auditor: string | null
  /** The sources of all its monitors, each once and in one order. */
  readonly sources: readonly string[]
  readonly monitors: readonly MonitorInForce[]
}

export type Streams = ReadonlyMap<string, Stream>

/** What is watched, and the authority that says so. */
export type InForce = { readonly authority: Authority; readonly streams: Streams }

/** Authority does not change; another one is another object. */
export class InForceCache {
  readonly #registrar: Pick<Registrar, 'authorities' | 'sha256'>
  #known: InForce | null = null

  constructor(registrar: Pick<Registrar, 'authorities' | 'sha256'>) {
    this.#registrar = registrar
  }

  async latest(): Promise<InForce> {
    const { authorities, sha256 } = this.#registrar
    const authority = await authorities.latest()
    if (this.#known?.authority !== authority)
      this.#known = { authority, streams: streamsWatched(monitorsInForce(authority, sha256)) }
    return this.#known
  }
}

export function streamsWatched(monitors: readonly MonitorInForce[]): Streams {
  const streams = new Map<string, Stream>()
  for (const one of monitors) {
    const auditor = auditorOf(one)
    const name = streamName(one.agent_id, auditor)
    const known = streams.get(name)
    const sources = new Set([...(known?.sources ?? []), ...sourcesOf(one.monitor)])
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
export function streamName(agent: string, auditor: string | null): string {
  return auditor === null ? `settled ${agent}` : `found ${auditor} ${agent}`
}

function auditorOf({ monitor }: MonitorInForce): string | null {
  for (const source of sourcesOf(monitor).map(parseSource))
    if (source?.kind === 'finding') return source.name
  return null
}
