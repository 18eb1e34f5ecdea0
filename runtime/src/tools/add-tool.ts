/**
 * A manifest joins a tools file. It is listed there and allowed nothing: whoever runs the runtime says what it may
 * reach, and until then the file does not load.
 *
 * T1 nothing that the file said before is lost: what is written is read again and compared before it is in place.
 * T2 a new file is never put in place of one that is there.
 */
import { randomUUID } from 'node:crypto'
import { realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { err, type Failure, ok, type Result, type ToolManifest } from 'rubicon-kernel'
import { appendToList } from '../contract-file/append-to-list.ts'
import { readDocumentText } from '../contract-file/read-document.ts'
import { parseYaml } from '../contract-file/yaml-document.ts'
import type { ExecutorProblem } from './check-executors.ts'
import { parseToolsConfig, type ToolsConfig } from './config.ts'
import { type FindToolProblem, inspectManifest, inspectTools, listDenied } from './inspect-tools.ts'
import { refuseTwice } from './load-tools.ts'

export type AddedTool = {
  readonly manifest: ToolManifest
  /** As it is listed. */
  readonly file: string
  readonly created: boolean
  /** What the tools file does not allow yet. */
  readonly denied: readonly ExecutorProblem[]
}

/** Nothing is allowed by default. */
const EMPTY = `# What tools may reach, what they may start, and which of them gets which secret. Nothing else.
tools: []
allow:
  http: []
  commands: []
secrets: {}
`

export async function addTool(
  manifestPath: string,
  toolsPath: string,
  findProblem: FindToolProblem,
): Promise<Result<AddedTool, Failure>> {
  const manifest = await inspectManifest(manifestPath, findProblem)
  if (!manifest.ok) return manifest
  const created = !(await isThere(toolsPath))
  const place = created ? resolve(toolsPath) : await realpath(toolsPath)
  // Paths are found from the name that the file is loaded under.
  const file = relative(dirname(resolve(toolsPath)), resolve(manifestPath))
    .split(sep)
    .join('/')
  const text = created ? ok(EMPTY) : await readDocumentText(TOOLS_FILE, place)
  if (!text.ok) return text
  if (!created) {
    const problem = await findCollision(toolsPath, manifestPath, manifest.value, findProblem)
    if (problem !== null) return err(problem)
  }
  const next = appendToList(text.value, 'tools', file)
  const config = readExtended(text.value, next, file)
  if (config === null) return err(refuseEdit(toolsPath, file))
  if (created) await writeFile(place, next, { flag: 'wx' })
  else await replaceFile(place, next)
  const denied = await listDenied(config, manifest.value)
  return ok({ manifest: manifest.value, file, created, denied })
}

const TOOLS_FILE = { word: 'tools file', code: 'TOOLS_INVALID' }

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** The file as it is must be one, and hold no tool of the kind; a manifest that cannot be read has no kind. */
async function findCollision(
  toolsPath: string,
  manifestPath: string,
  { kind }: ToolManifest,
  findProblem: FindToolProblem,
): Promise<Failure | null> {
  const inspected = await inspectTools(toolsPath, findProblem)
  if (!inspected.ok) return inspected.error
  for (const { manifest, failure } of inspected.value.tools) {
    if (manifest === null) return failure
    if (manifest.kind === kind) return refuseTwice(kind, manifestPath)
  }
  return null
}

/** What the new text says, if that is what the old one said and the file; else null. */
function readExtended(before: string, after: string, file: string): ToolsConfig | null {
  const [old, extended] = [readConfig(before), readConfig(after)]
  if (old === null || extended === null) return null
  return isDeepStrictEqual(extended, { ...old, tools: [...old.tools, file] }) ? extended : null
}

function readConfig(text: string): ToolsConfig | null {
  const document = parseYaml(text)
  const config = document.ok ? parseToolsConfig(document.value.value) : null
  return config?.ok === true ? config.value : null
}

/** Whole or not at all: a runtime that starts meanwhile reads one or the other. */
async function replaceFile(path: string, text: string): Promise<void> {
  const { mode } = await stat(path)
  const beside = `${path}.${randomUUID()}`
  try {
    await writeFile(beside, text, { flag: 'wx', mode: mode & 0o777 })
    await rename(beside, path)
  } catch (error) {
    await unlink(beside).catch(() => {})
    throw error
  }
}

function refuseEdit(path: string, file: string): Failure {
  return {
    code: 'TOOLS_INVALID',
    summary: `\`${file}\` cannot be added to \`${path}\` without changing what else it says`,
    fix: `add it to \`tools\` yourself`,
  }
}
