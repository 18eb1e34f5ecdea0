/**
 * Every bar: the command that shows it, and how it is read. What has no command of its own is a test,
 * and is shown by `npm test` at full size.
 */
import { listArtifactBars } from './proof-artifacts.ts'
import { buildNpmCommand, buildRubiconCommand } from './proof-command.ts'
import { listConsoleBars } from './proof-console.ts'
import { buildAtRestBar, forge } from './proof-evidence.ts'
import { listFigureBars } from './proof-figures.ts'
import {
  findAt,
  type Json,
  type Judged,
  judgeAtLeast,
  judgeBelow,
  judgeExactly,
  judgeNone,
  toCount,
} from './proof-judge.ts'
import { listSenseBars } from './proof-senses.ts'
import type { Sizes } from './proof-sizes.ts'

export type Bar = {
  /** For `npm run proof -- NAME`, and for the file that keeps what was printed. */
  readonly name: string
  readonly bar: string
  readonly command: readonly string[]
  /** Of what the command printed as JSON; absent: it must end well, and its last line is shown. */
  readonly judge?: (result: Json, ms: number) => Judged | readonly Judged[]
}

const STORES = ['memory', 'sqlite', 'postgres'] as const
/** Of what is asked in one race, this much is there. */
const SHARED = { granted: 100, refused: 100, sum: 1_000 }

export function listBars(sizes: Sizes): readonly Bar[] {
  return [
    { name: 'test', bar: 'npm test passes', command: buildNpmCommand('test', '--', ...sizes.test) },
    {
      name: 'coverage',
      bar: 'full branch coverage of the law',
      command: buildNpmCommand('coverage'),
    },
    ...listPublishedBars(sizes),
    ...record(sizes),
    ...listSenseBars(sizes),
    ...listRaceBars(sizes),
    ...listFigureBars(sizes),
    ...listArtifactBars(sizes),
    ...listSurfaceBars(sizes),
  ]
}

function listPublishedBars({ docs, everywhere, scenarios }: Sizes): readonly Bar[] {
  return [
    {
      name: 'everywhere',
      bar: 'scenarios:everywhere: in memory, on SQLite, on Postgres and over HTTP the same verdicts, and the same left behind',
      command: buildNpmCommand('scenarios:everywhere', '--', ...everywhere, '--json'),
      judge: ({ scenarios: played, equal, seconds }) => {
        const count = Array.isArray(played) ? played.length : 0
        const figure = `${count} scenarios, equal ${equal}, ${toCount(seconds)} s`
        return { figure, met: equal === true && count >= scenarios }
      },
    },
    {
      name: 'quickstart',
      bar: 'quickstart: verified, tampering caught, under 5 s',
      command: buildRubiconCommand('quickstart'),
      judge: (result, ms) => {
        const verified = findAt(result, 'ledger', 'verified') === true
        const caught = findAt(result, 'tampered', 'detected') === true
        const figure = `verified ${verified}, caught ${caught}, ${Math.round(ms)} ms`
        return { figure, met: verified && caught && ms < 5_000 }
      },
    },
    {
      name: 'pack',
      bar: 'tarballs run in an empty folder, the library without a web server; a project of `init` in under 2 minutes, on Node 24 and on an older one',
      command: buildNpmCommand('pack:try', '--', '--json'),
      judge: ({ quickstart, library, init_seconds, installed_mb }) => {
        const took = Object.entries(Object(init_seconds))
        const isInTime = took.every(([, one]) => toCount(one) > 0 && toCount(one) < 120)
        const isTriedOn = (wanted: RegExp): boolean =>
          took.some(([version]) => wanted.test(version))
        const isOnBoth = isTriedOn(/^v24\./) && isTriedOn(/^v(?:1\d|2[0-3])\./)
        return {
          figure: `quickstart ${quickstart}, library ${library}, init in s ${JSON.stringify(init_seconds)}, MB ${JSON.stringify(installed_mb)}`,
          met: quickstart === 'ok' && library === 'ok' && isInTime && isOnBoth,
        }
      },
    },
    {
      name: 'mcp-try',
      bar: 'mcp:try: every tool of the reference servers through the gateway, by the Inspector and the official client libraries',
      command: buildNpmCommand('mcp:try', '--', '--json'),
      judge: ({ ok, clients }) => ({
        figure: `${Array.isArray(clients) ? clients.length : 0} clients, ok ${ok}`,
        met: ok === true,
      }),
    },
    {
      name: 'docs',
      bar: 'docs: every block of getting started and the guides does what it says',
      command: buildNpmCommand('docs:try', '--', ...docs, '--json'),
      judge: ({ blocks, ok, seconds }) => ({
        figure: `${toCount(blocks)} blocks, ok ${ok}, ${toCount(seconds)} s`,
        met: ok === true && toCount(blocks) > 0,
      }),
    },
  ]
}

/** What must never happen, and what must always be found. */
function record(sizes: Sizes): readonly Bar[] {
  const { entries, others, kills, failpoints, chains, models, cases, answered, seeds } = sizes
  return [
    {
      name: 'tamper',
      bar: 'tamper: nothing missed, right place named, foreign keys refused',
      command: buildRubiconCommand('sim', 'tamper', '--entries', entries, '--others', others),
      judge: (result) => {
        const { wrong_place, false_alarms } = result
        const faults = {
          rubicon: findAt(result, 'missed', 'rubicon'),
          oracle: findAt(result, 'missed', 'oracle'),
          wrong_place,
          false_alarms,
          accepted: findAt(result, 'resigned', 'accepted'),
        }
        return [
          judgeNone(faults, toCount(findAt(result, 'cases', 'byte')), entries),
          judgeAtLeast('re-signed', findAt(result, 'resigned', 'cases'), 1),
        ]
      },
    },
    buildAtRestBar(sizes, 'sqlite'),
    buildAtRestBar(sizes, 'postgres'),
    forge(sizes),
    {
      name: 'kill',
      bar: 'kill: nothing lost, nothing twice, all settled, at every failpoint',
      command: buildRubiconCommand('sim', 'kill', '--kills', kills),
      judge: ({ kills: done, lost, second_effects, unsettled, findings, by_failpoint }) => {
        const left_out = failpoints.filter((point) => !(toCount(findAt(by_failpoint, point)) > 0))
        return judgeNone(
          { lost, second_effects, unsettled, findings, left_out },
          toCount(done),
          kills,
        )
      },
    },
    {
      name: 'inject',
      bar: 'inject: a hijacked model does nothing outside of contract and writ, and hears why',
      command: buildRubiconCommand('sim', 'inject', '--cases', models),
      judge: ({ cases: done, outside, uncoded }) =>
        judgeNone({ outside, uncoded }, toCount(done), models),
    },
    buildMcpBar(sizes),
    {
      name: 'authority',
      bar: 'authority: no chain widens',
      command: buildRubiconCommand('sim', 'authority', '--chains', chains),
      judge: ({ chains: done, widened }) => judgeNone({ widened }, toCount(done), chains),
    },
    {
      name: 'differential',
      bar: 'differential: kernel and reference agree, on every code',
      command: buildRubiconCommand('sim', 'differential', '--cases', cases, '--events', answered),
      judge: ({ cases: done, disagreements, codes_missing }) =>
        judgeNone({ disagreements, codes_missing }, toCount(done), cases),
    },
    {
      name: 'sim',
      bar: 'sim: no invariant broken, no failpoint or fault left out',
      command: buildRubiconCommand('sim', '--seeds', seeds),
      judge: ({ seeds: done, violations, failpoints_missed, faults_missed }) =>
        judgeNone({ violations, failpoints_missed, faults_missed }, toCount(done), seeds),
    },
  ]
}

function buildMcpBar({ tricks }: Sizes): Bar {
  return {
    name: 'mcp-tricks',
    bar: 'mcp: hostile servers and clients: no effect twice, unapproved, lost or outside, of 40 tricks',
    command: buildRubiconCommand('sim', 'mcp', '--cases', tricks),
    judge: ({ cases: done, tricks: kinds, twice, unapproved, lost, outside, unexpected }) => [
      judgeNone({ twice, unapproved, lost, outside, unexpected }, toCount(done), tricks),
      judgeAtLeast('tricks', kinds, Math.min(40, tricks)),
    ],
  }
}

/** Several at once. */
function listRaceBars({ cases }: Sizes): readonly Bar[] {
  const contention = [...STORES.map((store) => [store, 1] as const), ['postgres', 4] as const].map(
    ([store, processes]): Bar => ({
      name: `contention-${store}${processes === 1 ? '' : `-${processes}`}`,
      bar: `contention: exactly 100 of 200 pass, resource and budget: ${store}, ${processes} at it`,
      command: buildRubiconCommand('sim', 'contention', '--store', store, '--processes', processes),
      judge: (result) => [judgeExactly(SHARED, result), judgeExactly(SHARED, result.budget)],
    }),
  )
  const revocation = STORES.map(
    (store): Bar => ({
      name: `revoke-${store}`,
      bar: `revoke-race: nothing dispatched after it, back in a second: ${store}`,
      command: buildRubiconCommand('sim', 'revoke-race', '--store', store),
      judge: ({ dispatched, dispatched_after, revoke_ms }) => [
        judgeNone({ dispatched_after }, toCount(dispatched), 64),
        judgeBelow('revoke ms', revoke_ms, 1_000),
      ],
    }),
  )
  const wanted = Math.min(cases, 10_000)
  return [
    ...contention,
    ...revocation,
    {
      name: 'determinism',
      bar: 'determinism: same verdicts and snapshots in every process and store',
      command: buildRubiconCommand('sim', 'determinism', '--cases', wanted),
      judge: ({ cases: done, differing, stores }) => [
        judgeNone({ differing }, toCount(done), wanted),
        judgeAtLeast('stores', stores, STORES.length),
      ],
    },
  ]
}

function listSurfaceBars(sizes: Sizes): readonly Bar[] {
  const { seconds, perSecond, ears } = sizes
  const shape = ['--seconds', seconds, '--per-second', perSecond, '--ears', ears]
  return [
    {
      name: 'api',
      bar: 'bench api: 1,000 requests a second, 64 listeners, p99 under 100 ms, no event lost',
      command: buildRubiconCommand('bench', 'api', ...shape),
      judge: (result) => [
        judgeBelow('p99 ms', findAt(result, 'ms', 'p99'), 100),
        judgeNone(
          {
            lost: findAt(result, 'events', 'lost'),
            doubled: findAt(result, 'events', 'doubled'),
            errors: Object.keys(findAt(result, 'errors') ?? { unread: 1 }),
          },
          toCount(result.requests),
          seconds * perSecond,
        ),
      ],
    },
    {
      name: 'hold',
      bar: 'bench hold: under everything at once a quiet agent under 1 s, a suspension under 500 ms, 1 GB, 5 s',
      command: buildRubiconCommand('bench', 'hold'),
      judge: (result) => [
        judgeBelow('quiet p99 ms', result.quiet_p99_ms, 1_000),
        judgeBelow('suspension ms', result.suspension_ms, 500),
        judgeBelow('rss mb', result.rss_mb, 1_000),
        judgeBelow('served again ms', result.served_again_ms, 5_000),
        judgeExactly({ failed: 0 }, result.quiet),
        judgeExactly({ failed: 0 }, result.suspensions),
      ],
    },
    {
      name: 'mcp',
      bar: 'bench mcp: a call through the gateway takes at most the bare proxy and 1.3 acts',
      command: buildRubiconCommand('bench', 'mcp'),
      judge: ({ gateway_ms, bar_ms, act_ms, ok }) => ({
        figure: `gateway ${toCount(gateway_ms)} ms (at most ${toCount(bar_ms)}), act ${toCount(act_ms)} ms`,
        met: ok === true,
      }),
    },
    {
      name: 'stream',
      bar: 'bench stream: 1,000 of 1,000 random generations inside the grammar; a mask under 1 ms at 100,000 tokens',
      command: buildRubiconCommand('bench', 'stream'),
      judge: (result) => [
        judgeExactly({ generations: 1_000, inside: 1_000, vocabulary: 100_000 }, result),
        judgeBelow('mask p99 us', findAt(result, 'mask_us', 'p99'), 1_000),
      ],
    },
    ...listConsoleBars(sizes),
  ]
}
