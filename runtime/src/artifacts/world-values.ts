/**
 * What World says of artifacts. The hash of a text is in the ledger by it, so whoever verifies the ledger knows which bytes were meant.
 *
 * V1 what is read has exactly these members: a value that somebody else wrote under the same name is no artifact, and refuses.
 */

import { type ContentHash, isContentHash } from 'rubicon-artifacts/store'
import { isExactInstant, isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { PreviewRow } from '../ports/capability.ts'

/** Kinds of resources of World. */
export const ARTIFACT = 'artifact'
export const PLAN = 'artifact_plan'
export const ROOT = 'artifact_root'
/** The one resource of its kind. */
export const ALL = 'all'

export type KnownArtifact = {
  readonly content_hash: ContentHash
  readonly bytes: number
  readonly media: string
  /** The last record of what happened to it. */
  readonly change: ContentHash
  /** Open plans that claim something of it. */
  readonly plans: readonly ContentHash[]
}

export type PlannedWhat = 'changes' | 'undo' | 'merge'

export type OpenPlan = {
  /** All that it writes, as the runtime found it. */
  readonly symbols: readonly string[]
  readonly artifacts: readonly { readonly name: string; readonly base: ContentHash }[]
  readonly by: string
  /** Then it claims nothing any more. */
  readonly until: string
  readonly what: PlannedWhat
  readonly summary: string
  /** For whoever has to approve it. */
  readonly difference: readonly PlanRow[]
}

/** A part of the text that is another one behind it. */
export type PlanRow = {
  readonly artifact: string
  readonly lines: string
  readonly before: string
  readonly after: string
}

/** All names and their hashes, as one hash of the tree in the blobs. */
export type ProjectRoot = { readonly root: ContentHash; readonly count: number }

export function parseKnownArtifact(value: JsonValue | undefined): KnownArtifact | null {
  if (!hasMembers(value, ['bytes', 'change', 'content_hash', 'media', 'plans'])) return null
  const { content_hash, bytes, media, change, plans } = value
  if (!isContentHash(content_hash) || !isContentHash(change) || !isCount(bytes)) return null
  if (typeof media !== 'string' || !Array.isArray(plans) || !plans.every(isContentHash)) return null
  return { content_hash, bytes, media, change, plans }
}

export function parseOpenPlan(value: JsonValue | undefined): OpenPlan | null {
  const members = ['artifacts', 'by', 'difference', 'summary', 'symbols', 'until', 'what']
  if (!hasMembers(value, members)) return null
  const { symbols, artifacts, by, until, what, summary, difference } = value
  if (!isTexts(symbols) || typeof by !== 'string' || typeof summary !== 'string') return null
  if (typeof until !== 'string' || !isExactInstant(until) || !isPlannedWhat(what)) return null
  if (!Array.isArray(artifacts) || !artifacts.every(isBase)) return null
  if (!Array.isArray(difference) || !difference.every(isPlanRow)) return null
  return { symbols, artifacts, by, until, what, summary, difference }
}

export function parseProjectRoot(value: JsonValue | undefined): ProjectRoot | null {
  if (!hasMembers(value, ['count', 'root'])) return null
  const { root, count } = value
  return isContentHash(root) && isCount(count) ? { root, count } : null
}

/** What would be different afterwards, as `preview` of a capability says it. */
export function toPreviewRows(id: string, plan: OpenPlan): readonly PreviewRow[] {
  const subject = `plan ${id}`
  return [
    { subject, field: 'symbols', before: null, after: [...plan.symbols] },
    { subject, field: 'planned by', before: null, after: plan.by },
    ...plan.difference.map(({ artifact, lines, before, after }) => ({
      subject: artifact,
      field: lines,
      before,
      after,
    })),
  ]
}

export function isPlannedWhat(value: unknown): value is PlannedWhat {
  return value === 'changes' || value === 'undo' || value === 'merge'
}

export function isTexts(value: JsonValue | undefined): value is readonly string[] & JsonValue[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** V1. */
export function hasMembers(
  value: JsonValue | undefined,
  names: readonly string[],
): value is JsonObject {
  return value !== undefined && isObject(value) && Object.keys(value).sort().join() === names.join()
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isBase(value: JsonValue): value is { name: string; base: ContentHash } & JsonObject {
  return (
    hasMembers(value, ['base', 'name']) &&
    typeof value.name === 'string' &&
    isContentHash(value.base)
  )
}

function isPlanRow(value: JsonValue): value is PlanRow & JsonObject {
  return (
    hasMembers(value, ['after', 'artifact', 'before', 'lines']) &&
    Object.values(value).every((one) => typeof one === 'string')
  )
}
