/** How many of those who listen are woken, by the rules of the topic and what its events have used in this window. */
import {
  type AdmissionCount,
  type AdmissionTokens,
  admitAgents,
  findLargestChange,
  measureChange,
  parseInstant,
  type TopicRow,
} from 'rubicon-kernel'
import type { Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { Listener, StateChange } from './listeners.ts'

type AdmissionWanted = {
  readonly candidates: readonly Listener[]
  readonly waking: readonly StateChange[]
  readonly now: string
}

export type AdmittedListeners = {
  readonly admitted: readonly Listener[]
  readonly refused: readonly { readonly agent_id: string }[]
  readonly count: AdmissionCount
  /** What is written of the tokens that they may use. */
  readonly room: Unit
}

export async function admitListeners(
  context: Context,
  { topic, admission }: TopicRow,
  { candidates, waking, now }: AdmissionWanted,
): Promise<AdmittedListeners> {
  const ranked = candidates.map((listener) => {
    const { agent_id, priority, role } = listener.contract
    return { agent_id, priority, role, listener }
  })
  const volatility = findLargestChange(
    waking.map(({ before, after }) => measureChange(before?.value, after.value)),
  )
  const spent = await readSpentTokens(context, topic, admission?.tokens, now)
  const basis = { volatility, tokensUsed: spent.tokens }
  const { admitted, refused, count } = admitAgents(admission, ranked, basis)
  return {
    admitted: admitted.map(({ listener }) => listener),
    refused,
    count,
    room: buildSpentUnit(topic, admission?.tokens, spent, admitted.length),
  }
}

type Spent = {
  readonly version: number | null
  /** The number of the window, and what events have been given in it. */
  readonly window: number
  readonly tokens: number
}

async function readSpentTokens(
  { store }: Context,
  topic: string,
  rule: AdmissionTokens | undefined,
  now: string,
): Promise<Spent> {
  if (rule === undefined) return { version: null, window: 0, tokens: 0 }
  const window = Math.floor((parseInstant(now) ?? 0) / (1_000 * rule.window_s))
  const known = await store.readRecord('admitted_tokens', GROUP, topic)
  const tokens = known?.body.window === window ? known.body.tokens : 0
  return { version: known?.version ?? null, window, tokens }
}

const GROUP = 'topics'

/** Whoever is woken is expected to use so many, whatever it turns out to be. */
function buildSpentUnit(
  topic: string,
  rule: AdmissionTokens | undefined,
  { version, window, tokens }: Spent,
  admitted: number,
): Unit {
  if (rule === undefined || admitted === 0) return { guards: [], writes: [] }
  const row = { record: 'admitted_tokens', group: GROUP, key: topic } as const
  const body = { window, tokens: tokens + admitted * rule.expected }
  return {
    guards: [{ kind: 'record_version', ...row, version }],
    writes: [{ kind: 'put_record', ...row, body }],
  }
}
