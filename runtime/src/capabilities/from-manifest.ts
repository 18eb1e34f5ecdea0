/**
 * A tool that is data, as a capability. The law is the kernel's, computed from the manifest; here is what stands
 * around the executor: its answer becomes a result and a delta, a probe becomes a finding.
 *
 * F1 Only what is made here carries a manifest: other functions under the name of one would be code that no
 *    hash pins.
 */
import {
  buildManifestDelta,
  checkManifestPostcondition,
  type Delta,
  type JsonObject,
  judgeManifestProbe,
  type ManifestExecutor,
  REVERT,
  type Result,
  type SignedIntent,
  type ToolManifest,
} from 'rubicon-kernel'
import {
  type Capability,
  type Compensate,
  type Effect,
  type EffectIo,
  NotApplied,
} from '../ports/capability.ts'
import type { ManifestAnswer, ManifestCall, ManifestHands } from '../tools/hands.ts'

const made = new WeakSet<Capability>()

/** Of a manifest that was parsed. */
export function toCapability(given: ToolManifest, hands: ManifestHands): Capability {
  const manifest = freezeAll(structuredClone(given))
  const { kind, version, summary, effect, risk, params, result, executor } = manifest
  const { postcondition, probe, compensations = {} } = manifest
  const undo = bindCompensations(manifest, hands)
  const capability: Capability = {
    kind,
    manifest,
    version,
    summary,
    effect,
    risk,
    worldOnly: 'world' in executor,
    params,
    ...(result === undefined ? {} : { result }),
    execute: (intent, io) => execute(manifest, hands, intent, io),
    ...(postcondition === undefined
      ? {}
      : {
          postcondition: ({ params: given }, { result: returned }) =>
            checkManifestPostcondition(postcondition, { params: given, result: returned ?? null }),
        }),
    ...(probe === undefined ? {} : { probe: bindProbe(manifest, probe, hands) }),
    ...(Object.hasOwn(compensations, REVERT) && undo[REVERT] !== undefined
      ? { compensate: undo[REVERT] }
      : {}),
    compensations: undo,
  }
  made.add(capability)
  return capability
}

/** What is carried out is what is hashed: whoever has the manifest may change theirs afterwards. */
function freezeAll<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freezeAll(member)
  return Object.freeze(value)
}

/** Whether its functions are those of its manifest. */
export function isMadeOfManifest(capability: Capability): boolean {
  return made.has(capability)
}

async function execute(
  manifest: ToolManifest,
  hands: ManifestHands,
  { params, agent_id }: Pick<SignedIntent, 'params' | 'agent_id'>,
  io: EffectIo,
): Promise<Effect> {
  const { kind, executor } = manifest
  if ('world' in executor) {
    const delta = buildDelta(manifest, { params }, io)
    // Nothing left the process, so that it is known that nothing happened.
    if (!delta.ok) throw new NotApplied(delta.error)
    return { delta: delta.value }
  }
  const answer = await hands.execute(executor, { kind, agent_id, params, purpose: 'effect' }, io)
  return toEffect(manifest, params, answer, io)
}

/** What it says happened did happen. A delta that cannot be made of it leaves it uncertain, for a person to see. */
function toEffect(
  manifest: ToolManifest,
  params: JsonObject,
  { result, receipt }: ManifestAnswer,
  io: EffectIo,
): Effect {
  const delta = buildDelta(manifest, { params, result }, io)
  if (!delta.ok) throw new Error(delta.error)
  return {
    result,
    ...(manifest.delta === undefined ? {} : { delta: delta.value }),
    ...(receipt === undefined ? {} : { receipt }),
  }
}

function buildDelta(
  { delta = [] }: ToolManifest,
  answered: Parameters<typeof buildManifestDelta>[1],
  { world }: EffectIo,
): Result<Delta, string> {
  return buildManifestDelta(delta, answered, world)
}

function bindProbe(
  manifest: ToolManifest,
  probe: NonNullable<ToolManifest['probe']>,
  hands: ManifestHands,
): NonNullable<Capability['probe']> {
  const { absence_authoritative, max_late_arrival_s, executor } = probe
  return {
    absence_authoritative,
    max_late_arrival_s,
    async ask({ params, agent_id }, io) {
      if ('world' in executor) return { finding: 'inconclusive' }
      const call: ManifestCall = { kind: manifest.kind, agent_id, params, purpose: 'probe' }
      const answer = await hands.execute(executor, call, io)
      const finding = judgeManifestProbe(probe, { params, ...answer })
      if (finding !== 'applied') return { finding }
      return { finding, effect: toEffect(manifest, params, answer, io) }
    },
  }
}

function bindCompensations(
  { kind, compensations = {} }: ToolManifest,
  hands: ManifestHands,
): Readonly<Record<string, Compensate>> {
  return Object.fromEntries(
    Object.entries(compensations).map(([choice, executor]): [string, Compensate] => [
      choice,
      bindCompensation(kind, executor, hands),
    ]),
  )
}

/** It returns no delta: the recorded inverse of the effect's own is applied. */
function bindCompensation(
  kind: string,
  executor: ManifestExecutor,
  hands: ManifestHands,
): Compensate {
  if ('world' in executor) return () => ({})
  return async ({ params, agent_id }, io) => {
    const call: ManifestCall = { kind, agent_id, params, purpose: 'compensation' }
    const { result, receipt } = await hands.execute(executor, call, io)
    return { result, ...(receipt === undefined ? {} : { receipt }) }
  }
}
