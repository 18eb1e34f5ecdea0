/** What can be counted about the structure of the repository, from the text of its files alone. */
import { basename, dirname, join, normalize } from 'node:path'
import { extractCode, parseImports } from '../source-text.ts'
import { PACKAGES } from '../walls.ts'
import { findCircles, type Graph } from './circles.ts'
import { listFunctionNames } from './names.ts'
import { hasLeadingVerb } from './verbs.ts'

/** Path → text, of every source file that is not a test. */
export type Sources = ReadonlyMap<string, string>

/** Folders whose files should stand in rooms. */
const HALLS = ['runtime/src/engine', 'server/src/http', 'verifier/src'] as const

export type House = {
  readonly circles: {
    /** Files that load each other: none can be understood, or started, before the others. */
    readonly value: readonly (readonly string[])[]
    /** The same with types counted, where the files stand in more than one folder. */
    readonly type_across_rooms: readonly (readonly string[])[]
  }
  readonly loose: Readonly<Record<string, readonly string[]>>
  readonly files: number
  readonly median: number
  readonly p90: number
  readonly functions: number
  readonly names_without_verb: readonly string[]
  readonly duplicate_type_names: readonly string[]
  readonly casts: readonly string[]
}

export function measureHouse(sources: Sources): House {
  const lengths = [...sources.values()].map((text) => text.split('\n').length).sort((a, b) => a - b)
  const names = [...sources].flatMap(([path, text]) => listNamesIn(path, text))
  return {
    circles: {
      value: findCircles(readGraph(sources, 'values')),
      type_across_rooms: findCircles(readGraph(sources, 'types too')).filter(
        (files) => new Set(files.map((file) => dirname(file))).size > 1,
      ),
    },
    loose: Object.fromEntries(HALLS.map((hall) => [hall, listLooseFiles(sources, hall)])),
    files: sources.size,
    median: takeQuantile(lengths, 0.5),
    p90: takeQuantile(lengths, 0.9),
    functions: names.length,
    names_without_verb: [...sources].flatMap(([path, text]) => listNamesWithoutVerb(path, text)),
    duplicate_type_names: listDuplicateTypes(sources),
    casts: [...sources].flatMap(([path, text]) => listDoubleCasts(path, text)),
  }
}

/** A dynamic import waits until it is asked for, so it makes no circle. */
function readGraph(sources: Sources, edges: 'values' | 'types too'): Graph {
  return new Map(
    [...sources].map(([path, text]) => {
      const wanted = parseImports(text).filter(
        ({ typeOnly, dynamic }) => !dynamic && (edges === 'types too' || !typeOnly),
      )
      const targets = wanted.map(({ from }) => resolveImport(path, from))
      return [path, targets.filter((target) => sources.has(target))]
    }),
  )
}

function resolveImport(path: string, from: string): string {
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : (PACKAGES[from] ?? from)
}

function listLooseFiles(sources: Sources, hall: string): readonly string[] {
  // An entrance for other packages is no room's file.
  const entrances = new Set(Object.values(PACKAGES))
  return [...sources.keys()].filter(
    (path) => dirname(path) === hall && basename(path) !== 'index.ts' && !entrances.has(path),
  )
}

type NameAt = { readonly name: string; readonly at: string }

/** Components of React are nouns by convention. */
function listNamesIn(path: string, text: string): readonly NameAt[] {
  const isComponent = (name: string): boolean => path.endsWith('.tsx') && /^[A-Z]/.test(name)
  return listFunctionNames(text)
    .filter(({ name }) => !isComponent(name))
    .map(({ name, line }) => ({ name, at: `${path}:${line} ${name}` }))
}

export function listNamesWithoutVerb(path: string, text: string): readonly string[] {
  return listNamesIn(path, text)
    .filter(({ name }) => !hasLeadingVerb(name))
    .map(({ at }) => at)
}

const EXPORTED_TYPE =
  /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) ([A-Za-z_$][\w$]*)\s*[<={ ]/gm

/** `workspace Name: file, file` for every exported type whose name a workspace uses twice. */
function listDuplicateTypes(sources: Sources): readonly string[] {
  const places = new Map<string, string[]>()
  for (const [path, text] of sources) {
    for (const [, name = ''] of extractCode(text).matchAll(EXPORTED_TYPE)) {
      const key = `${path.split('/')[0]} ${name}`
      places.set(key, [...(places.get(key) ?? []), path])
    }
  }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([key, paths]) => `${key}: ${paths.join(', ')}`)
}

/** A `parse…` function is where something read becomes a type; anywhere else a double cast hides a mistake. */
export function listDoubleCasts(path: string, text: string): readonly string[] {
  let inside = ''
  return extractCode(text)
    .split('\n')
    .flatMap((line, index) => {
      inside = /^(?:export )?(?:async )?function ([\w$]+)/.exec(line)?.[1] ?? inside
      const isFound = /\bas unknown as\b/.test(line) && !inside.startsWith('parse')
      return isFound ? [`${path}:${index + 1}`] : []
    })
}

function takeQuantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
