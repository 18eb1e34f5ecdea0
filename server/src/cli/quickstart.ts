/** `rubicon quickstart`: what it is, in one screen. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Finding } from 'rubicon-verifier'
import { verifyFile } from '../demo/ledger-file.ts'
import { type Played, playScenario } from '../demo/play.ts'
import { refunds } from '../demo/refunds.ts'
import type { Line, StageOptions } from '../demo/stage.ts'
import type { CommandCall } from './call.ts'
import { formatVerdict, OUTCOMES, toDecisionData } from './decision-line.ts'
import { markDisposable } from './disposable-store.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { type Output, SYMBOLS } from './output.ts'
import { chooseScenarioPlace } from './scenario-place.ts'

export async function runQuickstart(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const played = await playScenario(refunds, choosePlace(call))
  const { file, report } = played.ledger
  const copy = join(dirname(file), 'tampered.ndjson')
  const firstBad = verifyFile(modifyLedgerCopy(file, copy)).findings[0]
  show(out, played, firstBad)
  out.data({
    store: played.store,
    decisions: toDecisionData(played.lines),
    ledger: {
      entries: report.entries,
      head: report.checkpoint?.root ?? null,
      verified: report.ok,
    },
    tampered: { detected: firstBad !== undefined, first_bad: toFindingPlace(firstBad) },
  })
  if (played.expected && firstBad !== undefined) return EXIT.done
  out.note(`${SYMBOLS.rejected} the quickstart did not end as it should; please report it`)
  return EXIT.bug
}

/** Marked as one that may be thrown away, where there was nothing before. */
function choosePlace(call: CommandCall): StageOptions {
  const named = chooseScenarioPlace(call)
  const folder = mkdtempSync(join(tmpdir(), `rubicon-${refunds.name}-`))
  const { store, stateDirectory = join(folder, 'state') } = named
  const address = typeof store === 'string' ? store : `sqlite:${join(folder, 'rubicon.db')}`
  markDisposable({ store: address, state: stateDirectory }, 'quickstart', 'default')
  return { ...named, folder }
}

/** Changes one byte of what was decided: 20.00 becomes 90.00. */
function modifyLedgerCopy(file: string, copy: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const at = lines.findIndex((line) => line.includes('"kind":"dispatch"'))
  lines[at] = (lines[at] ?? '').replace('"amount":"20.00"', '"amount":"90.00"')
  writeFileSync(copy, lines.join('\n'), { mode: 0o600 })
  return copy
}

function toFindingPlace(finding: Finding | undefined): object | null {
  if (finding === undefined) return null
  const { trajectory, seq, code } = finding
  return { trajectory, seq, code }
}

function show(out: Output, played: Played, bad: Finding | undefined): void {
  out.line("A refunds bot may pay up to 500.00 alone, and up to 5,000.00 with a person's consent.")
  out.line('It asks four times.')
  out.line()
  for (const line of played.lines) if (line.kind === 'decision') showDecision(out, line)
  out.line()
  const { report, file } = played.ledger
  for (const line of played.lines) if (line.kind === 'check') mark(out, line.expected, line.summary)
  const { entries, signatures } = report
  mark(out, report.ok, `ledger verified: ${entries} entries, ${signatures.checked} signatures`)
  const place = bad === undefined ? 'nowhere' : `${bad.trajectory}/${bad.seq}, ${bad.code}`
  mark(out, bad !== undefined, `one byte changed in a copy, 20.00 to 90.00: caught at ${place}`)
  out.note('')
  out.note(`${SYMBOLS.info} kept in ${describeLocation(played)}`)
  out.note(`${SYMBOLS.info} next: npx rubicon verify ${file}`)
}

function describeLocation({ store, stateDirectory, ledger }: Played): string {
  const folder = dirname(ledger.file)
  const isInside = store === `sqlite:${join(folder, 'rubicon.db')}`
  return isInside ? folder : `${store}, its keys in ${stateDirectory}`
}

const COLUMN = 32

function showDecision(out: Output, line: Extract<Line, { kind: 'decision' }>): void {
  const verdict = formatVerdict(out, line.outcome, line.reason_code)
  const { word } = OUTCOMES[line.outcome]
  const width = `✔ ${word} ${line.reason_code ?? ''}`.trimEnd().length
  out.line(`${verdict}${' '.repeat(COLUMN - width)}${escapeText(line.summary)}`)
  out.line(`${' '.repeat(COLUMN)}${out.paint('grey', escapeText(line.why))}`)
}

function mark(out: Output, good: boolean, text: string): void {
  out.line(`${out.symbol(good ? SYMBOLS.allowed : SYMBOLS.rejected)} ${escapeText(text)}`)
}
