/** One step of `bench verify`, in a process of its own: `verify-step.ts STEP FOLDER ENTRIES`, one line of JSON. */
import { appendFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Policy } from 'rubicon-kernel'
import { createRuntime, type Runtime, type RuntimeOptions } from 'rubicon-runtime'
import { beginStored, nodeCrypto, type VerifyOptions, verifyFile } from 'rubicon-verifier'
import { openStore } from '../../runtime/src/compose.ts'
import { exportLedger } from '../../runtime/src/evidence/export-ledger.ts'
import { judgeFile } from '../../runtime/src/evidence/law/judge-ledger.ts'
import { readLeafPages } from '../../runtime/src/evidence/pages.ts'
import { loadCedar } from '../../runtime/src/policies/load-policy.ts'
import { roundFigure, runLanes } from './measure.ts'
import { CONTRACT, REFUND } from './subject.ts'

export type StepName =
  | 'make'
  | 'make-cedar'
  | 'structure'
  | 'fold-unsigned'
  | 'fold'
  | 'store'
  | 'law'
  | 'start'

export type StepReport = {
  /** Entries, of the law decisions, and how many of them a second. */
  readonly done: number
  readonly per_s: number
  readonly ms: number
  readonly rss_mb: number
  /** Of the file. */
  readonly bytes: number
}

const LANES = 64
const PARAMS = { order: 'o_1', amount: '20.00', currency: 'USD' }
/** A flow is opened, its step is dispatched, and committed. */
const ENTRIES_PER_FLOW = 3
/** Lines that are written at a time. */
const TOGETHER = 1_000

const CEDAR = `@id("francs") forbid(principal, action, resource)
when { context.params.currency == "CHF" };
@id("refunds") permit(principal, action, resource)
when { context.params.currency == "USD" };`

type Step = (folder: string, entries: number) => Promise<number> | number

const STEPS: Readonly<Record<StepName, Step>> = {
  make: (folder, entries) => makeLedger(folder, entries, []),
  'make-cedar': (folder, entries) => makeLedger(folder, entries, [loadCedarPolicy()]),
  structure: (folder) => verifyLedger(folder, { depth: 'structure' }),
  'fold-unsigned': (folder) => verifyLedger(folder, { signatures: 'none' }),
  fold: (folder) => verifyLedger(folder, {}),
  store: verifyStore,
  law: judgeLedger,
  start: startRuntime,
}

const [name = '', folder = '', entries = '0'] = process.argv.slice(2)
const step: Step | undefined = Object.entries(STEPS).find(([one]) => one === name)?.[1]
if (step === undefined) throw new Error(`\`${name}\` is no step`)
const before = performance.now()
const done = await step(folder, Number(entries))
const ms = performance.now() - before
const report: StepReport = {
  done,
  per_s: roundFigure((done * 1000) / ms),
  ms: roundFigure(ms),
  rss_mb: roundFigure(process.resourceUsage().maxRSS / 1024),
  bytes: statSync(toLedgerPath(folder)).size,
}
console.log(JSON.stringify(report))

function toLedgerPath(home: string): string {
  return join(home, 'ledger.ndjson')
}

function openRuntime(home: string, policies: readonly Policy[]): Promise<Runtime> {
  const options: RuntimeOptions = {
    store: `sqlite:${join(home, 'bench.db')}`,
    stateDirectory: join(home, 'state'),
    capabilities: [REFUND],
    policies,
    background: false,
  }
  return createRuntime(options)
}

function loadCedarPolicy(): Policy {
  const policy = loadCedar({ name: 'refunds', version: '1', text: CEDAR }, nodeCrypto.sha256)
  if (!policy.ok) throw new Error(policy.error.summary)
  return policy.value
}

async function makeLedger(
  home: string,
  size: number,
  policies: readonly Policy[],
): Promise<number> {
  const runtime = await openRuntime(home, policies)
  try {
    await runtime.deploy(CONTRACT)
    await runLanes(Math.ceil(size / ENTRIES_PER_FLOW), LANES, () => refund(runtime))
    await runtime.engine.checkpoint()
    let lines: string[] = []
    const write = (): void => {
      appendFileSync(toLedgerPath(home), lines.join(''))
      lines = []
    }
    await exportLedger(runtime.store, (line) => {
      if (lines.push(line) === TOGETHER) write()
    })
    write()
    return size
  } finally {
    await runtime.close()
  }
}

async function refund(runtime: Runtime): Promise<void> {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 4711' })
  const answer = await flow.propose({ policy_kind: 'REFUND', params: PARAMS })
  if (answer.execution?.status !== 'SUCCESS')
    throw new Error(`a refund did not succeed: ${JSON.stringify(answer)}`)
}

function verifyLedger(home: string, options: VerifyOptions): number {
  return assertHonest(verifyFile(toLedgerPath(home), nodeCrypto, options)).entries
}

/** As `rubicon verify` does, without its second thread. */
async function verifyStore(home: string): Promise<number> {
  const store = await openStore(`sqlite:${join(home, 'bench.db')}`, 'default', undefined, 'read')
  try {
    const checkpoint = (await store.readCheckpoint())?.note
    const { size } = await store.readTree()
    const covered = checkpoint === undefined ? {} : { checkpoint }
    const check = beginStored(nodeCrypto, { depth: 'fold', ...covered, size })
    for await (const page of readLeafPages(store, size)) check.push(page)
    return assertHonest(check.end()).entries
  } finally {
    await store.close()
  }
}

function judgeLedger(home: string): number {
  const law = judgeFile(toLedgerPath(home), nodeCrypto.sha256)
  return assertHonest(law).decisions
}

function assertHonest<T extends { readonly ok: boolean; readonly findings: readonly object[] }>(
  report: T,
): T {
  if (report.ok) return report
  throw new Error(`an honest ledger: ${JSON.stringify(report.findings[0] ?? report)}`)
}

async function startRuntime(home: string): Promise<number> {
  const runtime = await openRuntime(home, [])
  try {
    await refund(runtime)
    return 1
  } finally {
    await runtime.close()
  }
}
