/**
 * Patches that belong to no finding: the test that a patch names must fail under it. A storm or a trick may be what notices
 * it instead. One that nothing names is listed: nobody knows whether anything would notice that mistake.
 */
import { TRICKS } from '../sim/src/hostile/all-tricks.ts'
import { PATCHES } from '../sim/src/patches/all.ts'
import type { NamedTest, Patch } from '../sim/src/patches/patch.ts'
import { HUNTED } from '../sim/src/planted.ts'
import { type Guarded, judgeNamedTest } from './findings-judge.ts'
import { runNamed } from './findings-run.ts'
import { buildExactPattern } from './findings-tests.ts'
import { runConcurrently } from './in-turn.ts'

type NamingPatch = Patch & { readonly test: NamedTest }

export function listNamingPatches(patches: readonly Patch[] = PATCHES): readonly NamingPatch[] {
  return patches.flatMap((patch) =>
    patch.test === undefined ? [] : [{ ...patch, test: patch.test }],
  )
}

/** By name. */
export function listUnnamedPatches(patches: readonly Patch[] = PATCHES): readonly string[] {
  const elsewhere = new Set([...HUNTED, ...TRICKS.map((trick) => trick.patch)])
  return patches
    .filter(({ name, findings, test }) => {
      const isNamed = findings !== undefined || test !== undefined
      return !isNamed && !elsewhere.has(name)
    })
    .map(({ name }) => name)
}

export function judgeNamingPatches(tell: (line: string) => void): Promise<readonly Guarded[]> {
  return runConcurrently(listNamingPatches(), async ({ name, test }) => {
    const pattern = buildExactPattern(test.title)
    const guard = judgeNamedTest(name, test.title, await runNamed([test.file], pattern, name))
    tell(`${name}: ${guard.red ? 'red' : guard.why}`)
    return guard
  })
}
