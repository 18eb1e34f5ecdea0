/**
 * `rubicon bench index`: how long it takes to find symbols among a million by path, by name and by how either begins, what the change of
 * one artifact costs, and what all of it takes in memory. Names are as in real code: a few are everywhere, most are rare.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SymbolIndex } from 'rubicon-artifacts'
import { Rng } from '../../sim/src/rng.ts'
import { computePercentile, roundFigure } from './measure.ts'

export type IndexOptions = {
  readonly symbols: number
  readonly artifacts: number
  readonly seed: number
}

type Lookups = { readonly p50_us: number; readonly p99_us: number; readonly max_us: number }

export type IndexReport = {
  readonly symbols: number
  readonly artifacts: number
  /** How many different ones. */
  readonly names: number
  readonly build_s: number
  readonly exact: Lookups
  /** Paths of one artifact by how they begin. */
  readonly by_path: Lookups
  readonly by_name: Lookups
  readonly by_prefix: Lookups
  /** One artifact is put again with other symbols. */
  readonly update: Lookups
  /** Of the heap, all of it: paths, names and lists. */
  readonly bytes_per_symbol: number
  readonly bar_us: number
  readonly ok: boolean
}

const BAR_US = 1_000
const ROUNDS = 5_000
const UPDATES = 500
const ANSWERS = 50
const MEMBERS = 9
const COMMON = ['constructor', 'get', 'set', 'name', 'id', 'toString', 'run', 'close', 'value']
const WORDS = ['read', 'write', 'order', 'token', 'Ledger', 'parse', 'Index', 'claim', 'Store']

export function runIndexBench({ symbols, artifacts, seed }: IndexOptions): IndexReport {
  const rng = new Rng(seed)
  const each = Math.max(1, Math.floor(symbols / artifacts))
  const before = measureHeap()
  const started = performance.now()
  const index = new SymbolIndex()
  for (let i = 0; i < artifacts; i += 1) index.put(nameArtifact(i), drawPaths(rng, each))
  const build_s = roundFigure((performance.now() - started) / 1_000)
  const bytes = measureHeap() - before
  const known = Array.from({ length: ROUNDS }, () => drawKnown(index, rng, artifacts))
  const measured = {
    exact: measure(known, ({ artifact, path }) => index.find(artifact, path)),
    by_path: measure(known, ({ artifact, path }) =>
      index.listByPath(artifact, path.split('/')[0] ?? '', ANSWERS),
    ),
    by_name: measure(known, ({ name }) => index.listByName(name, ANSWERS)),
    by_prefix: measure(known, ({ name }) => index.listByPrefix(name.slice(0, 3), ANSWERS)),
  }
  const changes = known.slice(0, UPDATES).map(({ artifact }) => ({
    artifact,
    paths: drawPaths(rng, each),
  }))
  const update = measure(changes, ({ artifact, paths }) => index.put(artifact, paths))
  return {
    ...{ symbols: index.size, artifacts, names: index.names, build_s, ...measured, update },
    bytes_per_symbol: Math.round(bytes / index.size),
    bar_us: BAR_US,
    ok: Object.values(measured).every(({ p99_us }) => p99_us < BAR_US),
  }
}

/** A symbol that is there, of any artifact. */
function drawKnown(
  index: SymbolIndex,
  rng: Rng,
  artifacts: number,
): { readonly artifact: string; readonly path: string; readonly name: string } {
  const artifact = nameArtifact(Math.floor(rng.drawUnit() * artifacts))
  const { symbols } = index.listByPath(artifact, '', Math.ceil(rng.drawUnit() * MEMBERS * 3))
  const symbol = symbols.at(-1)
  return { artifact, path: symbol?.path ?? '', name: symbol?.name ?? '' }
}

function nameArtifact(i: number): string {
  return `packages/part-${i % 100}/src/folder-${i % 7}/module-${i}.ts`
}

/** Classes and functions, and members within the classes. */
function drawPaths(rng: Rng, count: number): readonly string[] {
  const paths = new Set<string>()
  let holder = `class:${drawName(rng)}`
  while (paths.size < count) {
    const isHolder = paths.size % (MEMBERS + 1) === 0
    if (isHolder) holder = `class:${drawName(rng)}`
    paths.add(isHolder ? holder : `${holder}/method:${drawName(rng)}`)
  }
  return [...paths]
}

function drawName(rng: Rng): string {
  const pick = (words: readonly string[]): string =>
    words[Math.floor(rng.drawUnit() * words.length)] ?? ''
  if (rng.drawUnit() < 0.3) return pick(COMMON)
  return `${pick(WORDS)}${pick(WORDS)}${Math.floor(rng.drawUnit() * 50_000).toString(36)}`
}

function measure<T>(inputs: readonly T[], ask: (input: T) => unknown): Lookups {
  const times = inputs.map((input) => {
    const started = performance.now()
    ask(input)
    return (performance.now() - started) * 1_000
  })
  const round = (share: number): number => roundFigure(computePercentile(times, share))
  return { p50_us: round(0.5), p99_us: round(0.99), max_us: round(1) }
}

/** What nobody holds any more is collected first: otherwise it would count as kept. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
