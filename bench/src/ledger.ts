/**
 * `rubicon bench ledger`: how many proofs are checked a second (signature, snapshot, evidence hash), how many are taken in durably,
 * and whether a third party can verify them: the second verifier alone, on the exported file, when the store is deleted.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AgentKey, createAgentKey, proveIntent, signKeyRegistration } from 'rubicon-agents'
import {
  computeEvidenceHash,
  hashEvidenceContract,
  type JsonValue,
  type ProofCarryingIntent,
  toCanonicalText,
  toEvidenceRules,
} from 'rubicon-kernel'
import { createRuntime, type Flow, type Runtime } from 'rubicon-runtime'
import { registerKey } from '../../runtime/src/engine/authority/keys.ts'
import { checkSignature } from '../../runtime/src/engine/rows/sign.ts'
import { exportLedger } from '../../runtime/src/evidence/export-ledger.ts'
import { roundFigure } from './measure.ts'
import { CONTRACT, REFUND } from './subject.ts'

export type LedgerReport = {
  readonly proofs: number
  /** The checker alone, on one core. */
  readonly proofs_per_s: number
  /** Proposed, judged, recorded and carried out, one after the other. */
  readonly accepted_per_s: number
  readonly offline: {
    readonly verified: number
    readonly findings: number
    readonly seconds: number
  }
  readonly ok: boolean
}

export type LedgerBench = { readonly proofs: number; readonly note: (text: string) => void }

type Proven = { readonly flow: Flow; readonly intent: ProofCarryingIntent }

const AGENT = 'refunds_bot'
const ORACLE = fileURLToPath(new URL('../../testdata/oracle/verify.py', import.meta.url))

export async function runLedgerBench({ proofs, note }: LedgerBench): Promise<LedgerReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  const state = join(folder, 'state')
  const file = join(folder, 'ledger.jsonl')
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'bench.db')}`,
    stateDirectory: state,
    capabilities: [REFUND],
    topologies: [{ topology: 'DL_PCI' }],
    background: false,
    report: () => {},
  })
  try {
    note(`${proofs} proofs`)
    const key = await prepareAgent(runtime)
    const proven = await prove(runtime, key, proofs)
    const proofs_per_s = await measureChecks(runtime, key, proven)
    const accepted_per_s = await measureAccepted(proven)
    await runtime.engine.checkpoint()
    await exportLedger(runtime.store, (line) => appendFileSync(file, line))
    await runtime.close()
    rmSync(state, { recursive: true, force: true })
    rmSync(join(folder, 'bench.db'), { force: true })
    note('the second verifier alone')
    const offline = verifyOffline(file)
    const ok = offline.findings === 0 && offline.verified === proofs
    return { proofs, proofs_per_s, accepted_per_s, offline, ok }
  } finally {
    await runtime.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepareAgent(runtime: Runtime): Promise<AgentKey> {
  await runtime.deploy(CONTRACT)
  const key = await createAgentKey()
  const { context } = runtime.engine
  const registered = await registerKey(context, await signKeyRegistration(key, AGENT))
  if (!registered.ok) throw new Error(registered.error.summary)
  return key
}

async function prove(runtime: Runtime, key: AgentKey, proofs: number): Promise<readonly Proven[]> {
  const proven: Proven[] = []
  for (let index = 0; index < proofs; index++) {
    const flow = await runtime.open({ agent: AGENT, trigger: `refund ${index}` })
    const { evidence } = flow.context
    if (evidence === undefined) throw new Error('the agent is asked for proofs')
    const params = { order: `o-${index}`, amount: '20.00', currency: 'EUR' }
    const wanted = { policy_kind: 'REFUND', params }
    proven.push({ flow, intent: await proveIntent(key, { ...flow.context, evidence }, wanted) })
  }
  return proven
}

/** As the kernel does before anything else: without the store. */
async function measureChecks(
  { engine }: Runtime,
  key: AgentKey,
  proven: readonly Proven[],
): Promise<number> {
  const { checker, sha256, book, authorities } = engine.context
  const { contracts, keys } = await authorities.loadLatest()
  const contract = contracts.get(AGENT)?.[0]?.contract as JsonValue | undefined
  const publicKey = keys.get(key.key_id)?.public_key ?? ''
  const h_r = toEvidenceRules(book.hash)
  const started = performance.now()
  for (const { flow, intent } of proven) {
    const { roa_signature, ...said } = intent
    const text = toCanonicalText(said)
    const isSigned = await checkSignature({ checker }, publicKey, 'pci', text, roa_signature)
    const h_c = hashEvidenceContract(contract ?? null, sha256)
    const { dfid, context } = flow
    const parts = { dfid, context_ref: context.snapshot_id, h_c, h_r }
    const bound = computeEvidenceHash(parts, sha256)
    if (!isSigned || bound !== intent.evidence_hash) throw new Error('a proof does not hold')
  }
  return countPerSecond(proven.length, started)
}

async function measureAccepted(proven: readonly Proven[]): Promise<number> {
  const started = performance.now()
  for (const { flow, intent } of proven) {
    const { outcome, reason_code } = await flow.propose(intent)
    if (outcome !== 'ACCEPTED') throw new Error(`a proof is refused: ${reason_code}`)
  }
  return countPerSecond(proven.length, started)
}

function countPerSecond(done: number, started: number): number {
  return roundFigure((done * 1000) / (performance.now() - started))
}

/** With the standard library of Python, and nothing of ours but the script. */
function verifyOffline(file: string): LedgerReport['offline'] {
  const started = performance.now()
  const args = ['-I', '-S', ORACLE, '--json', '--signatures', 'all', file]
  const ran = spawnSync('python3', args, { encoding: 'utf8' })
  if (ran.error !== undefined || ran.stdout === '')
    throw new Error(`python3: ${ran.error?.message ?? ran.stderr}`)
  const report = JSON.parse(ran.stdout) as { ok: boolean; findings: readonly unknown[] }
  const seconds = roundFigure((performance.now() - started) / 1000)
  const findings = report.findings.length
  return { verified: report.ok ? countProven(file) : 0, findings, seconds }
}

/** Effects that were sent on a proof. */
function countProven(file: string): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  const isProven = (line: string): boolean =>
    line.includes('"kind":"dispatch"') && line.includes('"evidence_hash":')
  return lines.filter(isProven).length
}
