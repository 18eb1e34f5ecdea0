/**
 * What a registry elsewhere said, kept in a folder as it was signed: a process that starts while the registry is away goes on
 * with it for what is left of its time.
 *
 * K1 nothing in the folder is believed: pages count with the registry's signature, for the tenant, and where they hang together
 *    from the first entry to the last that the registry spoke of. Else nothing was kept.
 * K2 the time of an answer is written after what it said, and never a later one: what is kept ends too early rather than too late.
 * K3 what cannot be written is no outage: the registry has answered. Whoever asks `rubicon doctor` sees that nothing is kept.
 */
import type { KeyObject } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Entry,
  isObject,
  type JsonValue,
  type ManifestPage,
  parseJson,
  parseManifestPage,
  readManifestEntries,
  toCanonicalText,
} from 'rubicon-kernel'
import { sha256 } from '../system/sha256.ts'
import { isSignedPage, parsePage } from './signed-page.ts'

/** So often the time of an answer is written, where it said nothing new. */
const WRITE_MS = 2_000
const ANSWERED = 'answered.json'
const PAGE = /^page-\d{12}\.json$/

export type KeptPagesOptions = {
  readonly folder: string
  readonly key: KeyObject
  readonly tenant: string
  /** Milliseconds of the wall clock: they outlast the process. */
  readonly now: () => number
}

/** What a registry said before this process began. */
export type KeptAnswer = {
  /** From the first to the last that it spoke of. */
  readonly entries: readonly Entry[]
  /** When it answered last. */
  readonly at: number
}

export class KeptPages {
  readonly #options: KeptPagesOptions
  #writtenAt = Number.NEGATIVE_INFINITY
  /** The last seq that is in the folder. */
  #last = -1

  constructor(options: KeptPagesOptions) {
    this.#options = options
  }

  /** After an answer was believed. */
  keep(bytes: Uint8Array, page: ManifestPage): void {
    const at = this.#options.now()
    const { from } = page.body
    const last = from + page.entries.length - 1
    // A page behind a gap would stand for what is before it: its entries come once more, with those.
    const isNew = from === 0 || (from <= this.#last + 1 && last > this.#last)
    if (!isNew && Math.abs(at - this.#writtenAt) < WRITE_MS) return
    try {
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 })
      // Whoever begins anew reads all of it anew: one page takes the place of many small ones.
      if (from === 0) this.#removePages()
      if (isNew && page.entries.length > 0) {
        this.#write(`page-${String(from).padStart(12, '0')}.json`, bytes)
        this.#last = last
      }
      const { body, signature } = page
      this.#write(ANSWERED, toCanonicalText({ at, body, entries: [], signature }))
      this.#writtenAt = at
    } catch {
      // K3
    }
  }

  /** Null: nothing that counts. */
  load(): KeptAnswer | null {
    try {
      return this.#load()
    } catch {
      return null
    }
  }

  #load(): KeptAnswer | null {
    const { folder } = this.#options
    const answered = parseAnswered(readFileSync(join(folder, ANSWERED)))
    if (answered === null || !this.#isOurs(answered.page)) return null
    const entries: Entry[] = []
    for (const name of readdirSync(folder).filter(isPageName).sort()) {
      const page = parsePage(readFileSync(join(folder, name)))
      if (!page.ok || !this.#isOurs(page.value)) return null
      const read = readManifestEntries(page.value, sha256)
      if (!read.ok || !read.value.every((entry) => addEntry(entries, entry))) return null
    }
    const isWhole = entries.length > (answered.page.body.head ?? -1)
    if (!isWhole) return null
    this.#last = entries.length - 1
    return { entries, at: answered.at }
  }

  #isOurs(page: Pick<ManifestPage, 'body' | 'signature'>): boolean {
    const { key, tenant } = this.#options
    return page.body.tenant === tenant && isSignedPage(page, key)
  }

  #removePages(): void {
    const { folder } = this.#options
    for (const name of readdirSync(folder).filter(isPageName)) rmSync(join(folder, name))
    this.#last = -1
  }

  #write(name: string, content: string | Uint8Array): void {
    const target = join(this.#options.folder, name)
    const aside = `${target}.${process.pid}.new`
    writeFileSync(aside, content, { mode: 0o600 })
    renameSync(aside, target)
  }
}

function isPageName(name: string): boolean {
  return PAGE.test(name)
}

/** False: it neither follows what is there, nor is it what stands there already. */
function addEntry(entries: Entry[], entry: Entry): boolean {
  const { seq, parent } = entry.envelope
  if (seq < entries.length) return entries[seq]?.id === entry.id
  const before = entries.at(-1)
  if (seq > entries.length || (before !== undefined && parent !== before.id)) return false
  entries.push(entry)
  return true
}

/** A page without its entries, and when it came. */
function parseAnswered(bytes: Uint8Array): { at: number; page: ManifestPage } | null {
  const parsed = parseJson(bytes)
  const value: JsonValue = parsed.ok ? parsed.value : null
  if (!isObject(value)) return null
  const { at, ...rest } = value
  const page = parseManifestPage(rest)
  return page.ok && typeof at === 'number' ? { at, page: page.value } : null
}
