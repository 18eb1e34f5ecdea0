/** The authority of the tenant for processes elsewhere, page by page, signed for each question. */
import {
  AUTHORITY,
  type Entry,
  type JsonObject,
  LIMITS,
  type ManifestBody,
  type ManifestPage,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Context } from '../../engine-context.ts'
import { signDocument } from '../../rows/sign.ts'

/** From here on the rest comes with the next question: whoever reads a page has a limit of its own. */
const PAGE_LENGTH = 4 * 1024 * 1024

export async function writeManifestPage(
  context: Context,
  { from, nonce }: Pick<ManifestBody, 'from' | 'nonce'>,
): Promise<string> {
  const { store, tenant } = context
  const { authority_seq: head } = await store.readNow(AUTHORITY)
  const found = await store.listEntries(AUTHORITY, from, LIMITS.entriesPerPage)
  // What was added since the head was read is told with the next question.
  const entries = cutPage(found.filter(({ envelope }) => envelope.seq <= head))
  const last = entries.at(-1)?.id ?? null
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
    signature: await signDocument(context, 'checkpoint', 'manifest', body),
  }
  return `${toCanonicalText(page)}\n`
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
