/**
 * `npm run proof`: everything at the size of its bar, and a table that says which bars are met.
 *
 * Takes about an hour on two cores. Figures come from the `--json` of the same commands that a
 * reader can run alone; this script only reads and compares. A bar that could not be read is unmet.
 */
import { FAILPOINTS } from '../runtime/src/ports/failpoint.ts'
import { type Ran, rubicon, run, say, seconds } from './shell.ts'

type Judged = { readonly figure: string; readonly met: boolean }

type Bar = {
  readonly bar: string
  readonly command: readonly string[]
  /** Of what the command printed as JSON; absent: it must end well, and its last line is shown. */
  readonly judge?: (result: Json, ran: Ran) => Judged | readonly Judged[]
}

/** What a command printed: looked into with care, since a bar must not pass by accident. */
type Json = { readonly [name: string]: unknown }

const npm = (...args: readonly string[]): readonly string[] => ['npm', 'run', '--silent', ...args]

const bars: readonly Bar[] = [
  { bar: 'npm test passes', command: npm('test') },
  {
    bar: 'quickstart: verified, tampering caught, under 5 s',
    command: ['rubicon', 'quickstart', '--json'],
    judge: (result, { ms }) => {
      const verified = at(result, 'ledger', 'verified') === true
      const caught = at(result, 'tampered', 'detected') === true
      const figure = `verified ${verified}, caught ${caught}, ${seconds(ms)}`
      return { figure, met: verified && caught && ms < 5_000 }
    },
  },
  { bar: 'full branch coverage; every code has its test', command: npm('coverage') },
  {
    bar: 'tamper: nothing missed, right place named',
    command: ['rubicon', 'sim', 'tamper', '--entries', '10000', '--json'],
    judge: (result) => {
      const missed = [at(result, 'missed', 'rubicon'), at(result, 'missed', 'oracle')]
      return none({ rubicon: missed[0], oracle: missed[1], wrong_place: at(result, 'wrong_place') })
    },
  },
  {
    bar: 'kill: nothing lost, nothing twice, all settled, at every failpoint',
    command: ['rubicon', 'sim', 'kill', '--kills', '200', '--json'],
    judge: ({ kills, lost, second_effects, unsettled, findings, by_failpoint }) => {
      const missed = FAILPOINTS.filter((point) => !(size(at(by_failpoint, point)) > 0))
      return none({ lost, second_effects, unsettled, findings, missed }, size(kills), 200)
    },
  },
  {
    bar: 'authority: no chain widens',
    command: ['rubicon', 'sim', 'authority', '--chains', '10000', '--json'],
    judge: ({ chains, widened }) => none({ widened }, size(chains), 10_000),
  },
  {
    bar: 'differential: kernel and reference agree',
    command: ['rubicon', 'sim', 'differential', '--cases', '200000', '--json'],
    judge: ({ cases, disagreements }) => none({ disagreements }, size(cases), 200_000),
  },
  {
    bar: 'sim: no invariant broken, no failpoint or fault left out',
    command: ['rubicon', 'sim', '--seeds', '10000', '--json'],
    judge: ({ seeds, violations, failpoints_missed, faults_missed }) =>
      none({ violations, failpoints_missed, faults_missed }, size(seeds), 10_000),
  },
  {
    bar: 'parsing: every row under 10 ms',
    command: ['rubicon', 'sim', 'parsing', '--json'],
    judge: (result) => {
      const rows: readonly Json[] = Array.isArray(result) ? result : []
      const slowest = Math.max(...rows.map(({ ms }) => (typeof ms === 'number' ? ms : Infinity)))
      const figure = `${rows.length} rows, slowest ${slowest} ms`
      return { figure, met: rows.length >= 12 && slowest < 10 }
    },
  },
  {
    bar: 'bench: 64 at once, verification, cost at size',
    command: ['rubicon', 'bench', 'decide', '--json'],
    judge: (result) => [
      atLeast('ratio to floor', at(result, 'ratio_to_floor', 'concurrent_64'), 0.6),
      atLeast('verified entries per s', at(result, 'verify_entries_per_s'), 100_000),
      growth(at(result, 'decision_us_at', '1000'), at(result, 'decision_us_at', '1000000')),
    ],
  },
  {
    bar: 'api: 1,000 requests a second, 64 listeners, p99 under 100 ms, no event lost',
    command: ['rubicon', 'bench', 'api', '--json'],
    judge: (result) => [
      below('p99 ms', at(result, 'ms', 'p99'), 100),
      none(
        {
          lost: at(result, 'events', 'lost'),
          doubled: at(result, 'events', 'doubled'),
          errors: Object.keys(at(result, 'errors') ?? { unread: 1 }),
        },
        size(at(result, 'requests')),
        60_000,
      ),
    ],
  },
  {
    bar: 'console: every page in every condition, on 100,000 flows',
    command: npm('console:check', '--', '--json'),
    judge: ({ looks, flows, findings, slow }) => [
      none({ findings, slow }, size(flows), 100_000),
      atLeast('looks', looks, 200),
    ],
  },
  {
    bar: 'tarballs run in an empty folder',
    command: npm('pack:try', '--', '--json'),
    judge: ({ quickstart, library }) => ({
      figure: `quickstart ${quickstart}, library ${library}`,
      met: quickstart === 'ok' && library === 'ok',
    }),
  },
  {
    bar: 'docs: every block of getting started and the guides does what it says',
    command: npm('docs:try', '--', '--json'),
    judge: ({ blocks, ok, seconds: took }) => ({
      figure: `${size(blocks)} blocks, ok ${ok}, ${size(took)} s`,
      met: ok === true && size(blocks) > 0,
    }),
  },
]

function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    found = typeof found === 'object' && found !== null ? (found as Json)[name] : undefined
  }
  return found
}

/** A count, however it is given; nothing at all is NaN, which passes no comparison. */
function size(value: unknown): number {
  if (typeof value === 'number') return value
  return Array.isArray(value) ? value.length : Number.NaN
}

function none(faults: Json, done = 0, wanted = 0): Judged {
  const shown = Object.entries(faults).map(([name, value]) => `${name} ${size(value)}`)
  const clean = Object.values(faults).every((value) => size(value) === 0)
  const figure = [...(wanted > 0 ? [`${done} done`] : []), ...shown].join(', ')
  return { figure, met: clean && done >= wanted }
}

function atLeast(name: string, value: unknown, bound: number): Judged {
  return { figure: `${name} ${size(value)} (bar ${bound})`, met: size(value) >= bound }
}

function below(name: string, value: unknown, bound: number): Judged {
  return { figure: `${name} ${size(value)} (below ${bound})`, met: size(value) < bound }
}

function growth(small: unknown, large: unknown): Judged {
  const ratio = size(large) / size(small)
  return { figure: `cost at a million / at a thousand ${ratio.toFixed(2)}`, met: ratio <= 1.2 }
}

function execute(command: readonly string[]): Ran {
  const [program = '', ...args] = command
  return program === 'rubicon' ? rubicon(args) : run(program, args)
}

function judged({ judge }: Bar, ran: Ran): readonly Judged[] {
  const lastLine = ran.stdout.trimEnd().split('\n').at(-1) ?? ''
  if (judge === undefined) return [{ figure: lastLine, met: ran.ok }]
  try {
    const results = judge(JSON.parse(ran.stdout), ran)
    return Array.isArray(results) ? results : [results as Judged]
  } catch {
    return [{ figure: `could not be read: ${ran.stderr.trim().split('\n').at(-1)}`, met: false }]
  }
}

const rows: { bar: string; figure: string; met: boolean; command: string }[] = []
for (const one of bars) {
  const command = one.command.join(' ')
  say(`… ${command}`)
  const ran = execute(one.command)
  for (const { figure, met } of judged(one, ran)) {
    rows.push({ bar: one.bar, figure, met, command })
    say(`  ${met ? 'met    ' : 'NOT MET'}  ${figure}  (${seconds(ran.ms)})`)
  }
  if (!ran.ok) say(`${ran.stdout}${ran.stderr}`.trimEnd().split('\n').slice(-20).join('\n'))
}

say('')
const width = Math.max(...rows.map(({ bar }) => bar.length))
for (const { bar, figure, met } of rows) {
  say(`${bar.padEnd(width)}  ${met ? 'met    ' : 'NOT MET'}  ${figure}`)
}
if (process.argv.includes('--json')) say(JSON.stringify(rows))
process.exitCode = rows.every(({ met }) => met) ? 0 : 1
