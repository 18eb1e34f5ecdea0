/** `rubicon demo NAME`: plays one scenario; done only if every line is the expected one. */

import { type Played, playScenario } from '../demo/play.ts'
import type { Line } from '../demo/stage.ts'
import type { CommandCall } from './call.ts'
import { formatVerdict, toDecisionData } from './decision-line.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { formatTable, type Output, SYMBOLS } from './output.ts'
import { findScenario, loadScenarios } from './scenario-list.ts'
import { chooseScenarioPlace } from './scenario-place.ts'

export async function runDemo(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const [name] = args
  const scenarios = await loadScenarios('demo')
  if (name === undefined || options.hasFlag('list')) {
    for (const line of formatTable(scenarios.map(({ name, summary }) => [name, summary])))
      out.line(line)
    out.data(scenarios.map(({ name, summary }) => ({ name, summary })))
    return EXIT.done
  }
  const listed = findScenario(name, scenarios, 'rubicon demo --list')
  const told = { http: options.hasFlag('http'), ...chooseScenarioPlace(call) }
  const played = await playScenario(await listed.load(), told)
  show(out, played)
  const { lines, expected, store, ledger } = played
  out.data({
    name,
    decisions: toDecisionData(lines),
    expected,
    checks: lines.filter((line) => line.kind === 'check').map(checkData),
    notes: lines.filter((line) => line.kind === 'info').map(({ summary }) => summary),
    store,
    ledger: { file: ledger.file, entries: ledger.report.entries, verified: ledger.report.ok },
  })
  return expected ? EXIT.done : EXIT.findings
}

function checkData({ summary, expected }: Extract<Line, { kind: 'check' }>): object {
  return { summary, expected }
}

function show(out: Output, { lines, ledger, expected, store }: Played): void {
  for (const line of lines) for (const text of formatLine(out, line)) out.line(text)
  const { report, file } = ledger
  const verified = report.ok ? SYMBOLS.allowed : SYMBOLS.rejected
  out.line(`${out.symbol(verified)} ledger of ${report.entries} entries verified`)
  for (const { trajectory, seq, code, detail } of report.findings.slice(0, 5))
    out.line(`    ${trajectory}/${seq} ${code}: ${escapeText(detail)}`)
  const verdict = expected ? 'as expected' : 'NOT as expected'
  out.note(`${SYMBOLS.info} ${verdict}; kept in ${file}, the store in ${store}`)
}

function formatLine(out: Output, line: Line): readonly string[] {
  const summary = escapeText(line.summary)
  switch (line.kind) {
    case 'info':
      return [`${out.symbol(SYMBOLS.info)} ${summary}`]
    case 'check':
      return line.expected
        ? [`  ${out.symbol(SYMBOLS.step)} ${summary}`]
        : [`  ${out.symbol(SYMBOLS.rejected)} not so: ${summary}`]
    case 'decision': {
      const verdict = formatVerdict(out, line.outcome, line.reason_code)
      const why = line.why === '' ? [] : [`  ${out.symbol(SYMBOLS.step)} ${escapeText(line.why)}`]
      if (line.expected) return [`${verdict}: ${summary}`, ...why]
      const { outcome, reason_code = '' } = line.wanted
      const wanted = `${outcome} ${reason_code}`.trimEnd()
      return [`${verdict}: ${summary}`, ...why, `  ${SYMBOLS.rejected} expected ${wanted}`]
    }
  }
}
