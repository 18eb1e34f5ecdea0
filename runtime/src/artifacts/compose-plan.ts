/**
 * What a plan comes to on what there is now.
 *
 * A1 where nothing has changed since, it is the plan as it was made.
 * A2 else it is composed with what was applied meanwhile, and the result is held against all other artifacts once more.
 * A3 what comes out changes the artifacts of the plan, and of them nothing but its symbols.
 */
import type { ComposePart, PlannedChange, SinceChange } from 'rubicon-artifacts/desk'
import type { ContentHash } from 'rubicon-artifacts/store'
import { checkPlanned } from './check-planned.ts'
import { type FollowedChange, listChangesSince } from './follow-changes.ts'
import { getKnown, type KnownProject, type Slot } from './known-world.ts'
import type { PlannedPart } from './plan-record.ts'
import { loadDeskText, loadMovedTexts } from './project-texts.ts'
import { createRefusal, toDeskRefusal } from './refusal.ts'
import type { Workshop } from './workshop.ts'
import type { KnownArtifact } from './world-values.ts'

export type Composed = {
  readonly key: string
  readonly parts: readonly PlannedPart[]
  readonly symbols: readonly string[]
  /** All artifacts as they were when it was planned. */
  readonly root: ContentHash
}

export type ComposedOn = {
  readonly slots: ReadonlyMap<string, Slot<KnownArtifact>>
  readonly project: KnownProject
}

/** Null: as it was made. */
export async function composePlan(
  workshop: Workshop,
  plan: Composed,
  { slots, project }: ComposedOn,
): Promise<readonly PlannedChange[] | null> {
  const isAsPlanned = plan.parts.every(
    ({ artifact, base }) => getKnown(slots, artifact).content_hash === base,
  )
  if (isAsPlanned && project.root === plan.root) return null
  const parts: ComposePart[] = []
  for (const part of plan.parts)
    parts.push(await buildPart(workshop, part, getKnown(slots, part.artifact)))
  const own = plan.parts.map(({ artifact }) => artifact)
  const then = await workshop.shelf.listRoot(plan.root)
  const others = await loadMovedTexts(workshop, { now: project.names, then }, own)
  const { key } = plan
  const { strategy } = workshop
  const answer = await workshop.desk.ask({ ask: 'compose', key, strategy, parts, project: others })
  if (!answer.ok) throw toDeskRefusal(answer.error)
  const { changes } = answer.value
  const strange = changes.find(({ artifact }) => !own.includes(artifact))
  if (strange !== undefined)
    throw createRefusal('DELTA_STALE', `it would change \`${strange.artifact}\` as well by now`, {
      artifact: strange.artifact,
    })
  checkPlanned(workshop, changes, plan.symbols)
  return changes
}

async function buildPart(
  workshop: Workshop,
  { artifact, base, deltas, claims, steps }: PlannedPart,
  known: KnownArtifact,
): Promise<ComposePart> {
  const since = await listChangesSince(workshop.shelf, artifact, known, base)
  return {
    base: await loadDeskText(workshop, artifact, base),
    now: await loadDeskText(workshop, artifact, known.content_hash),
    since: since.map(toSinceChange),
    ...{ deltas, claims, steps },
  }
}

function toSinceChange({ record }: FollowedChange): SinceChange {
  const { artifact, key, base, deltas, claims, splices, steps } = record
  // A record without either is that of an adoption, which is not followed.
  if (base === null || claims === null)
    throw createRefusal('DELTA_STALE', `it is not known what was changed in \`${artifact}\``, {
      artifact,
    })
  return { key, base, deltas, claims, splices, steps }
}
