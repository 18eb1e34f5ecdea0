/** Whether an import goes through a wall: the law is in `wall-table.ts`, the order of rooms in `rooms.ts`. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { findRoomAbove } from './rooms.ts'
import { parseImports } from './source-text.ts'
import { FOR_TESTS, JUDGES, KERNEL, WALLS } from './wall-table.ts'

const WORKSPACES = [
  'kernel',
  'agents',
  'verifier',
  'artifacts',
  'runtime',
  'gateway',
  'server',
  'scenarios',
  'sim',
  'bench',
] as const

/** What is published knows other packages by their names: where they lie is known in the repository alone. */
export const PUBLISHED: readonly string[] = [
  'kernel',
  'agents',
  'verifier',
  'artifacts',
  'runtime',
  'gateway',
  'server',
]

/** Entrance → file. */
export const PACKAGES: Readonly<Record<string, string>> = Object.fromEntries(
  WORKSPACES.flatMap((workspace) => listEntrances(workspace)),
)

function listEntrances(workspace: string): readonly (readonly [string, string])[] {
  const file = join(import.meta.dirname, '..', workspace, 'package.json')
  const { name, exports }: { name: string; exports: Record<string, string> } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return Object.entries(exports).map(([at, source]) => [join(name, at), join(workspace, source)])
}

/** Every import of the file that goes through a wall. */
export function findBrokenWalls(path: string, text: string, isTest: boolean): readonly string[] {
  const workspace = path.split('/')[0] ?? path
  const forTests = [workspace, KERNEL, ...(FOR_TESTS[workspace] ?? [])]
  const allowed = [...findWalls(path), ...(isTest ? forTests : [])]
  const judge = isTest ? undefined : JUDGES.find((prefix) => path.startsWith(prefix))
  return parseImports(text).flatMap(({ from, typeOnly, dynamic }) => {
    const target = resolveTarget(path, from)
    if (isTest && (target === 'node' || target === 'npm')) return []
    // Verbs of the repository are loaded when somebody asks for them; nothing links against them.
    if (dynamic && isBelow(path, 'server/src/cli') && isRepositoryOnly(target)) return []
    if (!allowed.some((folder) => isBelow(target, folder))) return [`imports \`${from}\``]
    if (!isTest && isElsewhere(workspace, from, target)) return [`imports \`${from}\` by its path`]
    const above = isTest || typeOnly ? null : findRoomAbove(path, target)
    if (above !== null) return [`imports a value of \`${above}\`, a room above its own`]
    if (judge === undefined || typeOnly || target === 'node' || target.startsWith(judge)) return []
    return [`imports more than types from \`${from}\``]
  })
}

function isElsewhere(workspace: string, from: string, target: string): boolean {
  return from.startsWith('.') && PUBLISHED.includes(workspace) && !isBelow(target, workspace)
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** A folder that nobody listed has walls all around. */
function findWalls(path: string): readonly string[] {
  const fitting = Object.keys(WALLS).filter((folder) => isBelow(path, folder))
  const [nearest] = fitting.sort((a, b) => b.length - a.length)
  return nearest === undefined ? [dirname(path)] : (WALLS[nearest] ?? [])
}

function resolveTarget(path: string, from: string): string {
  if (from.startsWith('.')) return normalize(join(dirname(path), from))
  return from.startsWith('node:') ? 'node' : (PACKAGES[from] ?? 'npm')
}

function isRepositoryOnly(target: string): boolean {
  return ['scenarios', 'sim', 'bench'].some((workspace) => isBelow(target, workspace))
}
