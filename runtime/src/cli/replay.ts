/**
 * `rubicon replay TRAJECTORY`: from the record alone; no model and no tool is called.
 *
 * `--full` is taken and changes nothing yet: there are no World snapshots to leave out.
 */
import { nodeCrypto } from 'rubicon-verifier'
import { type ReplayReport, replayTrajectory } from '../evidence/replay.ts'
import type { Store } from '../ports/store.ts'
import { argument, type Call } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { reading } from './open.ts'
import { type Output, SYMBOLS } from './output.ts'
import { progressFor } from './progress.ts'

export async function replay(call: Call): Promise<ExitCode> {
  const { options, out, place } = call
  const trajectory = argument(call, 0, 'TRAJECTORY')
  const requireCompiler = options.text('requireCompiler')
  const replayed = progressFor(call)('entries')
  const report = await reading(place, async (store) => {
    const total = await lengthOf(store, trajectory)
    return replayTrajectory(store, trajectory, nodeCrypto.sha256, {
      onProgress: (entries) => replayed.tell(entries, total),
      ...(requireCompiler === undefined ? {} : { requireCompiler }),
    })
  })
  replayed.end()
  if (report.entries === 0)
    throw new CliFailure({
      code: 'TRAJECTORY_UNKNOWN',
      summary: `there is no trajectory \`${trajectory}\``,
      fix: 'see `rubicon ledger show`',
    })
  show(out, report)
  out.data(report)
  return report.ok ? EXIT.done : EXIT.findings
}

/** Null: there is no such trajectory. */
export async function lengthOf(store: Store, trajectory: string): Promise<number | null> {
  const head = (await store.heads()).find((one) => one.trajectory === trajectory)
  return head === undefined ? null : head.seq + 1
}

function show(
  out: Output,
  { ok, entries, world_hash, compiler_versions, findings }: ReplayReport,
): void {
  const symbol = out.symbol(ok ? SYMBOLS.allowed : SYMBOLS.rejected)
  out.line(`${symbol} ${entries} entries replayed`)
  out.line(`  world     ${world_hash}`)
  out.line(`  compiler  ${compiler_versions.join(', ') || 'none'}`)
  for (const { trajectory, seq, code, detail } of findings)
    out.line(`  ${trajectory}/${seq}  ${code}: ${escapeText(detail)}`)
}
