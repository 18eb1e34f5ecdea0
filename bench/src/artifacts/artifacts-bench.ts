/**
 * `rubicon bench artifacts`: structural edits on files of published packages.
 *
 * (a) tokens, comments and white space tile every file; (b) adding, replacing, renaming and removing touch no other line; (c) TypeScript's
 * own parser reads every result, and a rename is what its language service would do; (d) others do the same edits beside us.
 */
import { Rng } from '../../../sim/src/rng.ts'
import { getCacheFolder } from '../merge/corpus.ts'
import {
  type ArtifactFile,
  type CorpusPackage,
  fetchCorpusPackage,
  listArtifactFiles,
  readPackages,
} from './artifact-corpus.ts'
import { type ArtifactsReport, BenchFigures } from './bench-figures.ts'
import { type BenchPeers, openBenchPeers } from './bench-peers.ts'
import { tryFile } from './try-file.ts'

export type ArtifactsBenchOptions = {
  /** At most so many files in TypeScript, and so many of each other format. */
  readonly files: number
  readonly seed: number
  /** Files of this folder instead of published packages. */
  readonly folder?: string
  readonly cache?: string
  /** False: only ours is measured, and TypeScript judges it. */
  readonly peers?: boolean
  readonly note: (text: string) => void
  readonly progressOf: (what: string) => {
    readonly tell: (done: number, total: number | null) => void
    readonly end: () => void
  }
  readonly packages?: readonly CorpusPackage[]
}

/** Files that are asked about at one time: whoever is slow keeps the others waiting, and not all of their texts in memory. */
const IN_FLIGHT = 6

export async function runArtifactsBench(options: ArtifactsBenchOptions): Promise<ArtifactsReport> {
  const figures = new BenchFigures(options.seed)
  const peers = openBenchPeers(options.peers !== false)
  const progress = options.progressOf('files')
  const running = new Set<Promise<void>>()
  let [done, started] = [0, 0]
  try {
    for (const file of drawFiles(options, figures)) {
      if (running.size >= IN_FLIGHT) await Promise.race(running)
      const work = measureFile(file, options.seed + started, peers, figures).then(() => {
        running.delete(work)
        done += 1
        progress.tell(done, null)
      })
      started += 1
      running.add(work)
    }
    await Promise.all(running)
    return figures.report(peers)
  } finally {
    progress.end()
    peers.close()
  }
}

/** In turn from all packages, so that a short run sees many of them. */
function* drawFiles(
  { files, folder, cache, note, packages, seed }: ArtifactsBenchOptions,
  figures: BenchFigures,
): Generator<ArtifactFile> {
  const lists: Generator<ArtifactFile>[] = []
  if (folder !== undefined) lists.push(readFolder(folder, '.', seed, figures))
  for (const one of folder === undefined ? (packages ?? readPackages()) : []) {
    const found = fetchCorpusPackage(cache ?? getCacheFolder(), one)
    if (typeof found === 'string') {
      note(`not there: ${found}`)
      figures.missing_packages.push(found)
      continue
    }
    figures.packages += 1
    lists.push(readFolder(found.folder, one.name, seed, figures))
  }
  const left = { typescript: files, json: files, yaml: files, markdown: files }
  while (lists.length > 0) {
    for (const list of [...lists]) {
      const next = list.next()
      if (next.done === true) lists.splice(lists.indexOf(list), 1)
      else if (left[next.value.kind] > 0) {
        left[next.value.kind] -= 1
        yield next.value
      }
    }
    if (Object.values(left).every((count) => count === 0)) return
  }
}

function* readFolder(
  folder: string,
  label: string,
  seed: number,
  figures: BenchFigures,
): Generator<ArtifactFile> {
  for (const entry of listArtifactFiles(folder, label, new Rng(seed)))
    if ('file' in entry) yield entry.file
    else figures.countSkipped(entry.skipped)
}

async function measureFile(
  file: ArtifactFile,
  seed: number,
  peers: BenchPeers,
  figures: BenchFigures,
): Promise<void> {
  const tried = tryFile(file, seed)
  if ('unread' in tried) {
    figures.countUnread(file, tried.unread)
    return
  }
  const judged = await peers.judge(file, tried.edits)
  figures.countOurs(file, tried, judged)
  for (const { name, outcomes } of await peers.compare(file, tried.edits, judged))
    figures.countPeer(name, outcomes)
}
