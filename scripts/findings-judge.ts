/**
 * What became of a finding's tests, alone and under its patches. A test guards against a mistake when
 * it fails where the mistake was made: not when the patch did not apply, or the file did not load.
 */
import { FINDINGS } from './findings-list.ts'
import type { Ended } from './findings-reporter.ts'
import { type FindingTest, parseFinding } from './findings-tests.ts'

/** What one or several runs of `node --test` said. */
export type Told = {
  readonly ended: readonly Ended[]
  /** Why the mistake was not made; null: it was, or there was none to make. */
  readonly unpatched: string | null
  /** What was written to stderr, for when nothing else explains it. */
  readonly stderr: string
}

export type Guarded = { readonly name: string; readonly red: boolean; readonly why: string }

export type Finding = {
  readonly id: string
  readonly text: string
  readonly tests: readonly Pick<FindingTest, 'file' | 'title'>[]
  readonly state: 'green' | 'red' | 'missing'
  readonly why: string
  readonly patches: readonly Guarded[]
}

export type FindingsReport = {
  readonly findings: readonly Finding[]
  readonly green: number
  readonly red: number
  readonly missing: number
  /** Patches that belong to no finding and name the test that fails under them. */
  readonly patches: readonly Guarded[]
  /** Patches that nothing names. */
  readonly unnamed: readonly string[]
  /** Patches under which a test stays green, and green findings without a patch. */
  readonly unguarded: number
  readonly ok: boolean
}

export function judgeFinding(
  id: string,
  tests: readonly FindingTest[],
  told: Told,
  patches: readonly Guarded[],
): Finding {
  const own = tests.filter(({ finding }) => finding === id)
  const ended = listEnded(id, told)
  const bad = ended.find(({ outcome }) => outcome !== 'passed')
  const missed = ended.length < own.length
  const why =
    bad === undefined ? (missed ? describeNotRun(told) : '') : `${bad.outcome}: ${bad.error}`
  return {
    id,
    text: FINDINGS[id] ?? '',
    tests: own.map(({ file, title }) => ({ file, title })),
    state: own.length === 0 ? 'missing' : why === '' ? 'green' : 'red',
    why: getFirstLine(why),
    patches,
  }
}

export function judgePatch(id: string, name: string, told: Told): Guarded {
  return judgeEnded(name, told, listEnded(id, told))
}

/** Of a patch that names its test. */
export function judgeNamedTest(patch: string, title: string, told: Told): Guarded {
  const ended = told.ended.filter(({ name }) => name === title)
  return judgeEnded(patch, told, ended)
}

function judgeEnded(name: string, told: Told, ended: readonly Ended[]): Guarded {
  const failed = ended.find(({ outcome }) => outcome === 'failed')
  if (told.unpatched !== null) return { name, red: false, why: told.unpatched }
  if (failed !== undefined) return { name, red: true, why: getFirstLine(failed.error ?? '') }
  if (ended.length === 0) return { name, red: false, why: getFirstLine(describeNotRun(told)) }
  return { name, red: false, why: 'the test stays green' }
}

export function buildReport(
  findings: readonly Finding[],
  apart: Pick<FindingsReport, 'patches' | 'unnamed'> = { patches: [], unnamed: [] },
): FindingsReport {
  const count = (state: Finding['state']): number =>
    findings.filter((finding) => finding.state === state).length
  const [green, red, missing] = [count('green'), count('red'), count('missing')]
  const own = findings
    .filter(({ state }) => state !== 'missing')
    .flatMap(({ patches }) => (patches.length === 0 ? [false] : patches.map((one) => one.red)))
  const reds = [...own, ...apart.patches.map(({ red }) => red)]
  const unguarded = reds.filter((isRed) => !isRed).length
  const ok = findings.length > 0 && red + missing + unguarded === 0
  return { findings, ...apart, green, red, missing, unguarded, ok }
}

export function reportText({ findings, patches, unnamed, ...counts }: FindingsReport): string {
  const lines = findings.flatMap(({ id, text, state, why, patches }) => [
    `${state.padEnd(8)} ${id.padEnd(4)} ${text}`,
    ...(state === 'red' ? [`              ${why}`] : []),
    ...(state === 'green' && patches.length === 0 ? ['              unguarded: no patch'] : []),
    ...(state === 'missing' ? [] : patches).map((patch) =>
      patch.red
        ? `              red under ${patch.name}`
        : `              unguarded: ${patch.name}: ${patch.why}`,
    ),
  ])
  const apart = patches.map(({ name, red, why }) =>
    red ? `red under ${name}` : `unguarded: ${name}: ${why}`,
  )
  const nameless = unnamed.map(
    (name) => `unnamed: ${name}: no finding, test, storm or trick names it`,
  )
  const { green, red, missing, unguarded } = counts
  const summary = `${green} green, ${red} red, ${missing} missing, ${unguarded} unguarded, ${unnamed.length} patches unnamed`
  return [...lines, ...apart, ...nameless, summary].join('\n')
}

function listEnded(id: string, { ended }: Told): readonly Ended[] {
  return ended.filter(({ name }) => parseFinding(name) === id)
}

/** A file that cannot be loaded fails under its own name. */
function describeNotRun(told: Told): string {
  const last = told.stderr.trim().split('\n').at(-1) ?? ''
  return `the test did not run: ${findError(told) || last || 'no reason was given'}`
}

function findError({ ended }: Told): string {
  return (
    ended.find(({ name, outcome }) => outcome === 'failed' && parseFinding(name) === null)?.error ??
    ''
  )
}

function getFirstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}
