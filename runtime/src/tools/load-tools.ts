/**
 * Tools that are data, from the operator's file: every manifest is read, and held against what the file allows,
 * before the first of them can be called.
 */
import { dirname, resolve } from 'node:path'
import {
  err,
  type Failure,
  type JsonObject,
  ok,
  type Result,
  type ToolManifest,
} from 'rubicon-kernel'
import { type ExecutorProblem, findExecutorProblems } from './check-executors.ts'
import { loadToolsConfig } from './config.ts'
import { createManifestHands, type ToolAllowances } from './create-hands.ts'
import type { ManifestHands } from './hands.ts'
import { openAllowances } from './open-secrets.ts'
import { readManifest } from './read-manifest.ts'

export type LoadedTools = {
  readonly manifests: readonly ToolManifest[]
  /** What carries all of them out, and may do no more than the file says. */
  readonly hands: ManifestHands
}

/** A tools file by its path, from the folder, or what stands in one; then manifests are found from the folder. */
export async function loadTools(
  tools: string | JsonObject,
  folder = '.',
): Promise<Result<LoadedTools, Failure>> {
  const named = typeof tools === 'string' ? resolve(folder, tools) : tools
  const config = await loadToolsConfig(named)
  if (!config.ok) return config
  const place = typeof named === 'string' ? dirname(named) : folder
  const allowances = openAllowances(config.value)
  const manifests: ToolManifest[] = []
  for (const path of config.value.tools) {
    const manifest = await loadManifest(resolve(place, path), allowances)
    if (!manifest.ok) return manifest
    const twice = manifests.some(({ kind }) => kind === manifest.value.kind)
    if (twice) return err(refuseTwice(manifest.value.kind, path))
    manifests.push(manifest.value)
  }
  return ok({ manifests, hands: createManifestHands(allowances) })
}

async function loadManifest(
  path: string,
  allowances: ToolAllowances,
): Promise<Result<ToolManifest, Failure>> {
  const manifest = await readManifest(path)
  if (!manifest.ok) return manifest
  const problems = await findExecutorProblems(allowances, manifest.value)
  return problems.length === 0 ? manifest : err(refuseDenied(path, manifest.value.kind, problems))
}

export function refuseDenied(
  path: string,
  kind: string,
  found: readonly ExecutorProblem[],
): Failure {
  const problems = found.map(({ pointer, code, detail }) => ({
    path: pointer,
    detail: `${code}: ${detail}`,
  }))
  const [first, ...others] = problems
  return {
    code: 'TOOL_DENIED',
    summary: `${path}: the tool \`${kind}\` would do what the tools file does not allow`,
    ...(first === undefined || others.length > 0 ? {} : { why: `${first.path}: ${first.detail}` }),
    fix: 'allow it in the tools file, or change the manifest',
    meta: { problems },
  }
}

export function refuseTwice(kind: string, path: string): Failure {
  return {
    code: 'TOOL_NAME_COLLISION',
    summary: `${path}: a tool of the kind \`${kind}\` is loaded already`,
    why: 'a contract that names a kind means one tool',
    fix: 'give one of them another kind, or load one of them',
  }
}
