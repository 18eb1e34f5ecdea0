/**
 * `rubicon bench scrub`: what it takes to see artifacts as they were at any event of a long history, with a store in files: by a process
 * that has read the history, and by one that begins with it.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ArtifactEvent,
  ArtifactHistory,
  type BlobStore,
  createFileBlobs,
  createMemoryLog,
  openFileLog,
} from 'rubicon-artifacts/store'
import { Rng } from '../../sim/src/rng.ts'
import { computePercentile, roundFigure } from './measure.ts'

export type ScrubOptions = { readonly events: number; readonly files: number }

type Times = { readonly p50_ms: number; readonly p99_ms: number; readonly max_ms: number }

export type ScrubReport = {
  readonly events: number
  readonly files: number
  /** All names and hashes of a moment, and the bytes of one file. */
  readonly scrub: Times
  /** The same by a process that reads the log first. */
  readonly cold: Times
  /** What the history takes beside the versions of the files themselves. */
  readonly bytes_per_event: number
  readonly bar_ms: number
  readonly ok: boolean
}

const BAR_MS = 100
const ROUNDS = 300
const COLD_ROUNDS = 20

export async function runScrubBench({ events, files }: ScrubOptions): Promise<ScrubReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  try {
    const counted = countBytes(createFileBlobs(join(folder, 'objects'), { flush: false }))
    const path = join(folder, 'events.ndjson')
    const texts = await writeHistory(counted.blobs, path, { events, files })
    const open = (): ArtifactHistory => {
      const log = openFileLog(path)
      if (!log.ok) throw new Error(log.error.detail)
      return new ArtifactHistory(createFileBlobs(join(folder, 'objects')), log.value)
    }
    const rng = new Rng(7)
    const pick = (): number => Math.floor(rng.drawUnit() * (events + 1))
    const history = open()
    const scrub = await measure(ROUNDS, pick, () => history, files)
    const cold = await measure(COLD_ROUNDS, pick, open, files)
    const kept = counted.countPut() - texts + statSync(path).size
    const ok = Math.max(scrub.max_ms, cold.max_ms) < BAR_MS
    const bytes_per_event = Math.round(kept / events)
    return { events, files, scrub, cold, bytes_per_event, bar_ms: BAR_MS, ok }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The bytes of the texts that it put in. */
async function writeHistory(
  blobs: BlobStore,
  path: string,
  { events, files }: ScrubOptions,
): Promise<number> {
  const log = createMemoryLog()
  const history = new ArtifactHistory(blobs, log)
  const last = new Map<string, string>()
  let texts = 0
  for (let seq = 1; seq <= events; seq += 1) {
    const id = `src/part-${seq % files}.ts`
    const before = last.get(id) ?? null
    const after = `export const version = ${seq}\n`
    const splice = { start: 0, end: before?.length ?? 0, text: after }
    const inverse = { start: 0, end: after.length, text: before ?? '' }
    const event = await history.prepare({
      ...{ at: '2026-01-31T12:00:00.000Z', author: 'bench', undoes: null, deltas: [] },
      files: [
        {
          id,
          before: before === null ? null : Buffer.from(before),
          after: Buffer.from(after),
          steps: [{ splices: [splice], inverse: [inverse] }],
        },
      ],
    })
    if (!event.ok) throw new Error(event.error.detail)
    log.append(event.value)
    last.set(id, after)
    texts += after.length + (before?.length ?? 0)
  }
  writeLog(path, log.events)
  return texts
}

/** The last one as any other process records it: ten thousand of them would wait for the disk. */
function writeLog(path: string, events: readonly ArtifactEvent[]): void {
  writeFileSync(path, events.slice(0, -1).map(toLine).join(''))
  const log = openFileLog(path)
  const last = events.at(-1)
  if (!log.ok) throw new Error(log.error.detail)
  if (last !== undefined) log.value.append(last)
}

function toLine(event: ArtifactEvent): string {
  return `${JSON.stringify(event)}\n`
}

async function measure(
  rounds: number,
  pick: () => number,
  open: () => ArtifactHistory,
  files: number,
): Promise<Times> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const seq = pick()
    const started = performance.now()
    const history = open()
    const names = await history.readAt(seq)
    const text = await history.readFileAt(seq, `src/part-${seq % files}.ts`)
    times.push(performance.now() - started)
    const wanted = seq === 0 ? null : `export const version = ${seq}\n`
    const found = text.ok && text.value !== null ? Buffer.from(text.value).toString() : null
    if (!names.ok || names.value.size !== Math.min(seq, files) || found !== wanted)
      throw new Error(`event ${seq} is not what was written`)
  }
  return {
    p50_ms: roundFigure(computePercentile(times, 0.5)),
    p99_ms: roundFigure(computePercentile(times, 0.99)),
    max_ms: roundFigure(Math.max(...times)),
  }
}

function countBytes(inner: BlobStore): {
  readonly blobs: BlobStore
  readonly countPut: () => number
} {
  let put = 0
  const blobs: BlobStore = {
    ...inner,
    put: (bytes) => {
      put += bytes.length
      return inner.put(bytes)
    },
  }
  return { blobs, countPut: () => put }
}
