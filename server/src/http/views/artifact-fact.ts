/**
 * Facts of World about artifacts. Whatever wrote them passed the kernel, but a capability of somebody else may use the same kind of
 * resource for something else: what has another form is no artifact.
 */
import { isObject, type JsonValue, toResourceName } from 'rubicon-kernel'
import type { ResourceAt, WorldMoment } from 'rubicon-runtime/evidence'
import {
  type ArtifactFact,
  type ArtifactPlanRow,
  type ArtifactRow,
  PLAN_SUBJECTS,
} from '../schemas/artifact.ts'

export const ARTIFACT = 'artifact'
export const ARTIFACT_PLAN = 'artifact_plan'

type PlanFact = Omit<ArtifactPlanRow, 'plan' | 'expired' | 'entry'>

/** Null: it is none. */
export function parseArtifactFact(value: JsonValue): ArtifactFact | null {
  if (!isObject(value)) return null
  const { content_hash, bytes, media, change = null, plans = [] } = value
  if (typeof content_hash !== 'string' || typeof media !== 'string') return null
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return null
  if (change !== null && typeof change !== 'string') return null
  return isTextList(plans) ? { content_hash, bytes, media, change, plans } : null
}

/** Null: it is none. */
export function parsePlanFact(value: JsonValue): PlanFact | null {
  if (!isObject(value)) return null
  const { by, until, what, symbols, artifacts, summary } = value
  if (typeof by !== 'string' || typeof until !== 'string' || typeof summary !== 'string')
    return null
  const subject = PLAN_SUBJECTS.find((one) => one === what)
  if (subject === undefined || !isTextList(symbols) || !Array.isArray(artifacts)) return null
  const bases = artifacts.map(parseBase)
  if (!bases.every((base) => base !== null)) return null
  return { by, until, what: subject, symbols, artifacts: bases, summary }
}

function parseBase(value: JsonValue): PlanFact['artifacts'][number] | null {
  if (!isObject(value)) return null
  const { name, base } = value
  return typeof name === 'string' && typeof base === 'string' ? { name, base } : null
}

function isTextList(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Null: at that moment there is no artifact of this name. */
export function findArtifact({ resources }: WorldMoment, name: string): ArtifactFact | null {
  const found = resources.get(toResourceName(ARTIFACT, name))
  return found === undefined || found.retracted ? null : parseArtifactFact(found.value)
}

export function toArtifactRow(resource: ResourceAt): ArtifactRow | null {
  const fact = parseArtifactFact(resource.value)
  return fact === null ? null : { name: resource.id, ...fact, entry: toEntry(resource) }
}

/** `now`: an instant, in milliseconds. */
export function toPlanRow(resource: ResourceAt, now: number): ArtifactPlanRow | null {
  const fact = parsePlanFact(resource.value)
  if (fact === null) return null
  // An instant that cannot be read is over: a plan that might be is not shown as one that holds.
  const expired = !(Date.parse(fact.until) > now)
  return { plan: resource.id, ...fact, expired, entry: toEntry(resource) }
}

function toEntry({ seq, last_entry, at, dfid }: ResourceAt): ArtifactRow['entry'] {
  return { seq, id: last_entry, at, dfid }
}
