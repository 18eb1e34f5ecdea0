/**
 * `rubicon bench verify`: at how many entries, or decisions, a second a ledger is verified, each depth on one
 * core and in one run; how much memory that takes; and how soon a runtime starts on such a store. The ledgers
 * are made by the engine. Every step is a process of its own: what one holds is not counted for another.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StepName, StepReport } from './verify-step.ts'

export type VerifyReport = {
  readonly entries: number
  readonly bytes: number
  /** Entries a second, of a file; of the store at full depth. */
  readonly structure: number
  readonly fold_unsigned: number
  readonly fold: number
  readonly store: number
  /** Decisions a second, without a Cedar policy and with one. */
  readonly law: number
  readonly law_cedar: number
  /** From nothing to the first decision of a runtime on that store. */
  readonly start_ms: number
  /** The most that a process held which verified the file, and the one that verified the store. */
  readonly rss_mb: number
  readonly rss_store_mb: number
  readonly rss_law_mb: number
}

export type VerifyBench = {
  readonly entries: number
  /** Where the ledgers are made, and kept for another run; one that is there is taken as it is. */
  readonly folder?: string
  readonly note: (text: string) => void
}

/** With Cedar a decision costs the same however long the ledger is. */
const CEDAR_ENTRIES = 30_000

export async function runVerifyBench({
  entries,
  folder,
  note,
}: VerifyBench): Promise<VerifyReport> {
  const home = folder ?? mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  const step = async (name: StepName, at: string, size = 0): Promise<StepReport> => {
    note(`${name} in ${at}`)
    return runStep(name, join(home, at), size)
  }
  const make = async (at: string, size: number, name: 'make' | 'make-cedar'): Promise<void> => {
    if (existsSync(join(home, at))) return
    mkdirSync(join(home, at), { recursive: true })
    await step(name, at, size)
  }
  try {
    await make('plain', entries, 'make')
    await make('cedar', Math.min(entries, CEDAR_ENTRIES), 'make-cedar')
    const structure = await step('structure', 'plain')
    const unsigned = await step('fold-unsigned', 'plain')
    const fold = await step('fold', 'plain')
    const store = await step('store', 'plain')
    const law = await step('law', 'plain')
    const cedar = await step('law', 'cedar')
    const start = await step('start', 'plain')
    return {
      entries: fold.done,
      bytes: fold.bytes,
      structure: structure.per_s,
      fold_unsigned: unsigned.per_s,
      fold: fold.per_s,
      store: store.per_s,
      law: law.per_s,
      law_cedar: cedar.per_s,
      start_ms: start.ms,
      rss_mb: Math.max(structure.rss_mb, unsigned.rss_mb, fold.rss_mb),
      rss_store_mb: store.rss_mb,
      rss_law_mb: law.rss_mb,
    }
  } finally {
    if (folder === undefined) rmSync(home, { recursive: true, force: true })
  }
}

const STEP = fileURLToPath(new URL('./verify-step.ts', import.meta.url))

async function runStep(name: StepName, folder: string, entries: number): Promise<StepReport> {
  const args = ['--no-warnings', STEP, name, folder, String(entries)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`step \`${name}\` of the bench ended with ${code}`)
  return JSON.parse(said) as StepReport
}
