/**
 * `rubicon replay TRAJECTORY`: from the record alone; no model and no tool is called.
 *
 * It always begins at the first entry: there are no snapshots of the World that would have to be
 * believed. `--full` goes on to what follows from the entries: every resource that the store holds, and
 * every signature of the ledger as of its place.
 */

import { type ReplayReport, replayTrajectory } from 'rubicon-runtime/evidence'
import type { Store } from 'rubicon-runtime/ports'
import { nodeCrypto } from 'rubicon-verifier'
import { getArchiveOption } from './archive-names.ts'
import { type CommandCall, createUsageFailure, getArgument } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { readFromStore } from './open.ts'
import { type Output, SYMBOLS } from './output.ts'
import { createVerbProgress } from './progress.ts'
import { verifyStore } from './verify.ts'

export async function replay(call: CommandCall): Promise<ExitCode> {
  const { options, out, place } = call
  const trajectory = getArgument(call, 0, 'TRAJECTORY')
  const requireCompiler = options.text('requireCompiler')
  const worldHash = parseWorldHash(options)
  const full = options.hasFlag('full')
  const replayed = createVerbProgress(call)('entries')
  const folded = await readFromStore(place, async (store) => {
    const total = await findTrajectoryLength(store, trajectory)
    return replayTrajectory(store, trajectory, nodeCrypto.sha256, {
      onProgress: (entries) => replayed.tell(entries, total),
      full,
      ...(worldHash === undefined ? {} : { worldHash }),
      ...(requireCompiler === undefined ? {} : { requireCompiler }),
    })
  })
  replayed.end()
  if (folded.entries === 0)
    throw new CliFailure({
      code: 'TRAJECTORY_UNKNOWN',
      summary: `there is no trajectory \`${trajectory}\``,
      fix: 'see `rubicon ledger show`',
    })
  const report = full ? await addSignatureFindings(call, folded) : { ...folded, signatures: null }
  show(out, report)
  out.data(report)
  return report.ok ? EXIT.done : EXIT.findings
}

/** How many signatures were checked, as of their places; null: that was not asked for. */
export type ShownReplay = ReplayReport & { readonly signatures: number | null }

/** Keys stand in another trajectory than what they sign, so that all of the ledger is looked at. */
async function addSignatureFindings(call: CommandCall, report: ReplayReport): Promise<ShownReplay> {
  const wanted = { depth: 'signatures', signatures: 'all' } as const
  const { findings, signatures } = await verifyStore(call.place, wanted, getArchiveOption(call))
  const found = findings.map(({ trajectory, seq, code, detail }) => ({
    trajectory: trajectory ?? report.trajectory,
    seq: seq ?? 0,
    code,
    detail,
  }))
  const all = [...report.findings, ...found]
  return { ...report, ok: all.length === 0, findings: all, signatures: signatures.checked }
}

const HASH = /^(?:sha256:)?([0-9a-f]{64})$/

function parseWorldHash(options: CommandCall['options']): string | undefined {
  const given = options.text('worldHash')
  if (given === undefined) return undefined
  const hash = HASH.exec(given.trim().toLowerCase())?.[1]
  if (hash !== undefined) return hash
  throw createUsageFailure(
    `\`${given}\` is not the hash of a World`,
    'give the 64 hexadecimal digits that `replay` prints',
  )
}

/** Null: there is no such trajectory. */
export async function findTrajectoryLength(
  store: Store,
  trajectory: string,
): Promise<number | null> {
  const head = (await store.listHeads()).find((one) => one.trajectory === trajectory)
  return head === undefined ? null : head.seq + 1
}

function show(
  out: Output,
  { ok, entries, world_hash, resources, signatures, compiler_versions, findings }: ShownReplay,
): void {
  const symbol = out.symbol(ok ? SYMBOLS.allowed : SYMBOLS.rejected)
  out.line(`${symbol} ${entries} entries replayed`)
  out.line(`  world     ${world_hash}`)
  if (resources !== null) out.line(`  resources ${resources} held against the store`)
  if (signatures !== null) out.line(`  signed    ${signatures} signatures of the ledger checked`)
  out.line(`  compiler  ${compiler_versions.join(', ') || 'none'}`)
  for (const { trajectory, seq, code, detail } of findings)
    out.line(`  ${trajectory}/${seq}  ${code}: ${escapeText(detail)}`)
}
