/** The bars of speed and size: what `rubicon bench` measures beside the server and the console. */
import type { Bar } from './proof-bars.ts'
import { buildRubiconCommand } from './proof-command.ts'
import {
  findAt,
  type Json,
  type Judged,
  judgeAtLeast,
  judgeAtMost,
  judgeBelow,
  toCount,
} from './proof-judge.ts'
import type { Sizes } from './proof-sizes.ts'

export function listFigureBars(sizes: Sizes): readonly Bar[] {
  const { verified, executions, proofs } = sizes
  return [
    ...listDecideBars(sizes),
    {
      name: 'verify',
      bar: 'bench verify: a million entries by depth and by law, in 512 MB; a runtime starts in 10 s',
      command: buildRubiconCommand('bench', 'verify', '--entries', verified),
      judge: (result) => [
        judgeAtLeast('structure per s', result.structure, 100_000),
        judgeAtLeast('fold without signatures per s', result.fold_unsigned, 40_000),
        judgeAtLeast('fold per s', result.fold, 8_000),
        judgeAtLeast('law per s', result.law, 1_500),
        judgeAtLeast('law with Cedar per s', result.law_cedar, 700),
        judgeAtMost('MB of a file', result.rss_mb, 512),
        judgeAtMost('MB of a store', result.rss_store_mb, 512),
        judgeBelow('start ms', result.start_ms, 10_000),
        judgeAtLeast('entries', result.entries, verified),
      ],
    },
    {
      name: 'ledger',
      bar: 'bench ledger: a third party verifies 1,000 proofs offline, with the second verifier alone',
      command: buildRubiconCommand('bench', 'ledger', '--proofs', proofs),
      judge: (result) => [
        judgeAtLeast('proofs checked per s', result.proofs_per_s, 1),
        judgeAtLeast('verified offline', findAt(result, 'offline', 'verified'), proofs),
        judgeAtMost('findings', findAt(result, 'offline', 'findings'), 0),
      ],
    },
    {
      name: 'context',
      bar: 'bench context: 10,000 events and 1,000 memories under 5 ms',
      command: buildRubiconCommand('bench', 'context'),
      judge: ({ p99_ms }) => judgeBelow('p99 ms', p99_ms, 5),
    },
    {
      name: 'mesh',
      bar: 'bench mesh: a decision within 10 ms of its observation (p50), nothing lost at 1,000 a second, admission within its budget',
      command: buildRubiconCommand('bench', 'mesh'),
      judge: (result) => [
        judgeBelow('wake p50 ms', findAt(result, 'wake_ms', 'p50'), 10),
        judgeAtLeast('observations a second', result.events_per_s, 950),
        judgeBelow('lost', result.lost, 1),
        judgeBelow('woken at once', findAt(result, 'admitted', 'most'), 6),
      ],
    },
    {
      name: 'monitors',
      bar: 'bench monitors: a sweep under 2 s, an incremental one under 50 ms',
      command: buildRubiconCommand('bench', 'monitors', '--executions', executions),
      judge: (result) => [
        judgeBelow('cold ms', result.cold_sweep_ms, 2_000),
        judgeBelow('incremental p99 ms', findAt(result, 'incremental_sweep_ms', 'p99'), 50),
        judgeAtLeast('executions', result.executions, executions),
      ],
    },
  ]
}

/** What one decision costs: beside its floor, with everything switched on, and beside peers. */
function listDecideBars({ rounds, ledgers }: Sizes): readonly Bar[] {
  const [smallest] = ledgers
  const largest = ledgers.at(-1) ?? smallest
  const getCost = (result: Json, entries: number): number =>
    toCount(findAt(result, 'decision_us_at', String(entries)))
  return [
    {
      name: 'decide',
      bar: 'bench decide: 64 at once, verification, cost at size',
      command: buildRubiconCommand(
        'bench',
        'decide',
        '--rounds',
        rounds,
        '--sizes',
        ledgers.join(','),
      ),
      judge: (result) => [
        judgeAtLeast('ratio to floor', findAt(result, 'ratio_to_floor', 'concurrent_64'), 0.85),
        judgeAtLeast('alone', findAt(result, 'ratio_to_floor', 'sequential'), 0.7),
        judgeAtLeast('one act', findAt(result, 'act_ratio_to_floor', 'concurrent_64'), 0.7),
        judgeAtLeast('with Cedar, of without', computeCedarShare(result), 0.8),
        judgeAtLeast('verified entries per s', result.verify_entries_per_s, 100_000),
        judgeAtMost(
          `cost at ${largest} / at ${smallest}`,
          getCost(result, largest) / getCost(result, smallest),
          1.2,
        ),
      ],
    },
    {
      name: 'decide-full',
      bar: 'bench decide --profile full: context, gates, drift and locks keep 70 %',
      command: buildRubiconCommand('bench', 'decide', '--profile', 'full', '--rounds', rounds),
      judge: ({ ratio_to_foundation }) =>
        judgeAtLeast('of the foundation', ratio_to_foundation, 0.7),
    },
    {
      name: 'decide-peers',
      bar: 'bench decide --peers: one act beside DBOS, Restate and LangGraph, 64 at a time and alone',
      command: buildRubiconCommand('bench', 'decide', '--peers'),
      judge: judgePeers,
    },
  ]
}

/** How much of the speed is left with one policy. */
function computeCedarShare(result: Json): number {
  const cedar = toCount(findAt(result, 'decisions_per_s_cedar', 'concurrent_64'))
  return cedar / toCount(findAt(result, 'decisions_per_s', 'concurrent_64'))
}

/** Of the act that opens its flow and decides in it. A peer that did not run has no ratio, and meets nothing. */
function judgePeers({ act_times, sequential_act_times }: Json): readonly Judged[] {
  const findAlone = (store: string, peer: string): unknown =>
    findAt(sequential_act_times, store, peer)
  return [
    judgeAtLeast('on SQLite, times Restate', findAt(act_times, 'sqlite', 'restate'), 1.3),
    judgeAtLeast('on Postgres, times DBOS', findAt(act_times, 'postgres', 'dbos'), 2.5),
    judgeAtLeast('on Postgres, times LangGraph', findAt(act_times, 'postgres', 'langgraph'), 5),
    judgeAtLeast('alone on Postgres, times DBOS', findAlone('postgres', 'dbos'), 1),
    ...['dbos', 'restate', 'langgraph'].map((peer) =>
      judgeAtLeast(`alone on SQLite, times ${peer}`, findAlone('sqlite', peer), 1),
    ),
  ]
}
