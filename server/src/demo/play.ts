/** Plays a scenario, leaves its ledger behind, and has it verified. */
import { join } from 'node:path'
import type { LawReport } from 'rubicon-runtime/evidence/law'
import type { Report } from 'rubicon-verifier'
import { judgeByLaw, readStore, verifyFile, writeLedgerOf } from './ledger-file.ts'
import { type Line, type Scenario, Stage, type StageOptions } from './stage.ts'
import { hashWorld, type WorldHashes } from './world.ts'

export type Played = {
  readonly name: string
  readonly store: string
  readonly stateDirectory: string
  readonly lines: readonly Line[]
  /** How many questions went over the wire. */
  readonly asked: number
  /** What it left behind, without ids and times; see `hashWorld`. */
  readonly left: WorldHashes
  readonly ledger: { readonly file: string; readonly report: Report; readonly law: LawReport }
  /** Every line is what it should be, and the ledger holds, by the law too. */
  readonly expected: boolean
}

export async function playScenario(
  { name, play }: Scenario,
  options: StageOptions = {},
): Promise<Played> {
  const stage = new Stage(name, options)
  try {
    await play(stage)
  } finally {
    await stage.end()
  }
  const file = join(stage.folder, 'ledger.ndjson')
  const left = await readStore(stage, async (opened) => {
    await writeLedgerOf(opened, file)
    return hashWorld(opened)
  })
  const report = verifyFile(file)
  const law = judgeByLaw(file)
  const { lines, asked, store, stateDirectory } = stage
  const holds = report.ok && law.ok
  const expected = holds && lines.every((line) => line.kind === 'info' || line.expected)
  return {
    name,
    store,
    stateDirectory,
    lines,
    asked,
    left,
    ledger: { file, report, law },
    expected,
  }
}
