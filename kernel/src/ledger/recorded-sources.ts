/** Who may speak of which paths, as `source` entries say it, one after the other. */
import { addSource, findClaimedPattern, removeSource, type Sources } from '../fact/owner.ts'
import { type FactSource, parseFactSource } from '../fact/source.ts'
import { err, ok, type Result } from '../result.ts'
import type { SourcePayload } from './payload.ts'

export type SourcesChanged = { readonly sources: Sources; readonly problem?: string }

/** As for keys: an entry that does not fit changes nothing. */
export function applySourceEntry(sources: Sources, { body }: SourcePayload): SourcesChanged {
  const described = parseDescribedSource(sources, body)
  if (!described.ok) return { sources, problem: described.error }
  if (described.value !== null) return { sources: addSource(sources, described.value) }
  return { sources: removeSource(sources, body.source_id) }
}

/** Who registered what, as it is folded: nothing is copied for an entry. */
export type SourcesDraft = {
  readonly byId: Map<string, FactSource>
  readonly byPattern: Map<string, string>
}

/** Takes an entry in, or says why it cannot be; then nothing is changed. */
export function foldSource(sources: SourcesDraft, { body }: SourcePayload): string | undefined {
  const described = parseDescribedSource(sources, body)
  if (!described.ok) return described.error
  const { byId, byPattern } = sources
  for (const pattern of byId.get(body.source_id)?.paths ?? []) byPattern.delete(pattern)
  byId.delete(body.source_id)
  if (described.value === null) return undefined
  byId.set(body.source_id, described.value)
  for (const pattern of described.value.paths) byPattern.set(pattern, body.source_id)
  return undefined
}

/** Null: it is retired. */
function parseDescribedSource(
  sources: Pick<Sources, 'byId' | 'byPattern'>,
  body: SourcePayload['body'],
): Result<FactSource | null, string> {
  if (body.action === 'retire') {
    if (sources.byId.has(body.source_id)) return ok(null)
    return err(`there is no source \`${body.source_id}\``)
  }
  const { action: _, by: __, ...described } = body
  const parsed = parseFactSource(described)
  if (!parsed.ok) return parsed
  const claimed = findClaimedPattern(sources, parsed.value)
  if (claimed === null) return parsed
  return err(`\`${claimed.pattern}\` is owned by \`${claimed.source_id}\``)
}
