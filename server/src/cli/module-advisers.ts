/**
 * What a rules module has besides the law: models for agents, soft guards, auditors. They decide nothing, so that only
 * a server reads them; whoever judges the past asks nobody.
 *
 * M1 what is exported and cannot be meant is refused: a guard that is misspelt would look at nothing, and nobody would know.
 */
import type { RuntimeOptions } from 'rubicon-runtime/compose'

export type ModuleAdvisers = Pick<
  RuntimeOptions,
  'models' | 'softGuards' | 'auditors' | 'strict_semantic_blocking'
>

const NAMES = ['models', 'softGuards', 'auditors', 'strict_semantic_blocking'] as const

/** Why they cannot be used, or what they are. */
export function readAdvisers(
  exported: Readonly<Record<string, unknown>>,
): { readonly problem: string } | { readonly advisers: ModuleAdvisers } {
  const problem = findMisspelt(Object.keys(exported)) ?? findProblem(exported)
  if (problem !== null) return { problem }
  const said = NAMES.filter((name) => exported[name] !== undefined)
  return { advisers: Object.fromEntries(said.map((name) => [name, exported[name]])) }
}

function findMisspelt(names: readonly string[]): string | null {
  for (const name of names) {
    const meant = NAMES.find((one) => toPlain(one) === toPlain(name))
    if (meant !== undefined && meant !== name) return `it exports \`${name}\`, not \`${meant}\``
  }
  return null
}

/** `Soft_Guard` is read as `softguards` is. */
function toPlain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/s$/, '')
}

function findProblem(exported: Readonly<Record<string, unknown>>): string | null {
  const { models, softGuards, auditors, strict_semantic_blocking: strict } = exported
  if (!isListOf(softGuards, 'check')) return 'something in `softGuards` is no soft guard'
  if (!isListOf(auditors, 'review')) return 'something in `auditors` is no auditor'
  if (strict !== undefined && typeof strict !== 'boolean')
    return '`strict_semantic_blocking` is neither true nor false'
  if (models === undefined) return null
  const isMap = typeof models === 'object' && models !== null && !Array.isArray(models)
  return isMap && Object.values(models).every((one) => hasMethod(one, 'generate'))
    ? null
    : '`models` has no provider for each name'
}

function isListOf(value: unknown, method: string): boolean {
  if (value === undefined) return true
  return Array.isArray(value) && value.every((one) => hasMethod(one, method))
}

function hasMethod(value: unknown, method: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return typeof (value as Readonly<Record<string, unknown>>)[method] === 'function'
}
