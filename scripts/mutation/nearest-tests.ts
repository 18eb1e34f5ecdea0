/** Which tests load a file, the nearest first: whoever imports it directly knows it best. */
import { dirname, join, normalize } from 'node:path'
import { importsOf } from '../source-text.ts'

/** The entrances that other workspaces come in by. */
const PACKAGES: Readonly<Record<string, string>> = {
  'rubicon-kernel': 'kernel/src/index.ts',
  'rubicon-verifier': 'verifier/src/index.ts',
}

export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** File → the files that import it and run. */
export function importersOf(texts: ReadonlyMap<string, string>): ImportGraph {
  const importers = new Map<string, string[]>()
  for (const [file, text] of texts)
    for (const { from, typeOnly } of importsOf(text)) {
      const to = PACKAGES[from] ?? normalize(join(dirname(file), from))
      if (typeOnly || !texts.has(to)) continue
      importers.set(to, [...(importers.get(to) ?? []), file])
    }
  return importers
}

/** By how many imports lie between; the test of the same name comes first. */
export function nearestTests(graph: ImportGraph, file: string): readonly string[] {
  const own = file.replace(/\.ts$/, '.test.ts')
  const seen = new Set([file])
  const found: string[] = []
  for (let ring = [file]; ring.length > 0; ) {
    const next = ring.flatMap((one) => graph.get(one) ?? []).filter((one) => !seen.has(one))
    ring = [...new Set(next)].sort()
    for (const one of ring) seen.add(one)
    found.push(...ring.filter((one) => one.endsWith('.test.ts')))
  }
  return found.includes(own) ? [own, ...found.filter((one) => one !== own)] : found
}
