/** A whole ledger as NDJSON: a header with keys and checkpoint, then one entry a line. */
import {
  AUTHORITY,
  canonicalText,
  type Entry,
  envelopeText,
  err,
  type Failure,
  foldKeys,
  type JsonValue,
  type KeyPayload,
  type KeyRecord,
  LEDGER_FORMAT,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { Store, StoredCheckpoint } from '../ports/store.ts'
import { leavesUpTo } from './pages.ts'

/** Writes every entry that the last checkpoint covers. Make one first to have all of them. */
export async function exportLedger(
  store: Store,
  write: (line: string) => void | Promise<void>,
): Promise<Result<{ readonly entries: number }, Failure>> {
  const checkpoint = await store.checkpoint()
  if (checkpoint === null) return err(noCheckpoint)
  const header = {
    checkpoint: checkpoint.note,
    epoch: checkpoint.epoch,
    format: LEDGER_FORMAT,
    keys: await keysUpTo(store, checkpoint.size),
    tenant: store.tenant,
  }
  await write(`${canonicalText(header as unknown as JsonValue)}\n`)
  let entries = 0
  for await (const page of leavesUpTo(store, checkpoint.size)) {
    for (const entry of page) await write(`${entryLine(entry)}\n`)
    entries += page.length
  }
  return ok({ entries })
}

export const noCheckpoint: Failure = {
  code: 'CHECKPOINT_MISSING',
  summary: 'the ledger has no checkpoint yet',
  fix: 'start the runtime on it once, or export while no other process holds the store',
}

/** Envelope, id and payload are canonical text already. */
export function entryLine({ envelope, id, payload }: Entry): string {
  return `{"envelope":${envelopeText(envelope)},"id":"${id}","payload":${payload ?? 'null'}}`
}

/** The keys that the first `size` entries register. */
export async function keysUpTo(
  store: Store,
  size: StoredCheckpoint['size'],
): Promise<readonly KeyRecord[]> {
  const bodies: { body: KeyPayload['body']; seq: number }[] = []
  for await (const page of leavesUpTo(store, size)) {
    for (const { envelope, payload } of page) {
      if (envelope.trajectory !== AUTHORITY || envelope.kind !== 'key' || payload === null) continue
      bodies.push({ body: parseKeyPayload(payload).body, seq: envelope.seq })
    }
  }
  return foldKeys(bodies).records()
}

function parseKeyPayload(text: string): KeyPayload {
  return JSON.parse(text) as KeyPayload
}
