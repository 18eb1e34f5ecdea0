/** Files of published packages, at exact versions: sources in TypeScript, and the JSON, YAML and Markdown that comes with them. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { type Format, findFormat } from 'rubicon-artifacts'
import type { Rng } from '../../../sim/src/rng.ts'
import { type CorpusFile, fetchPackage, readSource } from '../merge/corpus.ts'

export type CorpusPackage = { readonly name: string; readonly version: string }

export const CORPUS_FORMATS = ['typescript', 'json', 'yaml', 'markdown'] as const
export type CorpusFormat = (typeof CORPUS_FORMATS)[number]

export type ArtifactFile = CorpusFile & { readonly kind: CorpusFormat }

export type CorpusEntry =
  | { readonly file: ArtifactFile }
  /** Of a format that is measured, and left out all the same. */
  | { readonly skipped: string; readonly name: string }

export function readPackages(): readonly CorpusPackage[] {
  const { packages } = JSON.parse(readFileSync(new URL('./corpus.json', import.meta.url), 'utf8'))
  return packages
}

/** Those of a folder, in an order that a seed draws: so a short run sees other files than the first of each folder. */
export function* listArtifactFiles(
  folder: string,
  label: string,
  rng: Rng,
): Generator<CorpusEntry> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => (a < b ? -1 : 1))
  while (paths.length > 0) {
    const [path = ''] = paths.splice(rng.drawBelow(paths.length), 1)
    const format = findFormat(basename(path))
    const kind = format === undefined ? null : findKind(format)
    if (format === undefined || kind === null) continue
    const name = `${label}/${relative(folder, path)}`
    const text = readSource(path)
    if (text === null) yield { skipped: 'long, or no text that people write', name }
    else if (text.trim() === '') yield { skipped: 'empty', name }
    else yield { file: { name, text, format, kind } }
  }
}

function findKind({ media }: Format): CorpusFormat | null {
  switch (media) {
    case 'text/typescript':
    case 'text/tsx':
      return 'typescript'
    case 'application/json':
    case 'application/jsonc':
      return 'json'
    case 'application/yaml':
      return 'yaml'
    case 'text/markdown':
      return 'markdown'
    default:
      return null
  }
}

/** A text: why it is not there. */
export function fetchCorpusPackage(
  cache: string,
  { name, version }: CorpusPackage,
): { readonly folder: string } | string {
  try {
    return { folder: fetchPackage(cache, name, version) }
  } catch (error) {
    return `${name}@${version}: ${error instanceof Error ? error.message : String(error)}`
  }
}
