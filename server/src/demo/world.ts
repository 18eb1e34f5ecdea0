/**
 * What a played scenario left in its store, as one hash: two stores on which the same happened have the same.
 *
 * In it are the values of State, the World, every flow with the verdicts that its ledger holds step by step, and which
 * agents were stopped. Not in it are ids, times, keys and signatures, which are each run's own, nor in which order flows
 * were opened: those of one moment have none.
 */
import {
  type Address,
  AUTHORITY,
  computeAddress,
  isObject,
  type JsonObject,
  type JsonValue,
  type LifecyclePayload,
  toCanonicalText,
} from 'rubicon-kernel'
import type { FlowRow, Store, StoredEntry } from 'rubicon-runtime/ports'
import { nodeCrypto } from 'rubicon-verifier'

/** More than any scenario has of anything. */
const ALL = 100_000

export async function hashWorld(store: Store): Promise<Address> {
  return computeAddress('scenario_world', await readWorld(store), nodeCrypto.sha256)
}

/** What is hashed, for whoever looks for a difference. */
export async function readWorld(store: Store): Promise<JsonObject> {
  const trajectories = (await store.listHeads()).map(({ trajectory }) => trajectory)
  const worlds = await Promise.all(trajectories.map((name) => readResources(store, name)))
  const flows = await store.listFlows({ limit: ALL })
  return {
    state: await readState(store),
    world: sortByText(worlds.flat()),
    flows: sortByText(await Promise.all(flows.map((flow) => readFlowStory(store, flow)))),
    stopped: await readStoppedAgents(store),
  }
}

async function readState(store: Store): Promise<JsonObject> {
  const said = await store.listRecords('observation', 'state', { limit: ALL })
  const values = said.map(({ key, body }) => {
    const { said: owner, operator } = body
    const value = [owner, operator].map((word) => (word === null ? null : [word.label, word.value]))
    return [key, dropNames(value)] as const
  })
  return Object.fromEntries(values)
}

async function readResources(store: Store, trajectory: string): Promise<readonly JsonValue[]> {
  const facts = await store.listWorld(trajectory, null, ALL)
  return facts.map(({ kind, id, value }) => dropNames([kind, id, value]))
}

async function readFlowStory(store: Store, flow: FlowRow): Promise<JsonValue> {
  const { dfid, agent_id, trigger, state, tags, rejections } = flow
  const entries = await store.listFlowEntries(dfid)
  const executions = await store.listExecutions({ dfid, limit: ALL })
  return dropNames({
    ...{ agent_id, trigger, state, tags: [...tags], rejections },
    topic: flow.event?.topic ?? null,
    entries: entries.map(toVerdict),
    steps: executions.map(({ step_id, policy_kind, status, reason_code, result }) => {
      return { step_id, policy_kind, status, reason_code, result }
    }),
  })
}

/** Of an entry: its kind, the step that it is about, and what was decided. */
function toVerdict({ envelope, payload }: StoredEntry): JsonValue {
  const { kind } = envelope
  const said = payload === null ? null : parsePayload(payload)
  if (said === null) return { kind }
  const { request, proposal } = said
  const { reason_code = null, domain_code = null } = isObject(request) ? request : said
  const { step_id = said.step_id ?? null, policy_kind = null } = isObject(proposal) ? proposal : {}
  const { gate = null, attempt = null, status = null, source = null, finding = null } = said
  return {
    ...{ kind, step_id, policy_kind, reason_code, domain_code },
    ...{ gate, attempt, status, source, finding },
  }
}

/** Entries in our own store are canonical JSON. */
function parsePayload(payload: string): JsonObject {
  return JSON.parse(payload) as JsonObject
}

/** Who works may have shaken hands or not: that is a matter of the door that it came through. */
async function readStoppedAgents(store: Store): Promise<JsonObject> {
  const moved = (await store.listEntries(AUTHORITY, 0, ALL)).flatMap(({ envelope, payload }) => {
    if (envelope.kind !== 'lifecycle' || payload === null) return []
    const { agent_id, to } = (JSON.parse(payload) as LifecyclePayload).body
    return [[agent_id, to] as const]
  })
  const last = [...new Map(moved)]
  return Object.fromEntries(last.filter(([, to]) => to === 'SUSPENDED' || to === 'RETIRED'))
}

const NAMES =
  /sha256:[0-9a-f]{64}|[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** Without ids, hashes and instants, also where they stand within a text. */
function dropNames(value: JsonValue): JsonValue {
  return JSON.parse(toCanonicalText(value).replaceAll(NAMES, '…')) as JsonValue
}

function sortByText(values: readonly JsonValue[]): readonly JsonValue[] {
  const texts = values.map((value) => [toCanonicalText(value), value] as const)
  return texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
}
