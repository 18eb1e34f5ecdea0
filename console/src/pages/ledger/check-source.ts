/**
 * Checks a ledger as it comes, by ranges from the server or by pieces of a file; a bundle is one
 * document and is checked whole. It runs in a worker, and lets go between pieces so that it can be
 * stopped: a worker that was ended could not be loaded again without the server.
 */
import {
  BUNDLE_FORMAT,
  type Bundle,
  isObject,
  type LedgerHeader,
  parseBundle,
  parseJson,
  parseLedgerHeader,
} from 'rubicon-kernel'
import {
  type AuditCrypto,
  BUNDLE_LIMITS,
  beginLedger,
  createLineSplitter,
  isLedgerLike,
  type Report,
  type Trust,
  verifyAny,
} from 'rubicon-verifier/browser'
import { findPin, type Pin, toTrust } from './pins.ts'
import { type BadEntry, type Head, parseHead, type Verified } from './verification.ts'
import type { Progress } from './verify-messages.ts'

export type Hooks = {
  readonly crypto: AuditCrypto
  readonly pins: readonly Pin[]
  readonly progress: (progress: Progress) => void
  /** Lets messages through; false: stop. */
  readonly goOn: () => Promise<boolean>
  readonly clock: () => number
}

export type Pieces = AsyncIterable<Uint8Array>

const PIECE_BYTES = 262_144
const LF = 0x0a

/** Null: it was stopped. */
export async function checkFile(file: Blob, hooks: Hooks): Promise<Verified | null> {
  const start = hooks.clock()
  const first = await readFirstLine(file)
  if (!isLedgerLike(first))
    throw new Error('it is not a ledger: its first line is not a header, an entry or a bundle')
  const found = parseBundleLine(first)
  if (found !== null) return checkBundle(file, found.bundle, hooks, start)
  return checkPieces('ledger', readPieces(file), parseHeaderLine(first), hooks, start)
}

/** `range`: lines of the export from a leaf on; without one the header. Null: it was stopped. */
export async function checkServer(
  range: (from: number | null, limit: number) => Promise<Uint8Array>,
  hooks: Hooks,
): Promise<Verified | null> {
  const start = hooks.clock()
  const header = await range(null, 0)
  const stated = parseHeaderLine(header)
  const size = stated === null ? 0 : (parseHead(stated, hooks.crypto.sha256)?.size ?? 0)
  return checkPieces('server', fetchRanges(range, header, size), stated, hooks, start)
}

const RANGE = 500

/** The next range is on its way while one is checked. */
async function* fetchRanges(
  range: (from: number | null, limit: number) => Promise<Uint8Array>,
  header: Uint8Array,
  size: number,
): Pieces {
  yield header
  const ask = (from: number): Promise<Uint8Array> => range(from, Math.min(RANGE, size - from))
  let next = size > 0 ? ask(0) : null
  for (let from = RANGE; next !== null; from += RANGE) {
    const piece = await next
    next = from < size ? ask(from) : null
    // Whoever stops in between is not told of a range that then fails.
    next?.catch(() => {})
    yield piece
  }
}

async function* readPieces(file: Blob): Pieces {
  for (let start = 0; start < file.size; start += PIECE_BYTES)
    yield new Uint8Array(await file.slice(start, start + PIECE_BYTES).arrayBuffer())
}

async function checkPieces(
  what: 'server' | 'ledger',
  pieces: Pieces,
  stated: LedgerHeader | null,
  hooks: Hooks,
  start: number,
): Promise<Verified | null> {
  const { crypto, clock, goOn } = hooks
  const held = resolveTrust(what, stated, hooks)
  const reportProgress = (done: number, total: number | null): void =>
    hooks.progress({ done, total, found: check.found() > 0 })
  const check = beginLedger(crypto, { ...toTrustOptions(held.trust), onProgress: reportProgress })
  const splitter = createLineSplitter()
  let firstBad: string | null = null
  let last: string | null = null
  for await (const piece of pieces) {
    for (const line of splitter.push(piece)) {
      const before = check.found()
      check.push(line)
      if (before === 0 && check.found() > 0) firstBad = line.text ?? null
      last = line.text ?? null
    }
    if (!(await goOn())) return null
  }
  for (const line of splitter.end()) check.push(line)
  const report = check.end()
  return {
    what,
    report,
    head: held.head,
    pin: held.pin,
    until: parseLineTime(last),
    bad: findBadEntry(report, firstBad),
    flow: null,
    ms: clock() - start,
  }
}

async function checkBundle(
  file: Blob,
  bundle: Bundle | null,
  hooks: Hooks,
  start: number,
): Promise<Verified> {
  const { crypto, clock, progress } = hooks
  const held = resolveTrust('bundle', bundle, hooks)
  const reportProgress = (done: number, total: number | null): void =>
    progress({ done, total, found: false })
  const bytes = new Uint8Array(await file.arrayBuffer())
  const report = verifyAny(bytes, crypto, {
    ...toTrustOptions(held.trust),
    onProgress: reportProgress,
  })
  const own = bundle?.entries.find(({ leaf }) => leaf === report.findings[0]?.leaf)
  return {
    what: 'bundle',
    report,
    head: held.head,
    pin: held.pin,
    until: bundle?.entries.at(-1)?.envelope.at ?? null,
    bad: findBadEntry(report, own === undefined ? null : JSON.stringify(own)),
    flow: bundle === null ? null : { dfid: bundle.dfid, entries: bundle.entries },
    ms: clock() - start,
  }
}

type Held = {
  readonly head: Head | null
  readonly pin: Pin | null
  readonly trust: Trust | undefined
}

function resolveTrust(
  what: Verified['what'],
  stated: LedgerHeader | Bundle | null,
  { crypto, pins }: Hooks,
): Held {
  const head = stated === null ? null : parseHead(stated, crypto.sha256)
  const pin = head === null ? null : findPin(pins, head.tenant)
  const trust = pin === null ? undefined : toTrust(pin, { what, size: head?.size ?? 0 })
  return { head, pin, trust }
}

function toTrustOptions(trust: Trust | undefined): { readonly trust?: Trust } {
  return trust === undefined ? {} : { trust }
}

function findBadEntry({ findings }: Report, line: string | null): BadEntry | null {
  const [finding] = findings
  return finding === undefined ? null : { finding, line: finding.leaf === null ? null : line }
}

/** Of a bundle it is the whole file. */
async function readFirstLine(file: Blob): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const piece of readPieces(file)) {
    const end = piece.indexOf(LF)
    parts.push(end < 0 ? piece : piece.subarray(0, end))
    if (end >= 0) break
  }
  return new Uint8Array(await new Blob(parts.map((part) => new Uint8Array(part))).arrayBuffer())
}

/** What the first line says the file is: a bundle, and as far as it can be read, or none. */
function parseBundleLine(line: Uint8Array): { readonly bundle: Bundle | null } | null {
  const value = parseJson(line, BUNDLE_LIMITS)
  if (!value.ok || !isObject(value.value) || value.value.format !== BUNDLE_FORMAT) return null
  const bundle = parseBundle(value.value)
  return { bundle: bundle.ok ? bundle.value : null }
}

function parseHeaderLine(line: Uint8Array): LedgerHeader | null {
  const value = parseJson(line, BUNDLE_LIMITS)
  const header = value.ok ? parseLedgerHeader(value.value) : undefined
  return header?.ok === true ? header.value : null
}

/** When the entry of a line was written. */
function parseLineTime(line: string | null): string | null {
  const value = line === null ? undefined : parseJson(line, BUNDLE_LIMITS)
  const entry = value?.ok === true && isObject(value.value) ? value.value.envelope : undefined
  const at = entry !== undefined && isObject(entry) ? entry.at : undefined
  return typeof at === 'string' ? at : null
}
