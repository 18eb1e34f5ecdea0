/**
 * `npm run proof`: everything at the size of its bar, and a table that says which bars are met.
 *
 * Takes about an hour on two cores that do nothing else. Figures come from the `--json` of the same
 * commands that a reader can run alone; this script only reads and compares. What each printed is kept
 * in `dist/proof/NAME.json`, and the table beside it. Exits with 4 when a bar is not met.
 *
 * `npm run proof -- tamper kill` shows only those bars, `--list` names all, `--json` prints the table
 * as JSON, `--tiny` tries the commands at sizes that prove nothing, `--out FOLDER` keeps elsewhere.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bar, listBars } from './proof-bars.ts'
import type { Judged } from './proof-judge.ts'
import { FULL, TINY } from './proof-sizes.ts'
import { formatSeconds, type Ran, ROOT, run, runRubicon, say } from './shell.ts'

type Row = Judged & { readonly name: string; readonly bar: string; readonly command: string }

const FINDINGS = 4
const COULD_NOT_RUN = 2

function execute([program = '', ...args]: readonly string[]): Ran {
  return program === 'rubicon' ? runRubicon(args) : run(program, args)
}

function judgeBar({ judge }: Bar, { ok, stdout, stderr, ms }: Ran): readonly Judged[] {
  const getLastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''
  if (judge === undefined) return [{ figure: getLastLine(stdout), met: ok }]
  try {
    return [judge(JSON.parse(stdout), ms)].flat()
  } catch {
    return [{ figure: `could not be read: ${getLastLine(stderr)}`, met: false }]
  }
}

/** Runs one bar, says what became of it, and keeps what was printed. */
function prove(bar: Bar, folder: string, tell: (line: string) => void): readonly Row[] {
  const ran = execute(bar.command)
  writeFileSync(join(folder, `${bar.name}.${bar.judge === undefined ? 'txt' : 'json'}`), ran.stdout)
  const rows = judgeBar(bar, ran).map((one) => {
    return { name: bar.name, bar: bar.bar, ...one, command: bar.command.join(' ') }
  })
  for (const { figure, met } of rows)
    tell(`  ${formatMet(met)}  ${figure}  (${formatSeconds(ran.ms)})`)
  if (!ran.ok) tell(`${ran.stdout}${ran.stderr}`.trimEnd().split('\n').slice(-20).join('\n'))
  return rows
}

function formatMet(met: boolean): string {
  return met ? 'met    ' : 'NOT MET'
}

function formatTable(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ bar }) => bar.length))
  const lines = rows.map(
    ({ bar, figure, met }) => `${bar.padEnd(width)}  ${formatMet(met)}  ${figure}`,
  )
  const unmet = rows.filter(({ met }) => !met).length
  return [...lines, '', `${rows.length - unmet} met, ${unmet} not met`].join('\n')
}

function runProof(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      out: { type: 'string', default: join(ROOT, 'dist/proof') },
    },
  })
  const tell = values.json ? (line: string) => void process.stderr.write(`${line}\n`) : say
  const all = listBars(values.tiny ? TINY : FULL)
  const unknown = positionals.filter((name) => !all.some((bar) => bar.name === name))
  if (unknown.length > 0) {
    tell(`no such bar: ${unknown.join(', ')}; \`--list\` names them`)
    return COULD_NOT_RUN
  }
  const bars = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  if (values.list) {
    for (const { name, bar, command } of bars) say(`${name}\n  ${bar}\n  ${command.join(' ')}`)
    return 0
  }
  mkdirSync(values.out, { recursive: true })
  const started = performance.now()
  const rows: Row[] = []
  for (const [index, bar] of bars.entries()) {
    const since = formatSeconds(performance.now() - started)
    tell(`[${index + 1} of ${bars.length}, ${since}] ${bar.command.join(' ')}`)
    rows.push(...prove(bar, values.out, tell))
  }
  writeFileSync(join(values.out, 'table.json'), `${JSON.stringify(rows, null, 2)}\n`)
  tell(`\n${formatTable(rows)} in ${formatSeconds(performance.now() - started)}`)
  if (values.json) say(JSON.stringify(rows))
  return rows.every(({ met }) => met) ? 0 : FINDINGS
}

process.exitCode = runProof()
