/**
 * Follows the ledger in tree order and makes samples of what monitors watch. It writes nothing: the
 * same entries give the same samples, for a sweep and for a rehearsal over history.
 */
import { isSampledStatus, parseInstant, type Sample } from 'rubicon-kernel'
import type { LeafEntry, Store } from '../../ports/store.ts'
import { type Execution, executionOf, type Said, saidOf, valueAt } from './execution.ts'
import { FlowStories } from './flow-stories.ts'
import { type Stream, type Streams, streamName } from './streams.ts'

export type StreamSample = {
  readonly stream: Stream
  readonly sample: Sample
  readonly dfid: string
}

export class Sampler {
  readonly #stories: FlowStories
  #now: number

  /** `now`: the latest time of the entries before. */
  constructor(store: Pick<Store, 'entriesOfFlow'>, now = 0) {
    this.#stories = new FlowStories(store)
    this.#now = now
  }

  /** The tree keeps the order of each trajectory, not of time: here time does not run back. */
  get now(): number {
    return this.#now
  }

  /** Null: the entry says nothing of an execution that is watched. */
  async read(entry: LeafEntry, streams: Streams): Promise<StreamSample | null> {
    this.#stories.see(entry)
    this.#now = Math.max(this.#now, parseInstant(entry.envelope.at) ?? 0)
    const { dfid } = entry.envelope
    const said = saidOf(entry)
    if (dfid === undefined || said === null) return null
    const status = said.kind === 'found' ? 'SUCCESS' : said.status
    if (!isSampledStatus(status)) return null
    const execution = executionOf(await this.#stories.of(dfid), (intent) =>
      said.kind === 'found'
        ? intent.step_id === said.step_id && intent.proposal_hash === said.proposal_hash
        : intent.intent_id === said.intent_id,
    )
    const stream = execution === null ? undefined : streamFor(execution, said, streams)
    if (execution === null || stream === undefined) return null
    const sample = {
      leaf: entry.leaf,
      at: this.#now,
      policy_kind: execution.intent.policy_kind,
      status,
      values: valuesOf(stream, execution, said),
    }
    return { stream, sample, dfid }
  }
}

function streamFor({ intent }: Execution, said: Said, streams: Streams): Stream | undefined {
  return streams.get(streamName(intent.agent_id, said.kind === 'found' ? said.auditor : null))
}

function valuesOf({ sources }: Stream, execution: Execution, said: Said): Sample['values'] {
  const values: Record<string, string | null> = {}
  for (const source of sources) {
    const value = saidAt(source, said) ?? valueAt(execution, source)
    if (value !== undefined) values[source] = value
  }
  return values
}

function saidAt(source: string, said: Said): string | undefined {
  if (source === 'status') return said.kind === 'settled' ? said.status : 'SUCCESS'
  if (said.kind === 'found' && source === `finding:${said.auditor}`) return said.finding
  return undefined
}
