/** Puts the payloads of a flow back into the store, and takes away the note that they are elsewhere. */
import { err, type Failure, LIMITS, ok, type Result } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { RestoredPayload, Unit, Write } from '../../ports/unit.ts'
import type { Context } from '../engine-context.ts'
import { parseGenerationId } from '../erase/flow-records.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { moveFlow, removeTag } from '../rows/flow-row.ts'
import { TreeCheck } from '../rows/tree-check.ts'
import { ARCHIVED_FLOWS, type ArchivedFlow, type Archiving } from './archive-flow.ts'

/** `archive`: the digest of the file that they come from. */
export async function restoreFlow(
  context: Context,
  archive: string,
  { dfid, payloads }: ArchivedFlow,
): Promise<Result<Archiving, Failure>> {
  const { store, sha256 } = context
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const [note, flow] = await Promise.all([
      store.readRecord('archive', ARCHIVED_FLOWS, dfid),
      store.readFlow(dfid),
    ])
    if (note === null || flow === null) return ok({ kept: 'differs', why: 'is not archived' })
    const { leaves } = note.body.body
    if (note.body.body.archive !== archive)
      return ok({ kept: 'differs', why: 'is archived in another file' })
    const entries = await store.listFlowEntries(dfid)
    await new TreeCheck(store, sha256).check(entries)
    const missing = entries.filter(({ leaf }) => leaf !== null && leaves.includes(leaf))
    const restored = missing.flatMap(
      ({ envelope: { trajectory, seq }, leaf }): RestoredPayload[] => {
        const payload = payloads.get(leaf ?? -1)?.payload
        return payload === undefined ? [] : [{ trajectory, seq, payload }]
      },
    )
    if (restored.length !== leaves.length)
      return ok({ kept: 'differs', why: 'has payloads that the file does not hold' })
    const tagged = moveFlow(flow, [], flow.updated_at, { tags: removeTag(flow.tags, 'ARCHIVED') })
    const outcome = await store.commit(
      buildRestoringUnit(note, flow.version, tagged, restored, listTexts(dfid, payloads)),
    )
    if (outcome.ok) return ok({ payloads: restored.length })
  }
  return err(buildContentionFailure('the flow'))
}

function buildRestoringUnit(
  { key: dfid, version: noted }: StoredRecord<'archive'>,
  version: number,
  flow: Extract<Unit['writes'][number], { kind: 'put_flow' }>['flow'],
  payloads: readonly RestoredPayload[],
  texts: readonly Write[],
): Unit {
  const place = { record: 'archive', group: ARCHIVED_FLOWS, key: dfid } as const
  return {
    guards: [
      { kind: 'flow_version', dfid, version },
      { kind: 'record_version', ...place, version: noted },
    ],
    writes: [
      { kind: 'drop_record', ...place },
      { kind: 'restore_flow', dfid, payloads },
      { kind: 'put_flow', flow },
      ...texts,
    ],
  }
}

/** What models were asked and said comes back with the entries that are about it. */
function listTexts(group: string, payloads: ArchivedFlow['payloads']): readonly Write[] {
  return [...payloads.values()].flatMap(({ payload, text }): Write[] => {
    const key = text === null ? null : parseGenerationId(payload)
    if (text === null || key === null) return []
    return [{ kind: 'put_record', record: 'generation_text', group, key, body: text }]
  })
}
