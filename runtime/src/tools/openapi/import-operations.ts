/**
 * Manifests of chosen operations, each in a file of its own.
 *
 * M1 all or none: of several operations nothing is written where one is refused.
 * M2 no file is overwritten, and no name of the document is a path: files are called after kinds.
 */
import { mkdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { err, type Failure, type JsonObject, ok, type Result } from 'rubicon-kernel'
import type { FindToolProblem } from '../inspect-tools.ts'
import { type DraftedManifest, draftManifest } from './draft-manifest.ts'
import { listOperations, type Operation } from './list-operations.ts'
import { loadOpenApi, refuseOpenApi } from './load-openapi.ts'

export type OpenApiOperations = {
  readonly document: JsonObject
  readonly operations: readonly Operation[]
}

export async function readOperations(path: string): Promise<Result<OpenApiOperations, Failure>> {
  const document = await loadOpenApi(path)
  if (!document.ok) return document
  const operations = listOperations(document.value)
  if (!operations.ok) return err(refuseOpenApi(path, operations.error))
  return ok({ document: document.value, operations: operations.value })
}

/** Every chosen one is drafted before the first is written. */
export function draftOperations(
  { document, operations }: OpenApiOperations,
  chosen: readonly string[],
  findProblem: FindToolProblem,
): Result<readonly DraftedManifest[], Failure> {
  const drafts: DraftedManifest[] = []
  const problems: { readonly path: string; readonly detail: string }[] = []
  for (const name of new Set(chosen)) {
    const operation = operations.find((one) => one.name === name)
    const draft =
      operation === undefined
        ? err('there is no such operation')
        : draftManifest(document, operation, findProblem)
    if (!draft.ok) problems.push({ path: name, detail: draft.error })
    else if (drafts.some(({ kind }) => kind === draft.value.kind))
      problems.push({ path: name, detail: `another one is of the kind \`${draft.value.kind}\`` })
    else drafts.push(draft.value)
  }
  return problems.length === 0 ? ok(drafts) : err(refuseOperations(problems))
}

function refuseOperations(
  problems: readonly { readonly path: string; readonly detail: string }[],
): Failure {
  const [first] = problems
  const told =
    first !== undefined && problems.length === 1
      ? `\`${first.path}\`: ${first.detail}`
      : `${problems.length} operations`
  return {
    code: 'OPERATION_REFUSED',
    summary: `no manifest can be drafted: ${told}`,
    why: 'a draft that leaves out what the document says would be another tool',
    fix: 'choose other operations, or write these manifests by hand; without --operations all are listed',
    meta: { problems },
  }
}

export type WrittenManifest = DraftedManifest & { readonly file: string }

export async function writeDrafts(
  drafts: readonly DraftedManifest[],
  folder: string,
): Promise<Result<readonly WrittenManifest[], Failure>> {
  await mkdir(folder, { recursive: true })
  const written: WrittenManifest[] = []
  for (const draft of drafts) {
    const file = join(folder, `${draft.kind.toLowerCase()}.json`)
    try {
      await writeFile(file, `${JSON.stringify(draft.manifest, null, 2)}\n`, { flag: 'wx' })
    } catch (error) {
      for (const { file: before } of written) await unlink(before)
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
        return err(refuseExisting(file))
      throw error
    }
    written.push({ ...draft, file })
  }
  return ok(written)
}

function refuseExisting(file: string): Failure {
  return {
    code: 'FILE_EXISTS',
    summary: `\`${file}\` is there already, and nothing was written`,
    why: 'it may contain work of somebody else',
    fix: 'remove it, or choose another folder with --out',
  }
}
