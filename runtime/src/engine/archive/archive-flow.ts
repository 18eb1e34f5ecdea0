/**
 * Takes the payloads of a flow out of the store, once they lie in a file.
 *
 * 1. They go in the unit that says where they are, under an operator's signature; a crash leaves all of it or none.
 * 2. What goes is what the file holds, byte for byte, and all of it; otherwise the flow stays as it is.
 * 3. The key that signs still counts when the unit is written.
 */
import {
  type ArchiveNote,
  err,
  type Failure,
  LIMITS,
  ok,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { parseGenerationId } from '../erase/flow-records.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { toLateCounter } from '../rows/ended-flow.ts'
import { addTag, moveFlow } from '../rows/flow-row.ts'
import { signDocument } from '../rows/sign.ts'
import type { ArchivableEntry, ArchivableFlow, ArchiveJudge, KeptFlow } from './archivable.ts'

/** A payload, with what a model was asked and said where it is about that. */
export type ArchivedPayload = Pick<ArchivableEntry, 'payload' | 'text'>

/** What a file holds of a flow: payloads by leaf. */
export type ArchivedFlow = {
  readonly dfid: string
  readonly payloads: ReadonlyMap<number, ArchivedPayload>
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
      judged.entries.every((entry) => isHeld(payloads.get(entry.leaf), entry))
    if (!isSame) return ok({ kept: 'differs', why: 'says something else than the file' })
    const outcome = await store.commit(await buildArchivingUnit(context, file, judged))
    if (!outcome.ok) continue
    context.snapshots.forget(flow.snapshot_id)
    return ok({ payloads: payloads.size })
  }
  return err(buildContentionFailure('the flow'))
}

function isHeld(held: ArchivedPayload | undefined, { payload, text }: ArchivableEntry): boolean {
  return held?.payload === payload && toCanonicalText(held.text) === toCanonicalText(text)
}

async function buildArchivingUnit(
  context: Context,
  { archive, file }: ArchiveFile,
  { flow, entries, count }: ArchivableFlow,
): Promise<Unit> {
  const { store } = context
  const { dfid, trajectory, version } = flow
  const { now, authority_seq } = await store.readNow(trajectory)
  const { seq } = await context.authorities.loadCurrent(authority_seq)
  const leaves = entries.map(({ leaf }) => leaf)
  const body = { archive, archived_at: now, dfid, file, leaves, tenant: store.tenant }
  const signature = await signDocument(context, 'operator', 'archive', body)
  const late = Math.max(0, LIMITS.lateProposals - (await store.readCounter(toLateCounter(dfid))))
  const place = { record: 'archive', group: ARCHIVED_FLOWS, key: dfid } as const
  return {
    guards: [
      { kind: 'authority_seq', seq },
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
      ...entries.flatMap((entry) => dropText(dfid, entry)),
      // Proposals that still come are answered, and nothing of them is recorded.
      { kind: 'count', id: toLateCounter(dfid), by: late },
    ],
  }
}

function dropText(group: string, { payload, text }: ArchivableEntry): readonly Write[] {
  const key = text === null ? null : parseGenerationId(payload)
  return key === null ? [] : [{ kind: 'drop_record', record: 'generation_text', group, key }]
}

/** The group of the notes. */
export const ARCHIVED_FLOWS = 'flows'
