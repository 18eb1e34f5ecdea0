/**
 * What a tools file and manifests would be to a runtime, without one: nothing is started, sent or read of secrets.
 * Loading ends at the first problem; this goes on to the last.
 */
import { dirname, resolve } from 'node:path'
import { type Failure, isObject, ok, type Result, type ToolManifest } from 'rubicon-kernel'
import { type ExecutorProblem, findExecutorProblems } from './check-executors.ts'
import { loadToolsConfig, type ToolsConfig } from './config.ts'
import { refuseDenied, refuseTwice } from './load-tools.ts'
import { openAllowances } from './open-secrets.ts'
import { parsePlacedManifest, readManifest, readManifestFile } from './read-manifest.ts'

/** Why a manifest that parsed cannot be registered, or null. */
export type FindToolProblem = (manifest: ToolManifest) => Failure | null

export type InspectedTool = {
  /** As the tools file names it. */
  readonly file: string
  /** Null: it cannot be read. */
  readonly manifest: ToolManifest | null
  /** Why it is not loaded; null: it is. */
  readonly failure: Failure | null
  readonly denied: readonly ExecutorProblem[]
}

export type InspectedTools = {
  readonly config: ToolsConfig
  readonly tools: readonly InspectedTool[]
}

export async function inspectTools(
  path: string,
  findProblem: FindToolProblem,
): Promise<Result<InspectedTools, Failure>> {
  const config = await loadToolsConfig(resolve(path))
  if (!config.ok) return config
  const seen = new Set<string>()
  const tools: InspectedTool[] = []
  for (const file of config.value.tools) {
    const tool = await inspectTool(resolve(dirname(resolve(path)), file), config.value, findProblem)
    const { manifest } = tool
    const isTwice = manifest !== null && seen.has(manifest.kind)
    if (manifest !== null) seen.add(manifest.kind)
    const twice = isTwice ? refuseTwice(manifest.kind, file) : null
    tools.push({ ...tool, file, failure: tool.failure ?? twice })
  }
  return ok({ config: config.value, tools })
}

async function inspectTool(
  path: string,
  config: ToolsConfig,
  findProblem: FindToolProblem,
): Promise<Omit<InspectedTool, 'file'>> {
  const read = await inspectManifest(path, findProblem)
  if (!read.ok) return { manifest: null, failure: read.error, denied: [] }
  const denied = await listDenied(config, read.value)
  const failure = denied.length === 0 ? null : refuseDenied(path, read.value.kind, denied)
  return { manifest: read.value, failure, denied }
}

/** A manifest by itself: that it parses, and that it can be registered. */
export async function inspectManifest(
  path: string,
  findProblem: FindToolProblem,
): Promise<Result<ToolManifest, Failure>> {
  return judgeRegistered(await readManifest(path), path, findProblem)
}

function judgeRegistered(
  read: Result<ToolManifest, Failure>,
  path: string,
  findProblem: FindToolProblem,
): Result<ToolManifest, Failure> {
  const problem = read.ok ? findProblem(read.value) : null
  if (problem === null) return read
  return { ok: false, error: { ...problem, summary: `${path}: ${problem.summary}` } }
}

/** What of it the tools file does not allow. */
export async function listDenied(
  config: ToolsConfig,
  manifest: ToolManifest,
): Promise<readonly ExecutorProblem[]> {
  return findExecutorProblems(openAllowances(config), manifest)
}

export type InspectedFile =
  | { readonly kind: 'manifest'; readonly read: Result<ToolManifest, Failure> }
  | { readonly kind: 'tools'; readonly read: Result<InspectedTools, Failure> }

/** A manifest says of itself that it is one; what has `tools`, `allow` or `secrets` instead is a tools file. */
export async function inspectFile(
  path: string,
  findProblem: FindToolProblem,
): Promise<InspectedFile> {
  const document = await readManifestFile(path)
  if (!document.ok) return { kind: 'manifest', read: document }
  const { value } = document
  const isConfig =
    isObject(value) &&
    !Object.hasOwn(value, 'manifest') &&
    ['tools', 'allow', 'secrets'].some((name) => Object.hasOwn(value, name))
  if (isConfig) return { kind: 'tools', read: await inspectTools(path, findProblem) }
  const read = judgeRegistered(parsePlacedManifest(value, path), path, findProblem)
  return { kind: 'manifest', read }
}
