/**
 * Follows the ledger in tree order and makes samples of what monitors watch. It writes nothing: the
 * same entries give the same samples, for a sweep and for a rehearsal over history.
 */
import { findAgentClass, isSampledStatus, parseInstant, type Sample } from 'rubicon-kernel'
import type { LeafEntry, Store } from '../../ports/store.ts'
import {
  type Execution,
  type ExecutionReport,
  findExecution,
  findSourceValue,
  parseSaid,
} from './execution.ts'
import { FlowStories } from './flow-stories.ts'
import { findModelBehind, MODEL_COLUMN } from './model-marks.ts'
import { type InForce, type MonitoredStream, toStreamName } from './streams.ts'

export type StreamSample = {
  readonly stream: MonitoredStream
  readonly sample: Sample
  readonly dfid: string
}

export class Sampler {
  readonly #stories: FlowStories
  #now: number

  /** `now`: the latest time of the entries before. */
  constructor(store: Pick<Store, 'listFlowEntries'>, now = 0) {
    this.#stories = new FlowStories(store)
    this.#now = now
  }

  /** The tree keeps the order of each trajectory, not of time: here time does not run back. */
  get now(): number {
    return this.#now
  }

  /** A sample for each stream that the execution belongs to; none: the entry says nothing of one that is watched. */
  async read(entry: LeafEntry, inForce: InForce): Promise<readonly StreamSample[]> {
    this.#stories.see(entry)
    this.#now = Math.max(this.#now, parseInstant(entry.envelope.at) ?? 0)
    const { dfid } = entry.envelope
    const said = parseSaid(entry)
    if (dfid === undefined || said === null) return []
    // No opinion is neither for the agent nor against it: a model that is down stops nobody.
    if (said.kind === 'found' && said.finding === 'no_opinion') return []
    const status = said.kind === 'found' ? 'SUCCESS' : said.status
    if (!isSampledStatus(status)) return []
    const execution = findExecution(await this.#stories.readEntries(dfid), (intent) =>
      said.kind === 'found'
        ? intent.step_id === said.step_id && intent.proposal_hash === said.proposal_hash
        : intent.intent_id === said.intent_id,
    )
    if (execution === null) return []
    const sampled = { leaf: entry.leaf, at: this.#now, status }
    const { policy_kind } = execution.intent
    return findStreams(execution, said, inForce).map((stream) => {
      const sample = { ...sampled, policy_kind, values: collectValues(stream, execution, said) }
      return { stream, sample, dfid }
    })
  }
}

/**
 * That of its agent, and before it that of the class of an instance: with a stream for each instance alone,
 * a fresh instance would begin every window anew.
 */
function findStreams(
  { intent }: Execution,
  said: ExecutionReport,
  { authority, streams }: InForce,
): readonly MonitoredStream[] {
  const auditor = said.kind === 'found' ? said.auditor : null
  return [findAgentClass(authority, intent.agent_id), intent.agent_id].flatMap(
    (agent = '') => streams.get(toStreamName(agent, auditor)) ?? [],
  )
}

function collectValues(
  { sources }: MonitoredStream,
  execution: Execution,
  said: ExecutionReport,
): Sample['values'] {
  const values: Record<string, string | null> = {}
  for (const source of sources) {
    if (source === MODEL_COLUMN) continue
    const value = findSaidValue(source, said) ?? findSourceValue(execution, source)
    if (value !== undefined) values[source] = value
  }
  const model = findModelBehind(execution.entries, execution.decided)
  if (model !== undefined) values[MODEL_COLUMN] = model
  return values
}

function findSaidValue(source: string, said: ExecutionReport): string | undefined {
  if (source === 'status') return said.kind === 'settled' ? said.status : 'SUCCESS'
  if (said.kind !== 'found') return undefined
  return source === `finding:${said.auditor}` ? said.finding : undefined
}
