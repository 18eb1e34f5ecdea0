/**
 * Files as they are on the disk become known, or known again after somebody changed them.
 *
 * D1 what somebody else did to a file is not known: a plan that was made on the text before is stale.
 * D2 files are those of `main`; a branch has none.
 */
import type { FileArtifact } from 'rubicon-artifacts/files'
import type { ContentHash } from 'rubicon-artifacts/store'
import { type DeltaOp, type JsonValue, LIMITS, type SignedIntent } from 'rubicon-kernel'
import type { Effect } from '../ports/capability.ts'
import type { ChangeRecord } from './change-record.ts'
import { checkEffectSize } from './effect-size.ts'
import {
  dropSlot,
  getSlot,
  loadArtifacts,
  loadProject,
  putSlot,
  type Slot,
  toArtifactValue,
} from './known-world.ts'
import { createRefusal, toFileRefusal } from './refusal.ts'
import { sortNames } from './symbol-name.ts'
import { FILED, type Workshop } from './workshop.ts'
import { isTexts, type KnownArtifact } from './world-values.ts'
import { readFiles } from './write-files.ts'

export async function adoptFiles(workshop: Workshop, intent: SignedIntent): Promise<Effect> {
  const { shelf } = workshop
  const { trajectory, params } = intent
  const names = sortNames(isTexts(params.artifacts) ? params.artifacts : [])
  const read = readNamed(workshop, trajectory, names)
  const slots = await loadArtifacts(workshop, trajectory, names)
  const project = await loadProject(workshop, trajectory)
  const hashes = new Map<string, ContentHash | null>()
  const delta: DeltaOp[] = []
  const adopted: JsonValue[] = []
  for (const [name, file] of read) {
    const slot = getSlot(slots, name)
    const was = slot.value
    const content_hash = file?.hash ?? null
    const state =
      was?.content_hash === content_hash ? 'unchanged' : file === null ? 'gone' : 'adopted'
    adopted.push({ name, content_hash, state })
    // Also where nothing has changed: what was lost of the contents is there again.
    if (file !== null) await shelf.putBytes(file.bytes)
    if (state === 'unchanged') continue
    const change = await shelf.putChange(buildRecord(intent, slot, content_hash))
    hashes.set(name, content_hash)
    delta.push(
      file === null ? dropSlot(slot) : putSlot(slot, toArtifactValue(toKnown(file, change, was))),
    )
  }
  if (hashes.size === 0) return { result: { artifacts: adopted }, delta: [] }
  const root = await shelf.updateRoot(project.root, hashes)
  const { size: count } = await shelf.listRoot(root)
  const effect: Effect = {
    result: { artifacts: adopted },
    delta: [...delta, putSlot(project.slot, { root, count })],
  }
  checkEffectSize(effect)
  return effect
}

/** Null: it is not there any more, and was known. */
function readNamed(
  { files }: Workshop,
  trajectory: string,
  names: readonly string[],
): ReadonlyMap<string, FileArtifact | null> {
  if (files === null || trajectory !== FILED)
    throw createRefusal('ARTIFACT_UNKNOWN', 'there is no folder here whose files could be adopted')
  // A name with a space would have two readings in the name of a symbol.
  const odd = names.find((name) => name.includes(' ') || name.length > LIMITS.resourceIdLength)
  if (odd !== undefined)
    throw createRefusal(
      'ARTIFACT_UNKNOWN',
      `\`${odd}\` is no name of an artifact: it has a space, or is too long`,
    )
  const found = new Map<string, FileArtifact | null>()
  for (const [index, read] of readFiles(files, names).entries()) {
    const name = names[index] ?? ''
    if (!read.ok && read.error.code !== 'FILE_MISSING') throw toFileRefusal(read.error)
    found.set(name, read.ok ? read.value : null)
  }
  return found
}

function toKnown(
  { hash, bytes, media }: FileArtifact,
  change: ContentHash,
  was: KnownArtifact | null,
): KnownArtifact {
  return { content_hash: hash, bytes: bytes.length, media, change, plans: was?.plans ?? [] }
}

function buildRecord(
  { agent_id, dfid, step_id }: SignedIntent,
  { id: artifact, value: was }: Slot<KnownArtifact>,
  after: ContentHash | null,
): ChangeRecord {
  if (was === null && after === null)
    throw createRefusal('ARTIFACT_UNKNOWN', `there is no file \`${artifact}\``, { artifact })
  return {
    ...{ protocol: 1, what: 'adopt', artifact, before: was?.content_hash ?? null, after },
    ...{
      base: null,
      plan: null,
      deltas: null,
      claims: null,
      key: '',
      splices: [],
      steps: [],
      symbols: [artifact],
    },
    ...{ previous: was?.change ?? null, undoes: null, agent_id, dfid, step_id },
  }
}
