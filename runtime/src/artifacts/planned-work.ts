/** What is wanted, as the desk planned it: deltas, an undo or a merge. Nothing is kept of it here. */
import type { DeskText, MergePart, PastChange, PlannedChange } from 'rubicon-artifacts/desk'
import { type ContentHash, computeContentHash, isContentHash } from 'rubicon-artifacts/store'
import { toCanonicalText } from 'rubicon-kernel'
import {
  type FollowedChange,
  listChangesSince,
  listLastChanges,
  listOwnChanges,
} from './follow-changes.ts'
import { getKnown, type KnownProject, loadArtifacts, type Slot } from './known-world.ts'
import type { PlanParams, WantedChange, WantedUndo } from './plan-params.ts'
import { loadDeskText, loadProjectTexts, toDeskText } from './project-texts.ts'
import { createRefusal, toDeskRefusal } from './refusal.ts'
import { listArtifactNames } from './symbol-name.ts'
import type { Workshop } from './workshop.ts'
import type { KnownArtifact, PlannedWhat } from './world-values.ts'

export type Wanted = {
  readonly agent: string
  readonly trajectory: string
  readonly params: PlanParams
  readonly slots: ReadonlyMap<string, Slot<KnownArtifact>>
  readonly project: KnownProject
}

export type PlannedWork = {
  readonly what: PlannedWhat
  readonly key: string
  readonly changes: readonly PlannedChange[]
  /** By artifact: the change that is taken back. */
  readonly undoes: ReadonlyMap<string, ContentHash>
}

export function planWork(workshop: Workshop, wanted: Wanted): Promise<PlannedWork> {
  const { changes, undo, merge } = wanted.params
  if (changes !== undefined) return planChanges(workshop, wanted, changes)
  if (undo !== undefined) return planUndo(workshop, wanted, undo)
  if (merge !== undefined) return planMerge(workshop, wanted, merge.trajectory)
  throw createRefusal('PLAN_UNKNOWN', 'a plan has one of `changes`, `undo` and `merge`')
}

async function planChanges(
  workshop: Workshop,
  { agent, params, slots, project }: Wanted,
  wanted: readonly WantedChange[],
): Promise<PlannedWork> {
  const key = createKey(agent, params)
  const bases: { text: DeskText; deltas: WantedChange['deltas'] }[] = []
  for (const { artifact, base, deltas } of wanted) {
    const known = getKnown(slots, artifact)
    const hash = base ?? known.content_hash
    // An older text counts as long as it is known what happened since.
    await listChangesSince(workshop.shelf, artifact, known, hash)
    bases.push({ text: await loadDeskText(workshop, artifact, hash), deltas })
  }
  const own = wanted.map(({ artifact }) => artifact)
  const others = await loadProjectTexts(workshop, project.names, own)
  const answer = await workshop.desk.ask({ ask: 'plan', key, changes: bases, project: others })
  if (!answer.ok) throw toDeskRefusal(answer.error)
  return { what: 'changes', key, changes: answer.value.changes, undoes: new Map() }
}

async function planUndo(
  workshop: Workshop,
  { agent, params, slots, project }: Wanted,
  wanted: readonly WantedUndo[],
): Promise<PlannedWork> {
  const key = createKey(agent, params)
  const changes = await planInverses(workshop, { key, slots, project }, wanted)
  const undoes = new Map(wanted.map(({ artifact, change }) => [artifact, change]))
  return { what: 'undo', key, changes, undoes }
}

/** Also for an effect that is taken back. */
export async function planInverses(
  workshop: Workshop,
  { key, slots, project }: Pick<Wanted, 'slots' | 'project'> & { readonly key: string },
  wanted: readonly WantedUndo[],
): Promise<readonly PlannedChange[]> {
  const parts = []
  for (const { artifact, change } of wanted) {
    const known = getKnown(slots, artifact)
    const now = await loadDeskText(workshop, artifact, known.content_hash)
    const own = await listOwnChanges(workshop.shelf, known)
    const seq = own.findIndex(({ hash }) => hash === change) + 1
    if (seq === 0)
      throw createRefusal(
        'CHANGE_UNKNOWN',
        `\`${change}\` is none of the last changes of \`${artifact}\`, or what came before it is not known`,
        { artifact, candidates: own.slice(-8).map(({ hash }) => hash) },
      )
    parts.push({ now, past: await loadPast(workshop, own, seq), seq })
  }
  const own = wanted.map(({ artifact }) => artifact)
  const others = await loadProjectTexts(workshop, project.names, own)
  const answer = await workshop.desk.ask({ ask: 'undo', key, parts, project: others })
  if (!answer.ok) throw toDeskRefusal(answer.error)
  return answer.value.changes
}

/** From the first change that a later one takes back, where that is before the one that is wanted. */
async function loadPast(
  { shelf }: Workshop,
  own: readonly FollowedChange[],
  seq: number,
): Promise<readonly PastChange[]> {
  const toSeq = (hash: ContentHash | null): number | null => {
    const at = own.findIndex((one) => one.hash === hash)
    return at < 0 ? null : at + 1
  }
  let first = seq
  for (let at = own.length; at >= first; at -= 1)
    first = Math.min(first, toSeq(own[at - 1]?.record.undoes ?? null) ?? first)
  const past: PastChange[] = []
  for (const [index, { record }] of own.entries()) {
    if (index + 1 < first || record.before === null || record.after === null) continue
    past.push({
      seq: index + 1,
      before: await shelf.loadText(record.before, record.artifact),
      after: await shelf.loadText(record.after, record.artifact),
      steps: record.steps,
      undoes: toSeq(record.undoes),
    })
  }
  return past
}

async function planMerge(
  workshop: Workshop,
  { agent, params, slots, project, trajectory: into }: Wanted,
  trajectory: string,
): Promise<PlannedWork> {
  const key = createKey(agent, params)
  if (trajectory === into)
    throw createRefusal('PLAN_UNKNOWN', `\`${trajectory}\` is merged into itself`)
  const names = listArtifactNames(params.symbols)
  const theirs = await loadArtifacts(workshop, trajectory, names)
  const parts: MergePart[] = []
  for (const name of names) {
    const part = await buildMergePart(workshop, name, getKnown(slots, name), getKnown(theirs, name))
    if (part !== null) parts.push(part)
  }
  if (parts.length === 0)
    throw createRefusal('PLAN_UNKNOWN', `\`${trajectory}\` has changed none of these artifacts`)
  const own = parts.map(({ ours }) => ours.artifact)
  const others = await loadProjectTexts(workshop, project.names, own)
  const answer = await workshop.desk.ask({ ask: 'merge', key, parts, project: others })
  if (!answer.ok) throw toDeskRefusal(answer.error)
  const { changes, conflicts } = answer.value
  const [first] = conflicts
  if (first !== undefined)
    throw createRefusal(
      'MERGE_CONFLICT',
      `${conflicts.length} conflicts; the first is in \`${first.artifact}\``,
      { artifact: first.artifact, fixes: JSON.parse(JSON.stringify(conflicts.slice(0, 16))) },
    )
  return { what: 'merge', key, changes, undoes: new Map() }
}

/** Both went on from the last change that they have in common. Null: nothing of theirs is missing here. */
async function buildMergePart(
  workshop: Workshop,
  name: string,
  ours: KnownArtifact,
  theirs: KnownArtifact,
): Promise<MergePart | null> {
  const own = await listLastChanges(workshop.shelf, ours)
  if (own.some(({ hash }) => hash === theirs.change)) return null
  const common = (await listLastChanges(workshop.shelf, theirs)).find(({ hash }) =>
    own.some((one) => one.hash === hash),
  )
  const base = common?.record.after ?? null
  if (base === null)
    throw createRefusal('DELTA_STALE', `no change of \`${name}\` is known that both began with`, {
      artifact: name,
    })
  return {
    base: await loadDeskText(workshop, name, base),
    ours: await loadDeskText(workshop, name, ours.content_hash),
    theirs: toDeskText(workshop, name, await workshop.shelf.loadText(theirs.content_hash, name)),
  }
}

/** The same for everybody, whoever was first: who it is, then what is wanted. */
function createKey(agent: string, { symbols: _, ...wanted }: PlanParams): string {
  const text = toCanonicalText(JSON.parse(JSON.stringify(wanted)))
  return `${agent} ${computeContentHash(new TextEncoder().encode(text))}`
}

/** What the desk says of hashes is held to be some. */
export function toContentHash(text: string): ContentHash {
  if (isContentHash(text)) return text
  throw createRefusal('PLAN_UNKNOWN', 'the desk named no hash')
}
