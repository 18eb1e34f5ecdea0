/** The thread that merges by symbols: whoever waits for it can end it. */
import { parentPort, workerData } from 'node:worker_threads'
import { findFormat } from '../formats/formats.ts'
import type { MarkerStyle, MergeInput } from '../merge/merge.ts'
import { mergeTexts } from '../merge/merge-texts.ts'
import { createGitMergeLines } from './merge-file.ts'

export type MergeJob = {
  readonly input: MergeInput
  /** Of the file: its ending says how it is read. */
  readonly name: string
  readonly markers: MarkerStyle
}

const { input, name, markers }: MergeJob = workerData
const mergeLines = createGitMergeLines(markers)
parentPort?.postMessage(mergeTexts(input, findFormat(name), { mergeLines, markers }))
