/**
 * SPAWN_INSTANCE: an agent makes an instance inside its own hierarchy, for an occasion that ends. The
 * class is the proposer itself, or an agent from which the chain of `parent_agent` leads to it: whoever
 * answers for an agent may have more of it, narrowed, and nobody else may.
 *
 * The contract, the record of what ends the instance, and that of what this step made are one unit, so
 * that a process that dies leaves no instance that nobody ends, and the same intent finds its own again.
 */
import {
  type Authority,
  err,
  type Failure,
  findCurrentContract,
  formatInstant,
  hasAncestorOrSelf,
  type InstanceUntil,
  type JsonObject,
  LIMITS,
  OPEN_FLOW_STATES,
  ok,
  parseInstant,
  type Result,
  type SignedIntent,
} from 'rubicon-kernel'
import type { Effect, ProbeAnswer } from '../../ports/capability.ts'
import type { RecordBodies } from '../../ports/record.ts'
import type { Write } from '../../ports/store.ts'
import { buildAuthorityUnit } from '../authority/registry/append-authority.ts'
import { decideSpawn, type SpawnRequest, spawnInstance } from '../authority/registry/instances.ts'
import { checkAgentStatus } from '../authority/registry/stopped-agent.ts'
import type { Context, UnitEffect } from '../engine-context.ts'
import { iterateLiveInstances, LIVE } from '../rows/live-instances.ts'
import { toNotApplied } from './not-done.ts'

type Asked = {
  readonly class: string
  readonly instance_id: string
  readonly narrowing?: JsonObject
  readonly until: InstanceUntil
}

type Live = RecordBodies['instance']

export async function spawnByProposal(context: Context, intent: SignedIntent): Promise<Effect> {
  const earlier = await findMade(context, intent)
  if (earlier !== null) return { result: toResult(earlier) }
  const { request, made } = await buildSpawnRequest(context, intent)
  const spawned = await spawnInstance(context, request)
  if (!spawned.ok) {
    // Another process may have carried the same step out meanwhile.
    const found = await findMade(context, intent)
    if (found !== null) return { result: toResult(found) }
    throw toNotApplied(spawned.error)
  }
  return { result: toResult(made) }
}

export async function prepareInstanceSpawn(
  context: Context,
  intent: SignedIntent,
): Promise<UnitEffect> {
  const { authorities } = context
  const { request, made } = await buildSpawnRequest(context, intent)
  const authority = await authorities.loadLatest()
  const decided = await decideSpawn(context, request, authority)
  if (!decided.ok) throw toNotApplied(decided.error)
  const { entries } = decided.value
  return {
    effect: { result: toResult(made) },
    unit: buildAuthorityUnit(authority, decided.value),
    finish: () => authorities.follow(authority.seq + entries.length),
    explain: () => null,
  }
}

async function buildSpawnRequest(
  context: Context,
  intent: SignedIntent,
): Promise<{ readonly request: SpawnRequest; readonly made: Made }> {
  const { class: ofClass, instance_id: instance, narrowing = {}, until } = parseAsked(intent)
  const ends = await resolveInstanceEnd(context, intent, until)
  if (!ends.ok) throw toNotApplied(ends.error)
  const { agent_id: spawner } = intent
  const live: Live = { class: ofClass, spawner, until, ends_at: ends.value }
  const request: SpawnRequest = {
    class: ofClass,
    instance,
    narrowing,
    occasion: { spawner, until, ends_at: ends.value },
    admit: async (authority, now) =>
      (await checkSpawnHierarchy(context, authority, live, now)) ??
      checkSpawnRate(context, intent, live),
    beside: buildBesideWrites(intent, instance, live),
  }
  return { request, made: { ...live, agent_id: instance } }
}

/** An instance that has ended meanwhile was made all the same. */
export async function probeInstanceSpawned(
  context: Context,
  intent: SignedIntent,
): Promise<ProbeAnswer> {
  const made = await findMade(context, intent)
  if (made === null) return { finding: 'absent' }
  return { finding: 'applied', effect: { result: toResult(made) } }
}

/** The arguments were checked against their schema. */
function parseAsked({ params }: SignedIntent): Asked {
  return params as unknown as Asked
}

type Made = Live & { readonly agent_id: string }

async function findMade(
  { store }: Context,
  { dfid, step_id, intent_id }: SignedIntent,
): Promise<Made | null> {
  const record = await store.readRecord('spawned_instance', dfid, step_id)
  return record?.body.intent_id === intent_id ? record.body : null
}

/** No key and no token: whoever runs the instance registers a key for it, as for any agent. */
function toResult({ agent_id, class: instance_of, ends_at }: Made): JsonObject {
  return { agent_id, instance_of, ends_at }
}

/** When it ends at the latest, whatever becomes of its flow. */
async function resolveInstanceEnd(
  { store }: Context,
  { agent_id, staged_at }: SignedIntent,
  until: InstanceUntil,
): Promise<Result<string, Failure>> {
  const from = parseInstant(staged_at) ?? 0
  const latest = from + LIMITS.instanceMs
  if ('at' in until) {
    const at = parseInstant(until.at)
    if (at === undefined || at <= from || at > latest)
      return err(
        buildUntilFailure('`until.at` is no time, has passed, or is more than a week ahead'),
      )
    return ok(formatInstant(at))
  }
  const flow = await store.readFlow(until.flow)
  if (flow?.agent_id !== agent_id || !OPEN_FLOW_STATES.includes(flow.state))
    return err(buildUntilFailure('`until.flow` is not an open flow of the agent that spawns'))
  return ok(formatInstant(latest))
}

function buildUntilFailure(summary: string): Failure {
  return { code: 'INSTANCE_UNTIL', summary, fix: 'name an open flow of yours, or a time' }
}

async function checkSpawnHierarchy(
  context: Context,
  authority: Authority,
  { class: ofClass, spawner }: Live,
  now: string,
): Promise<Failure | null> {
  const stopped = checkAgentStatus(authority, spawner)
  if (stopped !== null) return stopped
  const findParent = (agent: string): string | undefined =>
    findCurrentContract(authority, agent, now)?.contract.parent_agent
  if (!hasAncestorOrSelf(ofClass, spawner, findParent))
    return {
      code: 'INSTANCE_FOREIGN',
      summary: `\`${ofClass}\` is not below \`${spawner}\``,
      why: 'an agent may have instances of itself, and of those it answers for',
      fix: 'name yourself, or an agent whose parents lead to you',
    }
  let live = 0
  for await (const { body } of iterateLiveInstances(context))
    if (body.spawner === spawner) live += 1
  if (live < LIMITS.instancesPerSpawner) return null
  return {
    code: 'INSTANCE_LIMIT',
    summary: `\`${spawner}\` has spawned ${LIMITS.instancesPerSpawner} instances that have not ended`,
    fix: 'wait until some of them have ended',
  }
}

/** Short lives leave room among the live ones, and every one of them stays on the record. */
async function checkSpawnRate(
  { store }: Context,
  { staged_at }: SignedIntent,
  { class: ofClass }: Live,
): Promise<Failure | null> {
  const spawned = await store.readCounter(toHourCounter(ofClass, staged_at))
  if (spawned < LIMITS.instancesPerHour) return null
  return {
    code: 'INSTANCE_LIMIT',
    summary: `${spawned} instances of \`${ofClass}\` were spawned in this hour`,
    fix: 'wait for the next hour, or let instances live longer',
  }
}

/** There is no space in the names of budgets. */
function toHourCounter(ofClass: string, now: string): string {
  return `spawned ${ofClass} ${Math.floor((parseInstant(now) ?? 0) / HOUR_MS)}`
}

const HOUR_MS = 3_600_000

function buildBesideWrites(
  { dfid: group, step_id: key, intent_id, staged_at }: SignedIntent,
  agent_id: string,
  live: Live,
): readonly Write[] {
  return [
    { kind: 'count', id: toHourCounter(live.class, staged_at), by: 1 },
    { kind: 'put_record', record: 'instance', group: LIVE, key: agent_id, body: live },
    {
      kind: 'put_record',
      record: 'spawned_instance',
      group,
      key,
      body: { ...live, agent_id, intent_id },
    },
  ]
}
