/** Projects for tests. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { applySplices } from '../text/splice.ts'
import type { ExternalModule } from './external-module.ts'
import type { ProjectPlan } from './plan-project-rename.ts'
import { createProject, type Project } from './project.ts'

export const LOCKED: Readonly<Record<string, ExternalModule>> = {
  zod: { name: 'zod', version: '4.0.0', hash: 'a' },
  'node:fs': { name: 'node:fs', version: '24', hash: 'b' },
}

export function createTestProject(
  texts: Readonly<Record<string, string>>,
  locked: Readonly<Record<string, ExternalModule>> = LOCKED,
): Project {
  return createProject(new Map(Object.entries(texts)), {
    sha256: (data) => new Uint8Array(createHash('sha256').update(data).digest()),
    findExternal: (name) => locked[name] ?? null,
  })
}

/** The texts behind a plan, each of which its inverse gives back. */
export function applyPlan(
  project: Project,
  { plans }: ProjectPlan,
): Readonly<Record<string, string>> {
  const texts = [...project.artifacts.values()].map(({ name, text }): [string, string] => {
    const plan = plans.get(name)
    if (plan === undefined) return [name, text]
    const after = applySplices(text, plan.splices)
    assert.equal(after, plan.after.text)
    assert.equal(applySplices(plan.after.text, plan.inverse), text)
    return [name, plan.after.text]
  })
  return Object.fromEntries(texts)
}
