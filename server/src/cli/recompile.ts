/** `rubicon recompile TRAJECTORY --rules MODULE`: what would these rules have said? */
import { buildRules } from 'rubicon-runtime/compose'
import { type RecompileReport, recompileTrajectory } from 'rubicon-runtime/evidence'
import { type CommandCall, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { readFromStore } from './open.ts'
import { type Output, SYMBOLS } from './output.ts'
import { createVerbProgress } from './progress.ts'
import { findTrajectoryLength } from './replay.ts'
import { loadRules } from './rules-module.ts'

export async function recompile(call: CommandCall): Promise<ExitCode> {
  const { options, out, place } = call
  const trajectory = getArgument(call, 0, 'TRAJECTORY')
  const { capabilities, policies, topologies, topics } = await loadRules(
    options.getRequired('rules', '--rules MODULE'),
  )
  const rules = buildRules(capabilities, policies, topologies, topics)
  const judged = createVerbProgress(call)('entries')
  const report = await readFromStore(place, async (store) => {
    const total = await findTrajectoryLength(store, trajectory)
    const tell = (entries: number): void => judged.tell(entries, total)
    return recompileTrajectory(store, trajectory, rules, [], tell)
  })
  judged.end()
  showDiffering(out, report)
  out.data(report)
  return report.ok ? EXIT.done : EXIT.findings
}

export function showDiffering(
  out: Output,
  { ok, decisions, differing, skipped }: RecompileReport,
): void {
  const symbol = out.symbol(ok ? SYMBOLS.allowed : SYMBOLS.waiting)
  out.line(`${symbol} ${decisions} decisions run again, ${differing.length} differ`)
  for (const { trajectory, seq, recorded, now } of differing) {
    const before = `${recorded.outcome} ${recorded.code ?? ''}`.trimEnd()
    out.line(`  ${trajectory}/${seq}  ${before} → ${now.outcome} ${now.code ?? ''}`.trimEnd())
  }
  for (const { seq, why } of skipped) out.line(`  ${SYMBOLS.info} ${seq} left out: ${why}`)
}
