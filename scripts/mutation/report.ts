import type { Fate } from './judge-mutant.ts'
import type { Mutant } from './mutant.ts'

const BAR = 92

type Survivor = Pick<Mutant, 'file' | 'line' | 'before' | 'after'>

export type MutationReport = {
  readonly mutants: number
  readonly killed: number
  readonly survived: number
  readonly timed_out: number
  /** Of a hundred so many were noticed, or never ended. */
  readonly score: number
  readonly ok: boolean
  readonly survivors: readonly Survivor[]
}

/** `fates` in the order of `mutants`. Where none was made, none was noticed. */
export function buildMutationReport(
  mutants: readonly Mutant[],
  fates: readonly Fate[],
): MutationReport {
  const count = (wanted: Fate): number => fates.filter((fate) => fate === wanted).length
  const [killed, timed_out] = [count('killed'), count('timed_out')]
  const share = mutants.length === 0 ? 0 : (killed + timed_out) / mutants.length
  const score = Math.floor(share * 1000) / 10
  const survivors = mutants
    .filter((_, i) => fates[i] === 'survived')
    .map(({ file, line, before, after }) => ({ file, line, before, after }))
  const counts = { mutants: mutants.length, killed, survived: survivors.length, timed_out }
  return { ...counts, score, ok: score >= BAR, survivors }
}

export function formatMutationReport(report: MutationReport): string {
  const { mutants, killed, timed_out, score, survivors } = report
  return [
    ...survivors.map(
      ({ file, line, before, after }) => `${file}:${line}  \`${before}\` → \`${after}\``,
    ),
    `${mutants} mistakes: ${killed} noticed, ${timed_out} without end, ${survivors.length} unnoticed`,
    `score ${score} (the bar is ${BAR})`,
  ].join('\n')
}
