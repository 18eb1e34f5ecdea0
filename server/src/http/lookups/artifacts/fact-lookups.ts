/** What World alone says of artifacts: which there are, what is planned, and what changed them. */
import { isObject, type JsonObject, type JsonValue, shorten } from 'rubicon-kernel'
import type { Pause, ResourceAt } from 'rubicon-runtime/evidence'
import type { Clock } from 'rubicon-runtime/ports'
import { ARTIFACT_ANSWER, type ArtifactChangeRow, CHANGE_SUBJECTS } from '../../schemas/artifact.ts'
import { type Reply, toReply } from '../../schemas/route.ts'
import { parseLimit } from '../../schemas/shape.ts'
import { ARTIFACT, ARTIFACT_PLAN, toArtifactRow, toPlanRow } from '../../views/artifact-fact.ts'
import { encodeCursor, parseNumberCursor } from '../../views/list-page.ts'
import type { LookupRequest } from '../lookup.ts'
import { countTrajectoryEntries, refuseUnknownTrajectory } from '../trajectories.ts'
import type { ArtifactTexts } from './artifact-texts.ts'
import { type FoundChange, findChanges } from './find-changes.ts'
import { listResources, readAskedMoment, toSeq, type WorldParts } from './world-reads.ts'

export type ArtifactParts = WorldParts & {
  readonly texts: ArtifactTexts
  readonly clock: Pick<Clock, 'now'>
}

export async function listArtifacts(
  parts: ArtifactParts,
  { params: { id = '' }, query }: LookupRequest,
  pause: Pause,
): Promise<Reply> {
  const page = await readPage(parts, id, query, ARTIFACT, toArtifactRow, pause)
  if ('refusal' in page) return page.refusal
  const { moment, entries, rows, total, next } = page
  const { trajectory, seq, at, kind, dfid = null } = moment.entry.envelope
  return toReply({
    trajectory,
    entries,
    moment: { seq, id: moment.entry.id, at, kind, dfid },
    unknown_from: moment.unknownFrom,
    texts: parts.texts.isConfigured,
    total,
    artifacts: rows,
    next,
  })
}

export async function listPlans(
  parts: ArtifactParts,
  { params: { id = '' }, query }: LookupRequest,
  pause: Pause,
): Promise<Reply> {
  const now = parts.clock.now()
  const toRow = (resource: ResourceAt): object | null => toPlanRow(resource, now)
  const page = await readPage(parts, id, query, ARTIFACT_PLAN, toRow, pause)
  return 'refusal' in page ? page.refusal : toReply({ plans: page.rows, next: page.next })
}

type FactPage = {
  readonly moment: Extract<
    Awaited<ReturnType<typeof readAskedMoment>>,
    { ok: true }
  >['value']['moment']
  readonly entries: number
  readonly rows: readonly object[]
  readonly total: number
  readonly next: string | null
}

/** A cursor names the moment of its first page, so that later ones are of the same. */
async function readPage(
  parts: WorldParts,
  trajectory: string,
  query: LookupRequest['query'],
  kind: string,
  toRow: (resource: ResourceAt) => object | null,
  pause: Pause,
): Promise<FactPage | { readonly refusal: Reply }> {
  const place = parseNumberCursor(query, 2)
  if (!place.ok) return { refusal: place.error }
  const [pinned, offset = 0] = place.value ?? []
  const asked = await readAskedMoment(parts, trajectory, pinned ?? toSeq(query.at))
  if (!asked.ok) return { refusal: asked.error }
  const { moment, entries } = asked.value
  const resources = await listResources(moment, kind, pause)
  const end = Math.min(resources.length, offset + parseLimit(query))
  const rows = resources.slice(offset, end).flatMap((resource) => toRow(resource) ?? [])
  const { seq } = moment.entry.envelope
  const next = end < resources.length ? encodeCursor([String(seq), String(end)]) : null
  return { moment, entries, rows, total: resources.length, next }
}

export async function listChanges(
  { store, texts }: ArtifactParts,
  { params: { id = '' }, query }: LookupRequest,
  pause: Pause,
): Promise<Reply> {
  const place = parseNumberCursor(query, 1)
  if (!place.ok) return place.error
  const entries = await countTrajectoryEntries(store, id)
  if (entries === 0) return refuseUnknownTrajectory(id)
  const { changes, next } = await findChanges(store, id, {
    name: query.name,
    before: Math.min(entries, place.value?.[0] ?? toSeq(query.before) ?? entries),
    limit: parseLimit(query),
    pause,
  })
  const rows: ArtifactChangeRow[] = []
  for (const change of changes) {
    await pause()
    rows.push(toChangeRow(change, await texts.readRecord(change.after?.change ?? null)))
  }
  return toReply({ changes: rows, next: next === null ? null : encodeCursor([String(next)]) })
}

function toChangeRow(
  { entry, name, before, after }: FoundChange,
  record: JsonObject | null,
): ArtifactChangeRow {
  const { seq, at, dfid = null } = entry.envelope
  return {
    ...{ seq, entry: entry.id, at, dfid, name, change: after?.change ?? null },
    before: before?.content_hash ?? null,
    after: after?.content_hash ?? null,
    agent_id: pickText(record?.agent_id),
    plan: pickText(record?.plan),
    undoes: pickText(record?.undoes),
    what: CHANGE_SUBJECTS.find((one) => one === record?.what) ?? null,
    symbols: pickTexts(record?.symbols).slice(0, ARTIFACT_ANSWER.symbols),
    summary: record === null ? null : summariseRecord(record),
  }
}

function pickText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function pickTexts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** What was done to what; not what was written. */
function summariseRecord({ deltas, what }: JsonObject): string {
  if (!Array.isArray(deltas) || deltas.length === 0) return pickText(what) ?? ''
  return shorten(deltas.map(describeDelta).join('; '), ARTIFACT_ANSWER.summaryLength)
}

function describeDelta(delta: JsonValue): string {
  const { op, target, from, name } = isObject(delta) ? delta : {}
  return [op, target ?? from, op === 'rename' ? `to ${String(name)}` : '']
    .filter((word) => typeof word === 'string' && word !== '')
    .join(' ')
}
