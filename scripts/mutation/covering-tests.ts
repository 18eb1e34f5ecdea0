/**
 * Which tests run the place of a mistake: no other can notice it. Each test is run once, without any
 * mistake, and V8 counts what it runs. Places are those of the source, since types are only blanked out.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runConcurrently } from '../in-turn.ts'
import { ROOT } from '../shell.ts'
import { runTests } from './judge-mutant.ts'
import type { Mutant } from './mutant.ts'

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number }
type Script = {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

/** The nearest few see nearly everything; who is too far away is not asked. */
const ASKED = 30

/** Of each mistake the tests that run its place: the nearest, then the others, the fastest of them first. */
export async function findCoveringTests(
  mutants: readonly Mutant[],
  testsOf: (file: string) => readonly string[],
  tell: (done: number, of: number) => void = () => {},
): Promise<(mutant: Mutant) => readonly string[]> {
  const tests = [...new Set(mutants.flatMap(({ file }) => testsOf(file)))]
  const covered = new Map<string, ReadonlySet<Mutant>>()
  const took = new Map<string, number>()
  await runConcurrently(tests, async (test) => {
    const from = performance.now()
    covered.set(test, await findRunMutants(test, mutants))
    took.set(test, performance.now() - from)
    tell(covered.size, tests.length)
  })
  return (mutant) => {
    const running = testsOf(mutant.file).filter((test) => covered.get(test)?.has(mutant))
    const [nearest, ...others] = running.slice(0, ASKED)
    if (nearest === undefined) return []
    return [nearest, ...others.sort((a, b) => (took.get(a) ?? 0) - (took.get(b) ?? 0))]
  }
}

async function findRunMutants(
  test: string,
  mutants: readonly Mutant[],
): Promise<ReadonlySet<Mutant>> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-mutation-'))
  try {
    const fate = await runTests([test], null, { countedIn: folder })
    if (fate === 'killed')
      throw new Error(`${test} is red without any mistake: nothing can be told from it`)
    // Too long to be asked about every mistake.
    if (fate === 'timed_out') return new Set()
    const scripts = readScripts(folder)
    return new Set(mutants.filter((mutant) => isRun(mutant, scripts)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** By address; a module has one in each thread that loaded it. */
function readScripts(folder: string): ReadonlyMap<string, readonly Script[]> {
  const scripts = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return result as readonly Script[]
  })
  return Map.groupBy(scripts, ({ url }) => url)
}

function isRun({ file, start }: Mutant, scripts: ReadonlyMap<string, readonly Script[]>): boolean {
  const loaded = scripts.get(pathToFileURL(join(ROOT, file)).href) ?? []
  return loaded.some(({ functions }) => {
    const around = functions
      .flatMap(({ ranges }) => ranges)
      .filter(({ startOffset, endOffset }) => startOffset <= start && start < endOffset)
    // The innermost says it: a branch that was not taken lies in a function that was called.
    const measureRange = ({ startOffset, endOffset }: Range): number => endOffset - startOffset
    const [inner] = around.toSorted((one, other) => measureRange(one) - measureRange(other))
    return inner !== undefined && inner.count > 0
  })
}
