/** What the notes of a store say: which archives there are, and what lies in those that are not at hand. */
import {
  type ArchiveNote,
  findArchiveNoteProblem,
  LIMITS,
  type NoteTrust,
  parseArchiveNote,
} from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { readKeysUpTo } from '../export-ledger.ts'

export type NamedArchive = {
  readonly archive: string
  readonly file: string
  readonly flows: number
  readonly payloads: number
}

/** Notes as they stand in the store; what has another form is none. */
export async function* iterateArchiveNotes(
  store: Pick<Store, 'listRecords'>,
): AsyncGenerator<ArchiveNote> {
  const limit = LIMITS.entriesPerPage
  for (let after: string | undefined; ; ) {
    const place = after === undefined ? {} : { after }
    const page = await store.listRecords('archive', 'flows', { limit, ...place })
    for (const { key, body } of page) {
      const note = parseArchiveNote(body)
      if (note !== undefined && note.body.dfid === key) yield note
    }
    after = page.at(-1)?.key
    if (page.length < limit) return
  }
}

/** By digest, in the order in which they are first named. */
export async function listNamedArchives(
  store: Pick<Store, 'listRecords'>,
): Promise<readonly NamedArchive[]> {
  const named = new Map<string, NamedArchive>()
  for await (const { body } of iterateArchiveNotes(store)) {
    const { archive, file, leaves } = body
    const known = named.get(archive) ?? { archive, file, flows: 0, payloads: 0 }
    const { flows, payloads } = known
    named.set(archive, { ...known, flows: flows + 1, payloads: payloads + leaves.length })
  }
  return [...named.values()]
}

/** By dfid, the leaves whose payloads lie, by an operator's word, in archives that are not at hand. */
export type AwayLeaves = ReadonlyMap<string, ReadonlySet<number>>

export async function readAwayLeaves(
  store: Store,
  atHand: ReadonlySet<string>,
  verify: NoteTrust['verify'],
): Promise<AwayLeaves> {
  const away = new Map<string, ReadonlySet<number>>()
  const trust = await loadNoteTrust(store, verify)
  for await (const note of iterateArchiveNotes(store)) {
    const { archive, dfid, leaves } = note.body
    if (atHand.has(archive) || findArchiveNoteProblem(note, trust) !== undefined) continue
    away.set(dfid, new Set(leaves))
  }
  return away
}

/** The keys are those that the ledger states; whether it may state them, its verification says. */
async function loadNoteTrust(store: Store, verify: NoteTrust['verify']): Promise<NoteTrust> {
  const records = await readKeysUpTo(store, Number.POSITIVE_INFINITY)
  const keys = new Map(records.map((record) => [record.key_id, record]))
  return { tenant: store.tenant, findKey: (keyId) => keys.get(keyId), verify }
}
