/**
 * An archive on the disk: written whole or not at all, and read only as it was written.
 *
 * 1. It is written beside its place, synced, read again and held against what it was to hold, and only then gets its
 *    name; the folder is synced after it. Nothing is ever written over. One that is there already is synced again.
 * 2. What is read has the digest that the notes of the store name, so that nobody has to be believed about it.
 */
import { isUtf8 } from 'node:buffer'
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ArchivableFlow, ArchivedFlow, ArchivedPayload } from 'rubicon-runtime/engine/archive'
import {
  formatArchiveHeader,
  formatArchiveLines,
  type OpenArchive,
  parseArchiveHeader,
  parseArchiveLine,
} from 'rubicon-runtime/evidence/archive'
import { Recent } from 'rubicon-runtime/recent'
import { CliFailure } from './failure.ts'

/** What is reached while an archive is written; for tests that stop there. */
export type WritingStep = 'begun' | 'written' | 'synced' | 'checked' | 'named'

export type WrittenArchive = { readonly flows: number; readonly payloads: number }

/** Writes what comes. No file is left where anything fails, or where nothing came. */
export async function writeArchive(
  path: string,
  tenant: string,
  flows: AsyncIterable<ArchivableFlow>,
  reach: (step: WritingStep) => void = () => {},
): Promise<WrittenArchive> {
  removeDrafts(path)
  const draft = mintDraftPath(path)
  const handle = openSync(draft, 'wx', 0o600)
  const written = { flows: 0, payloads: 0 }
  try {
    const hash = createHash('sha256')
    const write = (text: string): void => {
      hash.update(text)
      writeFileSync(handle, text)
    }
    reach('begun')
    write(formatArchiveHeader(tenant))
    for await (const flow of flows) {
      write(formatArchiveLines(flow))
      written.flows += 1
      written.payloads += flow.entries.length
    }
    reach('written')
    fsyncSync(handle)
    reach('synced')
    const read = openArchive(draft)
    read.close()
    if (read.digest !== formatDigest(hash) || read.payloads !== written.payloads)
      throw createArchiveFailure(path, 'what was read back is not what was written')
    reach('checked')
    // Unlike a rename it takes nobody's place.
    if (written.flows > 0) linkSync(draft, path)
    reach('named')
  } finally {
    closeSync(handle)
    rmSync(draft, { force: true })
    ensureSynced(dirname(path))
  }
  return written
}

/**
 * What runs left that were killed: nobody has read it, and the store has all of it, or the file. A run that is still
 * writing finds its draft gone, and ends.
 */
export function removeDrafts(path: string): void {
  const [folder, start] = [dirname(path), `${basename(path)}.`]
  for (const name of readdirSync(folder))
    if (name.startsWith(start) && name.endsWith(ARCHIVE_DRAFT))
      rmSync(join(folder, name), { force: true })
}

export const ARCHIVE_DRAFT = '.rubicon-partial'

/** Of this run alone: what another run writes must not get the name of what this one has checked. */
function mintDraftPath(path: string): string {
  return `${path}.${randomUUID()}${ARCHIVE_DRAFT}`
}

/** What it holds, and its name: whoever wrote it may have been killed before either was on the disk. */
export function ensureArchiveSynced(path: string): void {
  const real = realpathSync(path)
  ensureSynced(real)
  ensureSynced(dirname(real))
}

/** A file, or the names in a folder. */
function ensureSynced(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export type ReadArchive = OpenArchive & {
  readonly path: string
  /** What it is called, without its folder. */
  readonly name: string
  readonly tenant: string
  readonly payloads: number
  readonly dfids: () => Iterable<string>
  readonly close: () => void
}

/** Entries of several flows stand beside each other in the tree. */
const FLOWS_KEPT = 1_024

type Extent = { readonly from: number; readonly to: number }

/** Reads all of it once: every line has the form that it must have, and each flow stands in one piece. */
export function openArchive(path: string): ReadArchive {
  const handle = openSync(path, 'r')
  try {
    return readArchive(path, handle)
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

function readArchive(path: string, handle: number): ReadArchive {
  const hash = createHash('sha256')
  const flows = new Map<string, Extent>()
  let tenant: string | null = null
  let payloads = 0
  let [flow, highest] = ['', -1]
  for (const { text, from, to } of iterateFileLines(handle, (bytes) => hash.update(bytes))) {
    if (tenant === null) {
      const header = parseArchiveHeader(text)
      if (!header.ok)
        throw createArchiveFailure(path, `its first line is no header: ${header.error}`)
      tenant = header.value.tenant
      continue
    }
    const line = parseArchiveLine(text)
    if (!line.ok) throw createArchiveFailure(path, `at byte ${from}: ${line.error}`)
    const { dfid, leaf } = line.value
    const known = flows.get(dfid)
    const follows = known === undefined || (flow === dfid && highest < leaf)
    if (!follows) throw createArchiveFailure(path, `at byte ${from}: it is out of order`)
    flows.set(dfid, { from: known?.from ?? from, to })
    ;[flow, highest] = [dfid, leaf]
    payloads += 1
  }
  if (tenant === null) throw createArchiveFailure(path, 'it is empty')
  const recent = new Recent<ArchivedFlow>(FLOWS_KEPT)
  const readFlow = (dfid: string): ArchivedFlow | undefined => {
    const extent = flows.get(dfid)
    if (extent === undefined) return undefined
    const flow = recent.get(dfid) ?? readExtent(path, handle, dfid, extent)
    recent.set(dfid, flow)
    return flow
  }
  return {
    path,
    name: basename(path),
    tenant,
    digest: formatDigest(hash),
    payloads,
    dfids: () => flows.keys(),
    readFlow,
    close: () => closeSync(handle),
  }
}

function readExtent(
  path: string,
  handle: number,
  dfid: string,
  { from, to }: Extent,
): ArchivedFlow {
  const bytes = Buffer.alloc(to - from)
  if (readSync(handle, bytes, 0, bytes.length, from) !== bytes.length)
    throw createArchiveFailure(path, 'it was cut while it was read')
  const payloads = new Map<number, ArchivedPayload>()
  for (const text of bytes.toString().split('\n').slice(0, -1)) {
    const line = parseArchiveLine(text)
    if (!line.ok || line.value.dfid !== dfid)
      throw createArchiveFailure(path, 'it was changed while it was read')
    const { leaf, payload, text: said } = line.value
    payloads.set(leaf, { payload, text: said })
  }
  return { dfid, payloads }
}

type FileLine = { readonly text: string; readonly from: number; readonly to: number }

const CHUNK = 1_048_576
const NEWLINE = 10

/** Every line has an end; `to` is behind it. */
function* iterateFileLines(handle: number, see: (bytes: Uint8Array) => void): Generator<FileLine> {
  let rest = Buffer.alloc(0)
  let from = 0
  for (let at = 0; ; ) {
    const chunk = Buffer.alloc(CHUNK)
    const length = readSync(handle, chunk, 0, CHUNK, at)
    if (length === 0) break
    at += length
    see(chunk.subarray(0, length))
    let bytes = Buffer.concat([rest, chunk.subarray(0, length)])
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
      yield { text: decodeLine(bytes.subarray(0, end)), from, to: from + end + 1 }
      from += end + 1
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes
  }
  if (rest.length > 0) yield { text: '', from, to: from + rest.length }
}

/** What is not UTF-8 is no line. */
function decodeLine(bytes: Uint8Array): string {
  return isUtf8(bytes) ? Buffer.from(bytes).toString() : ''
}

function formatDigest(hash: ReturnType<typeof createHash>): string {
  return `sha256:${hash.copy().digest('hex')}`
}

export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

export function createArchiveFailure(path: string, why: string): CliFailure {
  return new CliFailure({
    code: 'ARCHIVE_UNREADABLE',
    summary: `\`${path}\` is not an archive as it was written`,
    why,
    fix: 'use the file that `rubicon archive create` wrote, or an unchanged copy of it',
  })
}
