/**
 * `rubicon bench verify`: at how many entries a second a ledger is verified, each depth on one core and in
 * one run, and how much memory that takes. The ledger is made by the engine.
 */
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { nodeCrypto, type Report, type VerifyOptions, verifyFile } from 'rubicon-verifier'
import type { ProgressOf } from '../../runtime/src/cli/progress.ts'
import { exportLedger } from '../../runtime/src/evidence/export-ledger.ts'
import { inLanes, rounded } from './measure.ts'
import { CONTRACT, REFUND } from './subject.ts'

export type VerifyReport = {
  readonly entries: number
  readonly bytes: number
  /** Entries a second. */
  readonly structure: number
  readonly fold_unsigned: number
  readonly fold: number
  /** What the process held at most, and how much of that it held before. */
  readonly rss_mb: number
  readonly rss_before_mb: number
}

export type VerifyBench = { readonly entries: number; readonly progressOf: ProgressOf }

const LANES = 16
const PARAMS = { order: 'o_1', amount: '20.00', currency: 'USD' }

export async function benchVerify({ entries, progressOf }: VerifyBench): Promise<VerifyReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  try {
    const path = join(folder, 'ledger.ndjson')
    await makeLedger(folder, path, entries, progressOf)
    const before = process.memoryUsage.rss()
    const structure = timed(path, { depth: 'structure' })
    const unsigned = timed(path, { signatures: 'none' })
    const fold = timed(path, {})
    return {
      entries: fold.report.entries,
      bytes: statSync(path).size,
      structure: structure.perSecond,
      fold_unsigned: unsigned.perSecond,
      fold: fold.perSecond,
      rss_mb: rounded(process.resourceUsage().maxRSS / 1024),
      rss_before_mb: rounded(before / 1_048_576),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeLedger(
  folder: string,
  path: string,
  entries: number,
  progressOf: ProgressOf,
): Promise<void> {
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'bench.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [REFUND],
    background: false,
  })
  try {
    await runtime.deploy(CONTRACT)
    const made = progressOf('flows')
    // A flow is opened, its step is dispatched, and committed.
    const flows = Math.ceil(entries / 3)
    let done = 0
    await inLanes(flows, LANES, async () => {
      await refund(runtime)
      done += 1
      made.tell(done, flows)
    })
    made.end()
    await runtime.engine.checkpoint()
    await exportLedger(runtime.store, (line) => appendFileSync(path, line))
  } finally {
    await runtime.close()
  }
}

async function refund(runtime: Runtime): Promise<void> {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 4711' })
  await flow.propose({ policy_kind: 'REFUND', params: PARAMS })
}

function timed(
  path: string,
  options: VerifyOptions,
): { readonly report: Report; readonly perSecond: number } {
  const started = performance.now()
  // In pieces, as a ledger is read that is larger than memory.
  const report = verifyFile(path, nodeCrypto, options, 0)
  const seconds = (performance.now() - started) / 1000
  if (!report.ok) throw new Error(`an honest ledger: ${JSON.stringify(report.findings[0])}`)
  return { report, perSecond: rounded(report.entries / seconds) }
}
