/**
 * What is heard on the bus. A message is believed in nothing: it is held against the store, and what does not stand there
 * is dropped. An agent hears of events that woke it, on topics that its contract names.
 */
import {
  err,
  type Failure,
  findCurrentContract,
  findTopicRow,
  isPrefixCovering,
  listSubscriptions,
  MAIN,
  ok,
  type Result,
  type SubscriptionPayload,
  toCanonicalText,
} from 'rubicon-kernel'
import type { BusDelivery, Unsubscribe } from '../../ports/bus.ts'
import type { Context } from '../engine-context.ts'
import { mintSalt } from '../rows/identity.ts'
import { findEvent } from './event-rows.ts'

/** An event that woke an agent, and the flow that it has in it. */
export type WakeHint = { readonly event_id: string; readonly topic: string; readonly dfid: string }
export type HintHandler = (hint: WakeHint) => unknown

/** The same event is told once; of older ones it is forgotten that they were. */
const TOLD_MOST = 10_000

/** Null: nothing of the kind stands in the store, or it is over. */
export async function checkHint(
  { store, tenant }: Context,
  { topic, message, dfid, snapshot_id }: BusDelivery,
): Promise<(WakeHint & { readonly agent: string }) | null> {
  const { event_id, agent } = message
  if (message.tenant !== tenant || typeof event_id !== 'string') return null
  const event = await findEvent(store, event_id)
  if (event === null || event.body.topic !== topic) return null
  if (event.body.state_snapshot_id !== snapshot_id) return null
  const member = event.body.members.find((one) => one.dfid === dfid && one.agent === agent)
  if (member === undefined || member.ended !== undefined) return null
  // Nobody was woken for what a flow of the event opened.
  if (member.parent !== undefined) return null
  const flow = await store.readFlow(dfid)
  if (flow !== null && (flow.state === 'CLOSED' || flow.state === 'ABORTED')) return null
  return { event_id, topic, dfid, agent: member.agent }
}

/** Refused outside of the contract; both are on the record. */
export async function subscribeAgent(
  context: Context,
  agent: string,
  topic: string,
  handler: HintHandler,
): Promise<Result<Unsubscribe, Failure>> {
  const { bus } = context
  if (bus === undefined) return err(noBus)
  const isAllowed = await isTopicNamed(context, agent, topic)
  const recorded = await recordSubscription(context, agent, topic, isAllowed)
  if (!recorded) return err(unrecorded)
  if (!isAllowed) return err(buildDeniedFailure(agent, topic))
  const told = new Set<string>()
  const hear = async (delivery: BusDelivery): Promise<void> => {
    const hint = await checkHint(context, delivery)
    if (hint === null || hint.agent !== agent || told.has(hint.dfid)) return
    told.add(hint.dfid)
    const [oldest] = told
    if (told.size > TOLD_MOST && oldest !== undefined) told.delete(oldest)
    const { event_id, dfid } = hint
    await handler({ event_id, topic: hint.topic, dfid })
  }
  return ok(await bus.subscribe(topic, hear, { agent_id: agent }))
}

/** The topic of a subscription is the one that the rules give its path. */
async function isTopicNamed(context: Context, agent: string, topic: string): Promise<boolean> {
  const authority = await context.authorities.loadLatest()
  const { now } = await context.store.readNow(MAIN)
  const contract = findCurrentContract(authority, agent, now)?.contract
  if (contract === undefined) return false
  const rows = authority.rules?.rules.topics ?? []
  return listSubscriptions(contract).some(
    ({ topic: named }) =>
      isPrefixCovering(named, topic) || findTopicRow(rows, named).topic === topic,
  )
}

async function recordSubscription(
  context: Context,
  agent_id: string,
  topic: string,
  isAllowed: boolean,
): Promise<boolean> {
  const payload: SubscriptionPayload = {
    salt: mintSalt(context),
    source: 'bus',
    finding: isAllowed ? 'subscribed' : 'denied',
    details: { agent_id, topic },
  }
  const outcome = await context.store.commit({
    guards: [],
    writes: [
      { kind: 'append', trajectory: MAIN, entry: 'evidence', payload: toCanonicalText(payload) },
    ],
  })
  return outcome.ok
}

const noBus: Failure = {
  code: 'BUS_MISSING',
  summary: 'this process has no bus',
  fix: 'give `bus` to `createRuntime`',
}

const unrecorded: Failure = {
  code: 'STORE_CONTENTION',
  summary: 'the subscription could not be recorded',
  fix: 'try again',
}

function buildDeniedFailure(agent: string, topic: string): Failure {
  return {
    code: 'SUBSCRIPTION_DENIED',
    summary: `the contract of \`${agent}\` does not name \`${topic}\``,
    why: 'an agent hears what its contract subscribes to',
    fix: 'deploy a version of the contract with that subscription',
  }
}
