/** The law depth over an exported ledger, a bundle, or the entries of a store. */
import {
  BUNDLE_FORMAT,
  isObject,
  type JsonObject,
  type JsonValue,
  type Sha256,
  type Writ,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../../ports/store.ts'
import { readLeafPages } from '../pages.ts'
import { type FileLine, LineFile } from './file-lines.ts'
import { type JudgedEntry, LawJudge, type LawReport } from './judge-law.ts'
import { parseWrit, parseWritFacts } from './parse-payload.ts'

type OnProgress = (entries: number, total: number | null) => void

/** Entries that are judged between two words about how far it is. */
const TOLD_EVERY = 1_000

/**
 * Of writs only the places are kept: a ledger has one for each flow, and most are asked for once.
 * A line that cannot be read is the verifiers' finding; here it is passed over.
 */
export function judgeFile(
  path: string,
  sha256: Sha256,
  onProgress: OnProgress = () => {},
): LawReport {
  const file = new LineFile(path)
  const judge = new LawJudge(sha256)
  const places = new Map<string, Pick<FileLine, 'at' | 'length'>>()
  try {
    let leaf = 0
    for (const line of file.readLines()) {
      const value = parseLine(line.text)
      if (isObject(value) && value.format === BUNDLE_FORMAT) return judgeBundle(value, judge)
      const entry = parseEntry(value)
      if (entry === null) continue
      const id = findWritId(entry)
      if (id !== null) places.set(id, { at: line.at, length: line.length })
      judge.see(leaf, entry, ({ id: wanted }) => {
        const place = places.get(wanted)
        return place === undefined ? undefined : findWrit(parseEntry(parseLine(file.read(place))))
      })
      leaf += 1
      if (leaf % TOLD_EVERY === 0) onProgress(leaf, null)
    }
    onProgress(leaf, leaf)
    return judge.report()
  } finally {
    file.close()
  }
}

export async function judgeStore(
  store: Store,
  sha256: Sha256,
  onProgress: OnProgress = () => {},
): Promise<LawReport> {
  const judge = new LawJudge(sha256)
  let judged = 0
  const size = await store.countLeaves()
  for await (const page of readLeafPages(store, size)) {
    for (const stored of page) {
      const entry = toJudgedEntry(stored)
      const writs = await readWrits(store, entry)
      judge.see(stored.leaf, entry, ({ id }) => writs.get(id))
    }
    judged += page.length
    onProgress(judged, size)
  }
  return judge.report()
}

/** Its entries stand in the order of the tree; what it leaves out is no decision of its flow. */
function judgeBundle({ entries }: JsonObject, judge: LawJudge): LawReport {
  const writs = new Map<string, Writ>()
  for (const value of Array.isArray(entries) ? entries : []) {
    const entry = parseEntry(value)
    if (entry === null || !isObject(value)) continue
    const writ = findWrit(entry)
    if (writ !== undefined) writs.set(writ.id, writ)
    judge.see(Number(value.leaf), entry, ({ id }) => writs.get(id))
  }
  return judge.report()
}

function parseLine(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return null
  }
}

function parseEntry(value: JsonValue): JudgedEntry | null {
  if (!isObject(value) || !isObject(value.envelope)) return null
  return value as unknown as JudgedEntry
}

function toJudgedEntry({ id, envelope, payload }: StoredEntry): JudgedEntry {
  return { id, envelope, payload: payload === null ? null : (JSON.parse(payload) as JsonObject) }
}

function findWrit(entry: JudgedEntry | null): Writ | undefined {
  if (entry?.envelope.kind !== 'writ' || entry.payload === null) return undefined
  return parseWrit(entry.payload).writ
}

function findWritId(entry: JudgedEntry): string | null {
  return findWrit(entry)?.id ?? null
}

/** A flow's writs stand in its entries; one that was issued by hand stands by itself. */
async function readWrits(
  store: Store,
  { payload }: JudgedEntry,
): Promise<ReadonlyMap<string, Writ>> {
  const writs = new Map<string, Writ>()
  const facts = payload?.facts
  if (!isObject(facts) || !Array.isArray(facts.writs)) return writs
  for (const { id, nonce } of parseWritFacts(facts.writs)) {
    const opened = (await store.listFlowEntries(nonce)).map((entry) =>
      findWrit(toJudgedEntry(entry)),
    )
    const found = opened.find((writ) => writ?.id === id) ?? (await store.readWrit(id))?.writ
    if (found !== undefined) writs.set(id, found)
  }
  return writs
}
