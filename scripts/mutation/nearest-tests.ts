/** Which tests load a file, the nearest first: whoever imports it directly knows it best. */
import { basename, dirname, join, normalize } from 'node:path'
import { parseImports } from '../source-text.ts'
import { PACKAGES } from '../walls.ts'

export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** File → the files that import it and run. */
export function buildImportGraph(texts: ReadonlyMap<string, string>): ImportGraph {
  const importers = new Map<string, string[]>()
  for (const [file, text] of texts)
    for (const { from, typeOnly } of parseImports(text)) {
      const to = PACKAGES[from] ?? normalize(join(dirname(file), from))
      if (typeOnly || !texts.has(to)) continue
      importers.set(to, [...(importers.get(to) ?? []), file])
    }
  return importers
}

/**
 * By how many imports lie between. Many tests lie equally far, as where all come in by one entrance; so
 * those come before them that bear the name of a file on the way, of one that it imports itself, or that
 * stand in its folder: they were written for what it does.
 */
export function findNearestTests(graph: ImportGraph, file: string): readonly string[] {
  const rings = computeRings(graph, file)
  const tests = [...rings.keys()].filter(isTest)
  const named = new Map<string, number>()
  const name = (source: string, distance: number): void => {
    const known = named.get(toStem(source)) ?? distance
    named.set(toStem(source), Math.min(known, distance))
  }
  for (const [source, ring] of rings) if (!isTest(source)) name(source, ring)
  for (const [imported, by] of graph) if (by.includes(file)) name(imported, 1)
  const computeDistance = (test: string): number => {
    const ring = rings.get(test) ?? 0
    const near = ring === 1 ? 1 : (named.get(toStem(test)) ?? FAR + ring)
    return isBeside(test, file) ? Math.min(near, 2) : near
  }
  const own = toStem(file)
  return tests.sort((one, other) => {
    const isOwn = Number(toStem(other) === own) - Number(toStem(one) === own)
    return isOwn || computeDistance(one) - computeDistance(other)
  })
}

/** Further than any name leads. */
const FAR = 100

const isTest = (file: string): boolean => file.endsWith('.test.ts')

/** `a/b.ts`, `a/b.test.ts` and `a/b.findings.test.ts` are all `a/b`. */
function toStem(file: string): string {
  return join(dirname(file), basename(file).split('.')[0] ?? '')
}

/** In a folder of their own: the root of a workspace holds everything. */
function isBeside(test: string, file: string): boolean {
  return dirname(test) === dirname(file) && basename(dirname(file)) !== 'src'
}

/** Every file that leads to it, with how many imports lie between, the nearest first. */
function computeRings(graph: ImportGraph, file: string): ReadonlyMap<string, number> {
  const rings = new Map([[file, 0]])
  for (let ring = [file], distance = 1; ring.length > 0; distance += 1) {
    const next = ring.flatMap((one) => graph.get(one) ?? []).filter((one) => !rings.has(one))
    ring = [...new Set(next)].sort()
    for (const one of ring) rings.set(one, distance)
  }
  return rings
}
