/** A whole ledger as NDJSON: a header with keys and checkpoint, then one entry a line. */
import {
  AUTHORITY,
  type Entry,
  err,
  type Failure,
  foldKeys,
  formatEnvelope,
  type KeyPayload,
  type KeyRecord,
  LEDGER_FORMAT,
  ok,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Store, StoredCheckpoint } from '../ports/store.ts'
import { findAwayFlow, PayloadsArchived, payloadsArchived } from './away-flow.ts'
import { readLeafPages, readTrajectoryPages } from './pages.ts'

/** Writes every entry that the last checkpoint covers. Make one first to have all of them. */
export async function exportLedger(
  store: Store,
  write: (line: string) => void | Promise<void>,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Result<{ readonly entries: number }, Failure>> {
  const checkpoint = await store.readCheckpoint()
  if (checkpoint === null) return err(noCheckpoint)
  await write(await buildHeaderLine(store, checkpoint))
  let entries = 0
  for await (const page of readLeafPages(store, checkpoint.size)) {
    if ((await findAwayFlow(store, page)) !== null) return err(payloadsArchived)
    for (const entry of page) await write(formatEntryLine(entry))
    entries += page.length
    onProgress(entries, checkpoint.size)
  }
  return ok({ entries })
}

export const noCheckpoint: Failure = {
  code: 'CHECKPOINT_MISSING',
  summary: 'the ledger has no checkpoint yet',
  fix: 'start the runtime on it once, or export while no other process holds the store',
}

export async function buildHeaderLine(store: Store, checkpoint: StoredCheckpoint): Promise<string> {
  const header = {
    checkpoint: checkpoint.note,
    epoch: checkpoint.epoch,
    format: LEDGER_FORMAT,
    keys: await readKeysUpTo(store, checkpoint.size),
    tenant: store.tenant,
  }
  return `${toCanonicalText(header)}\n`
}

/** The lines of the entries from leaf `from` up to `end`, a page at a time. */
export async function* readEntryLines(
  store: Store,
  from: number,
  end: number,
  perPage?: number,
): AsyncGenerator<readonly string[]> {
  for await (const page of readLeafPages(store, end, from, perPage)) {
    // Cut off, it is no ledger; with nulls it would be one of which somebody erased much.
    if ((await findAwayFlow(store, page)) !== null) throw new PayloadsArchived()
    yield page.map(formatEntryLine)
  }
}

/** Envelope, id and payload are canonical text already. */
function formatEntryLine({ envelope, id, payload }: Entry): string {
  return `{"envelope":${formatEnvelope(envelope)},"id":"${id}","payload":${payload ?? 'null'}}\n`
}

/** The keys that the first `size` entries register. They stand in authority and nowhere else. */
export async function readKeysUpTo(
  store: Store,
  size: StoredCheckpoint['size'],
): Promise<readonly KeyRecord[]> {
  const bodies: { body: KeyPayload['body']; seq: number }[] = []
  for await (const page of readTrajectoryPages(store, AUTHORITY)) {
    for (const { envelope, payload, leaf } of page) {
      if (envelope.kind !== 'key' || payload === null || leaf === null || leaf >= size) continue
      bodies.push({ body: parseKeyPayload(payload).body, seq: envelope.seq })
    }
  }
  return foldKeys(bodies).records()
}

function parseKeyPayload(text: string): KeyPayload {
  return JSON.parse(text) as KeyPayload
}
