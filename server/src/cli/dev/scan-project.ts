/** The files of a project that `rubicon dev` looks at: code, policies, manifests, contracts, monitors. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { CliFailure } from '../failure.ts'

export type DocumentKind = 'contract' | 'monitor'
export type ProjectDocument = { readonly file: string; readonly kind: DocumentKind }

/** A path from the folder, and what tells one state of the file from another. */
export type ProjectFiles = ReadonlyMap<string, string>

const CODE: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'])
const YAML: ReadonlySet<string> = new Set(['.yaml', '.yml'])
const DATA: ReadonlySet<string> = new Set([...YAML, '.cedar', '.json'])
/** npm and compilers write these; nothing of them is in force. */
const PASSED_OVER: ReadonlySet<string> = new Set(['package.json', 'package-lock.json'])
const CONFIG = /^tsconfig.*\.json$|\.test\.[cm]?[jt]s$/
const FOLDERS_PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build'])

const MOST_FILES = 5_000
const MOST_BYTES = 1_000_000

export function scanProject(folder: string): ProjectFiles {
  const found = new Map<string, string>()
  addFiles(folder, '', found)
  return found
}

function addFiles(root: string, below: string, found: Map<string, string>): void {
  for (const entry of readEntries(join(root, below))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !FOLDERS_PASSED_OVER.has(entry.name))
        addFiles(root, path, found)
    } else if (isLookedAt(entry.name)) {
      const stamp = readStamp(join(root, path))
      if (stamp !== null) found.set(path, stamp)
    }
    if (found.size > MOST_FILES) throw createTooManyFailure(root)
  }
}

function isLookedAt(name: string): boolean {
  if (name.startsWith('.') || PASSED_OVER.has(name) || CONFIG.test(name)) return false
  return isCode(name) || DATA.has(extname(name))
}

export function isCode(path: string): boolean {
  return CODE.has(extname(path))
}

export function listCedarFiles(folder: string): readonly string[] {
  return [...scanProject(folder).keys()].filter((path) => extname(path) === '.cedar')
}

/** A folder that is removed while it is read has nothing in it. */
function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function readStamp(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : null
}

/** `before`: what it was; half a document says nothing about what it is. */
export function classifyFile(
  folder: string,
  path: string,
  before: DocumentKind | undefined,
): DocumentKind | null {
  if (!YAML.has(extname(path))) return null
  const text = readText(join(folder, path))
  if (text === null) return before ?? null
  if (/^statistic\s*:/m.test(text)) return 'monitor'
  if (/^agent_id\s*:/m.test(text)) return 'contract'
  return before ?? null
}

function readText(path: string): string | null {
  try {
    return statSync(path).size > MOST_BYTES ? null : readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function createTooManyFailure(folder: string): CliFailure {
  return new CliFailure({
    code: 'PROJECT_TOO_LARGE',
    summary: `\`${folder}\` has more than ${MOST_FILES} files that would be watched`,
    fix: 'name the folder of the project, not one above it',
  })
}
