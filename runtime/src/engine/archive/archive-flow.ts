/**
 * Takes the payloads of a flow out of the store, once they lie in a file.
 *
 * 1. They go in the unit that says where they are, under an operator's signature; a crash leaves all of it or none.
 * 2. What goes is what the file holds, byte for byte, and all of it; otherwise the flow stays as it is.
 */
import { type ArchiveNote, err, type Failure, LIMITS, ok, type Result } from 'rubicon-kernel'
import type { Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { toLateCounter } from '../rows/ended-flow.ts'
import { addTag, moveFlow } from '../rows/flow-row.ts'
import { signDocument } from '../rows/sign.ts'
import type { ArchivableFlow, ArchiveJudge, KeptFlow } from './archivable.ts'

/** What a file holds of a flow: payloads by leaf. */
export type ArchivedFlow = {
  readonly dfid: string
  readonly payloads: ReadonlyMap<number, string>
}

/** The file that they lie in. */
export type ArchiveFile = Pick<ArchiveNote['body'], 'archive' | 'file'>

/** How many payloads went or came back, or why none did. */
export type Archiving = { readonly payloads: number } | KeptFlow

export async function archiveFlow(
  context: Context,
  judge: ArchiveJudge,
  file: ArchiveFile,
  { dfid, payloads }: ArchivedFlow,
): Promise<Result<Archiving, Failure>> {
  const { store } = context
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await store.readFlow(dfid)
    if (flow === null) return ok({ kept: 'differs', why: 'is not in this store' })
    const judged = await judge.judge(flow)
    if ('kept' in judged) return ok(judged)
    const isSame =
      judged.entries.length === payloads.size &&
      judged.entries.every(({ leaf, payload }) => payloads.get(leaf) === payload)
    if (!isSame) return ok({ kept: 'differs', why: 'says something else than the file' })
    const outcome = await store.commit(await buildArchivingUnit(context, file, judged))
    if (!outcome.ok) continue
    context.snapshots.forget(flow.snapshot_id)
    return ok({ payloads: payloads.size })
  }
  return err({ code: 'STORE_CONTENTION', summary: 'the flow kept changing', fix: 'try again' })
}

async function buildArchivingUnit(
  context: Context,
  { archive, file }: ArchiveFile,
  { flow, entries, count }: ArchivableFlow,
): Promise<Unit> {
  const { store } = context
  const { dfid, trajectory, version } = flow
  const { now } = await store.readNow(trajectory)
  const leaves = entries.map(({ leaf }) => leaf)
  const body = { archive, archived_at: now, dfid, file, leaves, tenant: store.tenant }
  const signature = await signDocument(context, 'operator', 'archive', body)
  const late = Math.max(0, LIMITS.lateProposals - (await store.readCounter(toLateCounter(dfid))))
  const place = { record: 'archive', group: ARCHIVED_FLOWS, key: dfid } as const
  return {
    guards: [
      { kind: 'flow_version', dfid, version },
      { kind: 'flow_entries', dfid, trajectory, count },
      { kind: 'record_version', ...place, version: null },
    ],
    writes: [
      { kind: 'put_record', ...place, body: { body, signature } },
      // When it last changed stays as it was: rows are compared with entries by that.
      {
        kind: 'put_flow',
        flow: moveFlow(flow, [], flow.updated_at, { tags: addTag(flow.tags, 'ARCHIVED') }),
      },
      { kind: 'archive_flow', dfid },
      // Proposals that still come are answered, and nothing of them is recorded.
      { kind: 'count', id: toLateCounter(dfid), by: late },
    ],
  }
}

/** The group of the notes. */
export const ARCHIVED_FLOWS = 'flows'
