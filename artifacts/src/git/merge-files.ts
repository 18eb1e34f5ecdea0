/**
 * Merges three files as git hands them to a merge driver.
 *
 * D1 the file of ours is replaced only by a whole result, in one step; on any error it is what it was.
 * D2 whatever keeps symbols from being merged (bytes that are no text, a parser that fails, time that runs out), git's own merge
 *    is asked. If that fails too, nothing is written and the error is thrown.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { findFormat } from '../formats/formats.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import {
  DEFAULT_MARKERS,
  type MarkerStyle,
  type MergeInput,
  type MergeResult,
} from '../merge/merge.ts'
import { mergeFilesByGit } from './merge-file.ts'
import type { MergeJob } from './merge-worker.ts'

export type MergeFiles = {
  readonly base: string
  readonly ours: string
  readonly theirs: string
  /** The name of the file in its repository. */
  readonly name: string
  readonly markerSize?: number
  /** After so long it is git's own merge. */
  readonly timeoutMs?: number
}

export type MergedFile = Omit<MergeResult, 'text'>

export async function mergeFiles(files: MergeFiles): Promise<MergedFile> {
  const markers: MarkerStyle = {
    ...DEFAULT_MARKERS,
    size: files.markerSize ?? DEFAULT_MARKERS.size,
  }
  const timeoutMs = files.timeoutMs ?? ARTIFACT_LIMITS.mergeMs
  const result = await mergeBySymbols(files, markers, timeoutMs)
  if (typeof result === 'string') return writeGitMerge(files, markers, result)
  const { text, ...rest } = result
  replaceFile(files.ours, Buffer.from(text, 'utf8'))
  return rest
}

/** A text: why it is for git. */
async function mergeBySymbols(
  files: MergeFiles,
  markers: MarkerStyle,
  timeoutMs: number,
): Promise<MergeResult | string> {
  const format = findFormat(files.name)
  if (format === undefined) return 'no format reads it'
  if (format.type === 'spec') return 'a document is merged by its lines'
  const input = readInput(files)
  if (input === null) return 'it is no text in UTF-8'
  try {
    return await startThread({ input, name: files.name, markers }, timeoutMs)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function readInput({ base, ours, theirs }: MergeFiles): MergeInput | null {
  try {
    return { base: readText(base), ours: readText(ours), theirs: readText(theirs) }
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Throws a TypeError for bytes that are no UTF-8. A byte order mark is a part of the text. */
function readText(path: string): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
}

function startThread(workerData: MergeJob, timeoutMs: number): Promise<MergeResult> {
  const file = import.meta.url.endsWith('.ts') ? './merge-worker.ts' : './merge-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), { workerData })
  return new Promise<MergeResult>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`it took longer than ${timeoutMs} ms`)),
      timeoutMs,
    )
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the merge ended without a result')))
    timer.unref()
  }).finally(() => worker.terminate())
}

function writeGitMerge(files: MergeFiles, markers: MarkerStyle, fallback: string): MergedFile {
  const { isClean, bytes } = mergeFilesByGit([files.ours, files.base, files.theirs], markers)
  replaceFile(files.ours, bytes)
  const reason = 'both sides changed these lines'
  const conflicts = isClean ? [] : [{ kind: 'text', path: '', reason } as const]
  return { conflicts, by: 'lines', fallback }
}

/** D1. */
function replaceFile(path: string, bytes: Buffer): void {
  const beside = `${path}.rubicon-${process.pid}`
  try {
    writeFileSync(beside, bytes, { flag: 'wx' })
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
