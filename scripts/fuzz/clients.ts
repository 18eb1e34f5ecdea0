/** A client by a generator that is not ours, and which operations of the document it has. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiDocument } from '../client-text.ts'
import { run } from '../shell.ts'

export type Generated = { readonly operations: number; readonly missing: readonly string[] }

export function generateClient(
  generator: string,
  document: { readonly file: string; readonly value: ApiDocument },
  folder: string,
): Generated {
  const args = ['generate', '--path', document.file, '--output-path', folder, '--meta', 'none']
  const { ok, stdout, stderr } = run(generator, args)
  if (!ok) throw new Error(`the generator gave up: ${stdout}${stderr}`)
  const made = new Set(listGeneratedNames(join(folder, 'api')))
  const wanted = listOperations(document.value)
  const missing = wanted.filter((name) => !made.has(flattenName(name)))
  return { operations: wanted.length - missing.length, missing }
}

export function listOperations({ paths }: ApiDocument): readonly string[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
}

/** A file for each operation. */
function listGeneratedNames(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.py') && !file.endsWith('__init__.py'))
    .map((file) => flattenName(file.replace(/^.*[\\/]/, '').replace(/\.py$/, '')))
}

/** `listFlows` and `list_flows` are one. */
function flattenName(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
