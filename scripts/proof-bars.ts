/**
 * Every bar: the command that shows it, and how it is read. What has no command of its own is a test,
 * and is shown by `npm test` at full size.
 */
import { npm, rubicon } from './proof-command.ts'
import { atRest, forge } from './proof-evidence.ts'
import {
  at,
  atLeast,
  atMost,
  below,
  exactly,
  type Json,
  type Judged,
  none,
  size,
} from './proof-judge.ts'
import { senses } from './proof-senses.ts'
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

export function barsAt(sizes: Sizes): readonly Bar[] {
  return [
    { name: 'test', bar: 'npm test passes', command: npm('test', '--', ...sizes.test) },
    { name: 'coverage', bar: 'full branch coverage of the law', command: npm('coverage') },
    ...published(sizes),
    ...record(sizes),
    ...senses(sizes),
    ...races(sizes),
    ...figures(sizes),
    ...surfaces(sizes),
  ]
}

function published({ docs }: Sizes): readonly Bar[] {
  return [
    {
      name: 'quickstart',
      bar: 'quickstart: verified, tampering caught, under 5 s',
      command: rubicon('quickstart'),
      judge: (result, ms) => {
        const verified = at(result, 'ledger', 'verified') === true
        const caught = at(result, 'tampered', 'detected') === true
        const figure = `verified ${verified}, caught ${caught}, ${Math.round(ms)} ms`
        return { figure, met: verified && caught && ms < 5_000 }
      },
    },
    {
      name: 'pack',
      bar: 'tarballs run in an empty folder',
      command: npm('pack:try', '--', '--json'),
      judge: ({ quickstart, library }) => ({
        figure: `quickstart ${quickstart}, library ${library}`,
        met: quickstart === 'ok' && library === 'ok',
      }),
    },
    {
      name: 'docs',
      bar: 'docs: every block of getting started and the guides does what it says',
      command: npm('docs:try', '--', ...docs, '--json'),
      judge: ({ blocks, ok, seconds }) => ({
        figure: `${size(blocks)} blocks, ok ${ok}, ${size(seconds)} s`,
        met: ok === true && size(blocks) > 0,
      }),
    },
  ]
}

/** What must never happen, and what must always be found. */
function record(sizes: Sizes): readonly Bar[] {
  const { entries, others, kills, failpoints, chains, cases, seeds } = sizes
  return [
    {
      name: 'tamper',
      bar: 'tamper: nothing missed, right place named, foreign keys refused',
      command: rubicon('sim', 'tamper', '--entries', entries, '--others', others),
      judge: (result) => {
        const { wrong_place, false_alarms } = result
        const faults = {
          rubicon: at(result, 'missed', 'rubicon'),
          oracle: at(result, 'missed', 'oracle'),
          wrong_place,
          false_alarms,
          accepted: at(result, 'resigned', 'accepted'),
        }
        return [
          none(faults, size(at(result, 'cases', 'byte')), entries),
          atLeast('re-signed', at(result, 'resigned', 'cases'), 1),
        ]
      },
    },
    atRest(sizes, 'sqlite'),
    atRest(sizes, 'postgres'),
    forge(sizes),
    {
      name: 'kill',
      bar: 'kill: nothing lost, nothing twice, all settled, at every failpoint',
      command: rubicon('sim', 'kill', '--kills', kills),
      judge: ({ kills: done, lost, second_effects, unsettled, findings, by_failpoint }) => {
        const left_out = failpoints.filter((point) => !(size(at(by_failpoint, point)) > 0))
        return none({ lost, second_effects, unsettled, findings, left_out }, size(done), kills)
      },
    },
    {
      name: 'authority',
      bar: 'authority: no chain widens',
      command: rubicon('sim', 'authority', '--chains', chains),
      judge: ({ chains: done, widened }) => none({ widened }, size(done), chains),
    },
    {
      name: 'differential',
      bar: 'differential: kernel and reference agree, on every code',
      command: rubicon('sim', 'differential', '--cases', cases),
      judge: ({ cases: done, disagreements, codes_missing }) =>
        none({ disagreements, codes_missing }, size(done), cases),
    },
    {
      name: 'sim',
      bar: 'sim: no invariant broken, no failpoint or fault left out',
      command: rubicon('sim', '--seeds', seeds),
      judge: ({ seeds: done, violations, failpoints_missed, faults_missed }) =>
        none({ violations, failpoints_missed, faults_missed }, size(done), seeds),
    },
  ]
}

/** Several at once. */
function races({ cases }: Sizes): readonly Bar[] {
  const contention = [...STORES.map((store) => [store, 1] as const), ['postgres', 4] as const].map(
    ([store, processes]): Bar => ({
      name: `contention-${store}${processes === 1 ? '' : `-${processes}`}`,
      bar: `contention: exactly 100 of 200 pass, resource and budget: ${store}, ${processes} at it`,
      command: rubicon('sim', 'contention', '--store', store, '--processes', processes),
      judge: (result) => [exactly(SHARED, result), exactly(SHARED, result.budget)],
    }),
  )
  const revocation = STORES.map(
    (store): Bar => ({
      name: `revoke-${store}`,
      bar: `revoke-race: nothing dispatched after it, back in a second: ${store}`,
      command: rubicon('sim', 'revoke-race', '--store', store),
      judge: ({ dispatched, dispatched_after, revoke_ms }) => [
        none({ dispatched_after }, size(dispatched), 64),
        below('revoke ms', revoke_ms, 1_000),
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
      command: rubicon('sim', 'determinism', '--cases', wanted),
      judge: ({ cases: done, differing, stores }) => [
        none({ differing }, size(done), wanted),
        atLeast('stores', stores, STORES.length),
      ],
    },
  ]
}

function figures({ rounds, ledgers, verified, executions }: Sizes): readonly Bar[] {
  const [smallest] = ledgers
  const largest = ledgers.at(-1) ?? smallest
  const costAt = (result: Json, entries: number): number =>
    size(at(result, 'decision_us_at', String(entries)))
  return [
    {
      name: 'decide',
      bar: 'bench decide: 64 at once, verification, cost at size',
      command: rubicon('bench', 'decide', '--rounds', rounds, '--sizes', ledgers.join(',')),
      judge: (result) => [
        atLeast('ratio to floor', at(result, 'ratio_to_floor', 'concurrent_64'), 0.6),
        atLeast('verified entries per s', result.verify_entries_per_s, 100_000),
        atMost(
          `cost at ${largest} / at ${smallest}`,
          costAt(result, largest) / costAt(result, smallest),
          1.2,
        ),
      ],
    },
    {
      name: 'decide-full',
      bar: 'bench decide --profile full: context, gates, drift and locks keep 70 %',
      command: rubicon('bench', 'decide', '--profile', 'full', '--rounds', rounds),
      judge: ({ ratio_to_foundation }) => atLeast('of the foundation', ratio_to_foundation, 0.7),
    },
    {
      name: 'decide-peers',
      bar: 'bench decide --peers: 5 times a durable step of DBOS, 20 times a gated one of LangGraph',
      command: rubicon('bench', 'decide', '--peers'),
      judge: ({ times }) => [
        atLeast('times DBOS', at(times, 'dbos'), 5),
        atLeast('times LangGraph', at(times, 'langgraph'), 20),
      ],
    },
    {
      name: 'verify',
      bar: 'bench verify: a million entries by depth and by law, in 512 MB; a runtime starts in 10 s',
      command: rubicon('bench', 'verify', '--entries', verified),
      judge: (result) => [
        atLeast('structure per s', result.structure, 100_000),
        atLeast('fold without signatures per s', result.fold_unsigned, 40_000),
        atLeast('fold per s', result.fold, 8_000),
        atLeast('law per s', result.law, 1_500),
        atLeast('law with Cedar per s', result.law_cedar, 700),
        atMost('MB of a file', result.rss_mb, 512),
        atMost('MB of a store', result.rss_store_mb, 512),
        below('start ms', result.start_ms, 10_000),
        atLeast('entries', result.entries, verified),
      ],
    },
    {
      name: 'context',
      bar: 'bench context: 10,000 events and 1,000 memories under 5 ms',
      command: rubicon('bench', 'context'),
      judge: ({ p99_ms }) => below('p99 ms', p99_ms, 5),
    },
    {
      name: 'monitors',
      bar: 'bench monitors: a sweep under 2 s, an incremental one under 50 ms',
      command: rubicon('bench', 'monitors', '--executions', executions),
      judge: (result) => [
        below('cold ms', result.cold_sweep_ms, 2_000),
        below('incremental p99 ms', at(result, 'incremental_sweep_ms', 'p99'), 50),
        atLeast('executions', result.executions, executions),
      ],
    },
  ]
}

function surfaces({ flows, looks, console: pages, ...load }: Sizes): readonly Bar[] {
  const { seconds, perSecond, ears } = load
  const shape = ['--seconds', seconds, '--per-second', perSecond, '--ears', ears]
  return [
    {
      name: 'api',
      bar: 'bench api: 1,000 requests a second, 64 listeners, p99 under 100 ms, no event lost',
      command: rubicon('bench', 'api', ...shape),
      judge: (result) => [
        below('p99 ms', at(result, 'ms', 'p99'), 100),
        none(
          {
            lost: at(result, 'events', 'lost'),
            doubled: at(result, 'events', 'doubled'),
            errors: Object.keys(at(result, 'errors') ?? { unread: 1 }),
          },
          size(result.requests),
          seconds * perSecond,
        ),
      ],
    },
    {
      name: 'hold',
      bar: 'bench hold: under everything at once a quiet agent under 1 s, a suspension under 500 ms, 1 GB, 5 s',
      command: rubicon('bench', 'hold'),
      judge: (result) => [
        below('quiet p99 ms', result.quiet_p99_ms, 1_000),
        below('suspension ms', result.suspension_ms, 500),
        below('rss mb', result.rss_mb, 1_000),
        below('served again ms', result.served_again_ms, 5_000),
        exactly({ failed: 0 }, result.quiet),
        exactly({ failed: 0 }, result.suspensions),
      ],
    },
    {
      name: 'console',
      bar: 'console:check: every page in every condition; paint under 1 s, lists under 200 ms',
      command: npm('console:check', '--', '--flows', flows, ...pages, '--json'),
      judge: ({ looks: done, flows: filled, findings, slow }) => [
        none({ findings, slow }, size(filled), flows),
        atLeast('looks', done, looks),
      ],
    },
  ]
}
