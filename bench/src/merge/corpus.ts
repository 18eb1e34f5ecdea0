/** The texts that merges are tried on: files of a folder, and files of two published versions of one package. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { type Format, findFormat } from 'rubicon-artifacts'

export type CorpusFile = {
  /** From the folder on. */
  readonly name: string
  readonly text: string
  readonly format: Format
}

export type PackagePair = { readonly name: string; readonly from: string; readonly to: string }

export function readPairs(): readonly PackagePair[] {
  const { pairs } = JSON.parse(readFileSync(new URL('./corpus.json', import.meta.url), 'utf8'))
  return pairs
}

/** What is larger, or has longer lines, was written by a program. */
const MOST_CHARACTERS = 400_000
const LONGEST_LINE = 2_000
const NPM_MS = 120_000

/** Every file below a folder that a format reads, in the order of their names; a generator, since a folder may be large. */
export function* listCorpus(folder: string, below: string = folder): Generator<CorpusFile> {
  const entries = readdirSync(below, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(below, entry.name)
    if (entry.isDirectory()) yield* listCorpus(folder, path)
    const format = entry.isFile() ? findFormat(entry.name) : undefined
    const text = format === undefined ? null : readSource(path)
    if (format !== undefined && text !== null) yield { name: relative(folder, path), text, format }
  }
}

/** Null: it is no text that people write. */
export function readSource(path: string): string | null {
  const bytes = readFileSync(path)
  if (bytes.length > MOST_CHARACTERS || bytes.includes(0)) return null
  const text = bytes.toString('utf8')
  if (text.includes('\uFFFD')) return null
  return text.split('\n').some((line) => line.length > LONGEST_LINE) ? null : text
}

export function getCacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rubicon', 'corpus')
}

/** The folder of a package at a version, from npm as it is configured here; kept for the next time. */
export function fetchPackage(cache: string, name: string, version: string): string {
  const folder = join(cache, `${name.replaceAll('/', '+')}-${version}`)
  if (existsSync(folder)) return join(folder, 'package')
  const making = `${folder}.making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', making], making)
  const [archive] = readdirSync(making).filter((file) => file.endsWith('.tgz'))
  if (archive === undefined) throw new Error(`npm packed nothing of ${name}@${version}`)
  mkdirSync(join(making, 'package'))
  // The folder in an archive has a name of its own in some packages.
  run('tar', ['-xzf', archive, '-C', 'package', '--strip-components=1'], making)
  renameSync(making, folder)
  return join(folder, 'package')
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, timeout: NPM_MS })
  if (status === 0) return
  throw new Error(
    `${command} ${args[1] ?? ''}: ${error?.message ?? stderr.toString('utf8').trim()}`,
  )
}
