/**
 * `rubicon bench merge`: merges by symbols beside git's own merge of lines, on files of real packages.
 *
 * (a) two agents add a member to one class, or a function to one module, at one place; (b) what a published version changed, dealt out
 * to two sides; (c) conflicts that no line shows.
 */
import { Rng } from '../../../sim/src/rng.ts'
import { type AdditionFigures, createAdditionFigures, tryAdditions } from './add-members.ts'
import { fetchPackage, getCacheFolder, listCorpus, type PackagePair, readPairs } from './corpus.ts'
import {
  createSeededFigures,
  type SeededFigures,
  type SeededKind,
  trySeeds,
} from './seed-conflicts.ts'
import { createSplitFigures, type SplitFigures, trySplits } from './split-versions.ts'

export type MergeBenchOptions = {
  readonly folder: string
  /** At most so many files of the folder. */
  readonly files: number
  /** How often the changes of each file are dealt out. */
  readonly rounds: number
  readonly seed: number
  /** At most so many pairs of versions. */
  readonly pairs: number
  readonly cache?: string
  readonly note: (text: string) => void
}

export type MergeReport = {
  readonly files: number
  readonly classes: AdditionFigures & {
    readonly merged_percent: number
    readonly git_merged_percent: number
  }
  readonly modules: AdditionFigures & {
    readonly merged_percent: number
    readonly git_merged_percent: number
  }
  readonly versions: SplitFigures & {
    readonly pairs: number
    readonly failed_pairs: readonly string[]
  }
  readonly semantic: Readonly<Record<SeededKind, SeededFigures>> & {
    readonly refused_percent: number
  }
  readonly seed: number
}

export function runMergeBench(options: MergeBenchOptions): MergeReport {
  const { note, seed } = options
  const [classes, modules] = [createAdditionFigures(), createAdditionFigures()]
  const semantic = createSeeded()
  let files = 0
  note(`additions and hidden conflicts: files below ${options.folder}`)
  for (const file of listCorpus(options.folder)) {
    if (file.format.type !== 'code') continue
    if (files >= options.files) break
    files += 1
    tryAdditions(file, 'class', classes)
    tryAdditions(file, 'module', modules)
    trySeeds(file, semantic)
  }
  const versions = measureVersions(options, semantic)
  const all = Object.values(semantic)
  const [seeded, refused] = [sum(all.map((one) => one.seeded)), sum(all.map((one) => one.refused))]
  return {
    files,
    classes: addPercents(classes),
    modules: addPercents(modules),
    versions,
    semantic: { ...semantic, refused_percent: toPercent(refused, seeded) },
    seed,
  }
}

function createSeeded(): Record<SeededKind, SeededFigures> {
  return {
    rename: createSeededFigures(),
    signature: createSeededFigures(),
    removal: createSeededFigures(),
    enum: createSeededFigures(),
  }
}

function measureVersions(
  { cache, pairs, rounds, seed, note }: MergeBenchOptions,
  semantic: Readonly<Record<SeededKind, SeededFigures>>,
): MergeReport['versions'] {
  const figures = createSplitFigures()
  const failed: string[] = []
  const rng = new Rng(seed)
  const chosen = readPairs().slice(0, pairs)
  for (const pair of chosen) {
    note(`versions: ${pair.name} ${pair.from} and ${pair.to}`)
    const folders = fetchPair(cache ?? getCacheFolder(), pair)
    if (typeof folders === 'string') {
      failed.push(folders)
      continue
    }
    for (const file of listCorpus(folders[0])) {
      trySplits(file, folders[1], rounds, rng, figures)
      // Sources with enums are rare below a folder of installed packages.
      if (/\benum\b/u.test(file.text)) trySeeds(file, semantic, ['enum'])
    }
  }
  return { pairs: chosen.length - failed.length, failed_pairs: failed, ...figures }
}

/** A text: why they are not there. What could not be fetched is told, and not counted. */
function fetchPair(
  cache: string,
  { name, from, to }: PackagePair,
): readonly [string, string] | string {
  try {
    return [fetchPackage(cache, name, from), fetchPackage(cache, name, to)]
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`
  }
}

function addPercents(figures: AdditionFigures): MergeReport['classes'] {
  const { containers, merged, git_merged } = figures
  return {
    ...figures,
    merged_percent: toPercent(merged, containers),
    git_merged_percent: toPercent(git_merged, containers),
  }
}

function toPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
