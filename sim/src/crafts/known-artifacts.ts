/** What World says of artifacts, as whoever works with them sees it. */
import type { JsonObject } from 'rubicon-kernel'
import type { Scene } from '../agents.ts'
import type { CrafterName } from './craft-project.ts'

export type KnownPlan = {
  readonly plan: string
  readonly symbols: readonly string[]
  readonly by: string
}

export function listPlans({ site }: Scene, trajectory: string): readonly KnownPlan[] {
  const { resources } = site.tables.worlds.get(trajectory) ?? { resources: new Map() }
  const plans: KnownPlan[] = []
  for (const { kind, id, value, retracted } of resources.values()) {
    if (kind !== 'artifact_plan' || retracted) continue
    const { symbols, by } = value as Omit<KnownPlan, 'plan'>
    plans.push({ plan: id, symbols, by })
  }
  return plans
}

export function listOwnPlans(
  scene: Scene,
  trajectory: string,
  agent: CrafterName,
): readonly KnownPlan[] {
  return listPlans(scene, trajectory).filter(({ by }) => by === agent)
}

export type KnownText = { readonly hash: string; readonly change: string }

export function findKnownText({ site }: Scene, trajectory: string, name: string): KnownText | null {
  const known = site.tables.worlds.get(trajectory)?.resources.get(`artifact\0${name}`)
  if (known === undefined || known.retracted) return null
  const { content_hash, change } = known.value as JsonObject
  return { hash: String(content_hash), change: String(change) }
}

/** The text of an artifact; null: it is not known. */
export function readText(scene: Scene, trajectory: string, name: string): string | null {
  const { hash = '' } = findKnownText(scene, trajectory, name) ?? {}
  const bytes = scene.site.options.crafts?.blobs.get(hash)
  return bytes === undefined ? null : new TextDecoder().decode(bytes)
}
