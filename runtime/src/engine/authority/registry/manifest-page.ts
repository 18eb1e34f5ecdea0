/**
 * The authority of the tenant for processes elsewhere, page by page, signed for each question.
 *
 * Whoever reads it believes that signature and looks at no tree: what is signed is what has its place in the signed
 * tree, entry by entry, and stays what it was. Otherwise whoever can write to the database would have the registry sign a
 * revocation away.
 */
import {
  AUTHORITY,
  type Entry,
  type JsonObject,
  LIMITS,
  type ManifestBody,
  type ManifestPage,
  toCanonicalText,
} from 'rubicon-kernel'
import { HeadMismatch } from '../../../ports/head-mismatch.ts'
import type { Context } from '../../engine-context.ts'
import { signDocument } from '../../rows/sign.ts'

/** From here on the rest comes with the next question: whoever reads a page has a limit of its own. */
const PAGE_LENGTH = 4 * 1024 * 1024

export async function writeManifestPage(
  context: Context,
  { from, nonce }: Pick<ManifestBody, 'from' | 'nonce'>,
): Promise<string> {
  const { store, tenant, ownAuthorities } = context
  const { authority_seq } = await store.readNow(AUTHORITY)
  const { seq: head } = await ownAuthorities.loadAtLeast(authority_seq)
  const found = await store.listEntries(AUTHORITY, from, LIMITS.entriesPerPage)
  // What was added since the head was read is told with the next question.
  const told = found.filter(({ envelope }) => envelope.seq <= head)
  checkWhole(told, from, head)
  ownAuthorities.checkFolded(told)
  const entries = cutPage(told)
  const last = entries.at(-1)?.id ?? null
  const signing = { ...context, authorities: ownAuthorities }
  const body: ManifestBody = { tenant, nonce, from, head: head < 0 ? null : head, last }
  const page: ManifestPage = {
    body,
    entries: entries.map(({ envelope, id, payload }) => {
      return {
        envelope,
        id,
        payload: payload === null ? null : (JSON.parse(payload) as JsonObject),
      }
    }),
    signature: await signDocument(signing, 'checkpoint', 'manifest', body),
  }
  return `${toCanonicalText(page)}\n`
}

/** Up to the head, or to the end of a page. */
function checkWhole(entries: readonly Entry[], from: number, head: number): void {
  const wanted = Math.max(0, Math.min(LIMITS.entriesPerPage, head - from + 1))
  for (let seq = from; seq < from + wanted; seq++)
    if (entries[seq - from]?.envelope.seq !== seq)
      throw new HeadMismatch(`the authority entry ${seq} is gone`)
}

/** At least one, however long it is. */
function cutPage(entries: readonly Entry[]): readonly Entry[] {
  let length = 0
  const end = entries.findIndex(({ payload }) => {
    const isFull = length >= PAGE_LENGTH
    length += payload?.length ?? 0
    return isFull
  })
  return end < 0 ? entries : entries.slice(0, end)
}
