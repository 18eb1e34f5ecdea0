/** What World says of artifacts now, with the versions that a change of it has to name. */
import type { ContentHash } from 'rubicon-artifacts/store'
import type { DeltaOp, JsonValue } from 'rubicon-kernel'
import { createRefusal } from './refusal.ts'
import type { Workshop } from './workshop.ts'
import {
  ALL,
  ARTIFACT,
  type KnownArtifact,
  type OpenPlan,
  PLAN,
  parseKnownArtifact,
  parseOpenPlan,
  parseProjectRoot,
  ROOT,
} from './world-values.ts'

/** A resource as it stands; `value` null: there is none. */
export type Slot<T> = {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly value: T | null
}

export type KnownProject = {
  readonly slot: Slot<{ readonly root: ContentHash; readonly count: number }>
  readonly root: ContentHash
  /** All names and their hashes. */
  readonly names: ReadonlyMap<string, ContentHash>
}

export async function loadArtifacts(
  workshop: Workshop,
  trajectory: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Slot<KnownArtifact>>> {
  const slots = await loadSlots(workshop, trajectory, ARTIFACT, names, parseKnownArtifact)
  return new Map(slots.map((slot) => [slot.id, slot]))
}

export function loadPlans(
  workshop: Workshop,
  trajectory: string,
  ids: readonly ContentHash[],
): Promise<readonly Slot<OpenPlan>[]> {
  return loadSlots(workshop, trajectory, PLAN, ids, parseOpenPlan)
}

export async function loadProject(workshop: Workshop, trajectory: string): Promise<KnownProject> {
  const [slot] = await loadSlots(workshop, trajectory, ROOT, [ALL], parseProjectRoot)
  const { shelf } = workshop
  const root = slot?.value?.root ?? (await shelf.createRoot())
  const empty = { kind: ROOT, id: ALL, version: 0, value: null }
  return { slot: slot ?? empty, root, names: await shelf.listRoot(root) }
}

/** A value that is none of ours refuses: nobody knows what it stands for. */
async function loadSlots<T>(
  { readWorld }: Workshop,
  trajectory: string,
  kind: string,
  ids: readonly string[],
  parse: (value: JsonValue) => T | null,
): Promise<readonly Slot<T>[]> {
  if (ids.length === 0) return []
  const facts = await readWorld(
    trajectory,
    ids.map((id) => ({ kind, id })),
  )
  return ids.map((id) => {
    const fact = facts.find((one) => one.kind === kind && one.id === id)
    if (fact === undefined || fact.retracted)
      return { kind, id, version: fact?.version ?? 0, value: null }
    const value = parse(fact.value)
    if (value === null)
      throw createRefusal('ARTIFACT_UNKNOWN', `what World has as ${kind} \`${id}\` is not of ours`)
    return { kind, id, version: fact.version, value }
  })
}

/** The artifact as it is known; refuses where it is not. */
export function getKnown(
  slots: ReadonlyMap<string, Slot<KnownArtifact>>,
  name: string,
): KnownArtifact {
  const known = slots.get(name)?.value ?? null
  if (known !== null) return known
  const detail = `no artifact \`${name}\` is known; a file becomes known by \`artifact.adopt\``
  throw createRefusal('ARTIFACT_UNKNOWN', detail, { artifact: name })
}

export function getSlot(
  slots: ReadonlyMap<string, Slot<KnownArtifact>>,
  name: string,
): Slot<KnownArtifact> {
  const slot = slots.get(name)
  if (slot === undefined)
    throw createRefusal('ARTIFACT_UNKNOWN', `\`${name}\` was not named`, { artifact: name })
  return slot
}

export function putSlot(
  { kind, id, version, value: before }: Slot<unknown>,
  value: JsonValue,
): DeltaOp {
  if (before === null) return { op: 'create', kind, id, expected_version: version, value }
  return { op: 'replace', kind, id, expected_version: version, value }
}

export function dropSlot({ kind, id, version }: Slot<unknown>): DeltaOp {
  return { op: 'retract', kind, id, expected_version: version }
}

export function toArtifactValue(known: KnownArtifact): JsonValue {
  return { ...known, plans: [...known.plans] }
}
