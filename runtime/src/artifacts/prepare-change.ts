/**
 * What a change of artifacts comes to, worked out before anything is written: files, records, World.
 *
 * P1 the same plan on the same World comes to the same bytes and the same records: whoever asks later what became of it works it out
 *    again, and looks at the disk.
 */
import type { PlannedChange } from 'rubicon-artifacts/desk'
import type { FileChange } from 'rubicon-artifacts/files'
import type { ContentHash } from 'rubicon-artifacts/store'
import type { ClaimSet, DeltaOp, JsonValue, SignedIntent } from 'rubicon-kernel'
import type { Effect } from '../ports/capability.ts'
import type { ChangeRecord } from './change-record.ts'
import {
  getKnown,
  getSlot,
  type KnownProject,
  putSlot,
  type Slot,
  toArtifactValue,
} from './known-world.ts'
import { type ClaimingPlans, listClaiming } from './open-plans.ts'
import type { Splice, Step } from './plan-record.ts'
import { createRefusal } from './refusal.ts'
import type { Workshop } from './workshop.ts'
import type { KnownArtifact } from './world-values.ts'

/** One artifact, from what it is to what it becomes. */
export type ChangedText = {
  readonly artifact: string
  readonly after: string
  readonly base: ContentHash | null
  readonly deltas: readonly JsonValue[] | null
  readonly claims: ClaimSet | null
  readonly splices: readonly Splice[]
  readonly steps: readonly Step[]
  readonly symbols: readonly string[]
  readonly undoes: ContentHash | null
}

export type ChangeCause = {
  readonly what: ChangeRecord['what']
  readonly plan: ContentHash | null
  readonly key: string
  readonly intent: Pick<SignedIntent, 'agent_id' | 'dfid' | 'step_id'>
}

export type PreparedOn = {
  readonly slots: ReadonlyMap<string, Slot<KnownArtifact>>
  readonly project: KnownProject
  readonly open: ClaimingPlans['open']
}

export type PreparedChange = {
  readonly files: readonly FileChange[]
  readonly effect: Effect & { readonly delta: readonly DeltaOp[] }
}

export async function prepareChange(
  { shelf }: Workshop,
  cause: ChangeCause,
  texts: readonly ChangedText[],
  { slots, project, open }: PreparedOn,
): Promise<PreparedChange> {
  const files: FileChange[] = []
  const delta: DeltaOp[] = []
  const changed: JsonValue[] = []
  const hashes = new Map<string, ContentHash>()
  for (const text of texts) {
    const { artifact } = text
    const known = getKnown(slots, artifact)
    const bytes = new TextEncoder().encode(text.after)
    const content_hash = await shelf.putBytes(bytes)
    const change = await shelf.putChange(buildRecord(cause, text, known, content_hash))
    const plans = listClaiming(known, open, cause.plan === null ? {} : { drop: cause.plan })
    const value = { ...known, content_hash, bytes: bytes.length, change, plans }
    files.push({ id: artifact, before: known.content_hash, bytes })
    delta.push(putSlot(getSlot(slots, artifact), toArtifactValue(value)))
    changed.push({ name: artifact, before: known.content_hash, after: content_hash, change })
    hashes.set(artifact, content_hash)
  }
  if (project.slot.value === null)
    throw createRefusal('ARTIFACT_UNKNOWN', 'World has no list of artifacts')
  const root = await shelf.updateRoot(project.root, hashes)
  delta.push(putSlot(project.slot, { root, count: project.names.size }))
  return { files, effect: { result: { changed }, delta } }
}

function buildRecord(
  { what, plan, key, intent }: ChangeCause,
  { artifact, base, deltas, claims, splices, steps, symbols, undoes }: ChangedText,
  known: KnownArtifact,
  after: ContentHash,
): ChangeRecord {
  const { agent_id, dfid, step_id } = intent
  return {
    ...{ protocol: 1, what, artifact, before: known.content_hash, after, base, plan },
    ...{ deltas, claims, key, splices, steps, symbols, previous: known.change, undoes },
    ...{ agent_id, dfid, step_id },
  }
}

export function toChangedText(
  {
    artifact,
    after,
    base,
    deltas,
    claims,
    splices,
    steps,
    symbols,
  }: Omit<PlannedChange, 'base'> & {
    readonly base: ContentHash
  },
  undoes: ContentHash | null,
): ChangedText {
  return { artifact, after, base, deltas, claims, splices, steps, symbols, undoes }
}
