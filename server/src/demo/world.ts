/**
 * What a played scenario left in its store, as two hashes. Where the same happened, they are the same.
 *
 * `world` is of all of it: the values of State, the World, which agents were stopped, and every flow with the verdicts that
 * its ledger holds, step by step. `effects` leaves the verdicts out: an agent that comes over HTTP after it was stopped is
 * refused at the door, so that no flow holds a refusal; what was done is the same whichever way it came.
 *
 * In neither are ids, times, keys and signatures, which are each run's own, nor the order in which flows were opened: those
 * of one moment have none.
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

export type WorldHashes = { readonly world: Address; readonly effects: Address }

export async function hashWorld(store: Store): Promise<WorldHashes> {
  const { verdicts, ...effects } = await readWorld(store)
  const { sha256 } = nodeCrypto
  return {
    world: computeAddress('scenario_world', { ...effects, verdicts }, sha256),
    effects: computeAddress('scenario_effects', effects, sha256),
  }
}

type World = Readonly<Record<'state' | 'world' | 'stopped' | 'steps' | 'verdicts', JsonValue>>

/** What is hashed, for whoever looks for a difference. */
export async function readWorld(store: Store): Promise<World> {
  const trajectories = (await store.listHeads()).map(({ trajectory }) => trajectory)
  const worlds = await Promise.all(trajectories.map((name) => readResources(store, name)))
  const flows = await store.listFlows({ limit: ALL })
  const steps = await Promise.all(flows.map((flow) => readSteps(store, flow)))
  return {
    state: await readState(store),
    world: toSortedByText(worlds.flat()),
    stopped: await readStoppedAgents(store),
    steps: toSortedByText(steps.flat()),
    verdicts: toSortedByText(await Promise.all(flows.map((flow) => readVerdicts(store, flow)))),
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

async function readSteps(store: Store, flow: FlowRow): Promise<readonly JsonValue[]> {
  const { dfid, agent_id, trigger } = flow
  const executions = await store.listExecutions({ dfid, limit: ALL })
  return executions.map(({ step_id, policy_kind, status, reason_code, result }) =>
    dropNames({ agent_id, trigger, step_id, policy_kind, status, reason_code, result }),
  )
}

async function readVerdicts(store: Store, flow: FlowRow): Promise<JsonValue> {
  const { dfid, agent_id, trigger, state, tags, rejections } = flow
  const entries = await store.listFlowEntries(dfid)
  return dropNames({
    ...{ agent_id, trigger, state, tags: [...tags], rejections },
    topic: flow.event?.topic ?? null,
    entries: entries.map(toVerdict),
  })
}

/** Of an entry: its kind, what it is about, and what was decided. */
function toVerdict({ envelope, payload }: StoredEntry): JsonValue {
  const { kind } = envelope
  const said = payload === null ? {} : parsePayload(payload)
  const request = toMembers(said.request)
  const proposal = toMembers(said.proposal)
  return {
    kind,
    step_id: toMembers(said.intent).step_id ?? proposal.step_id ?? null,
    ...{ policy_kind: proposal.policy_kind ?? null, params: proposal.params ?? null },
    reason_code: said.reason_code ?? request.reason_code ?? null,
    ...{ gate: said.gate ?? null, attempt: said.attempt ?? null, status: said.status ?? null },
    ...{ source: said.source ?? null, finding: said.finding ?? null, delta: said.delta ?? null },
    decision: toMembers(said.body).decision ?? null,
  }
}

function toMembers(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
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

/** Addresses, hashes, ids, instants, and the first digits of a key, by which a demo names what it made. */
const NAMES = new RegExp(
  [
    '(?:sha256:)?[0-9a-f]{64}',
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
    '(?<=/)[0-9a-f]{8}(?![0-9a-f])',
  ].join('|'),
  'g',
)

/** Without ids, hashes and instants, also where they stand within a text. */
function dropNames(value: JsonValue): JsonValue {
  return JSON.parse(toCanonicalText(value).replaceAll(NAMES, '…')) as JsonValue
}

function toSortedByText(values: readonly JsonValue[]): readonly JsonValue[] {
  const texts = values.map((value) => [toCanonicalText(value), value] as const)
  return texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
}
