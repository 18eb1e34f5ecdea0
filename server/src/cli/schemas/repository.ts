/**
 * `sim …` and `bench …`: what scripts may rely on. These workspaces own their reports and may say
 * more, so that nothing here is closed.
 */
import {
  anything,
  buildAnyOfSchema,
  buildMapSchema,
  buildNullableSchema,
  count,
  type Family,
  figure,
  flag,
  listOf,
  markOptional,
  type OutputSchema,
  open,
  text,
} from './shape.ts'

const violation: OutputSchema = open({ seed: count, invariant: text, detail: text })

const grants = { granted: count, refused: count, sum: count }

const PROOFS: Family = {
  sim: {
    prints:
      'how much was tried, every violation with its seed, failpoints and faults that no seed came to',
    shape: open({
      seeds: count,
      intents: count,
      faults: count,
      violations: listOf(violation),
      history_hash: text,
    }),
  },
  'sim tamper': {
    prints:
      'cases of each kind, and those that a verifier missed or misplaced; with `--at-rest`, changes to a store that stands still, by part and by who found them, and what is not found with its reason (`harmless`, `out_of_reach`)',
    shape: open({
      cases: open({ byte: count, remove: count, reorder: count, rehash: count, tail: count }),
      missed: open({ rubicon: count, oracle: count }),
      wrong_place: count,
    }),
  },
  'sim forge': {
    prints: 'lawless ledgers by class, who missed any, and alarms about honest ones',
    shape: open({
      cases: count,
      by_class: buildMapSchema(open({ cases: count, missed: count })),
      missed: open({ rubicon: count, oracle: count, law: count }),
      honest: open({
        decisions: count,
        ledgers: open({ scenario: count, storm: count, made: count }),
        false_alarms: count,
      }),
    }),
  },
  'sim canary': {
    prints: 'credentials that were looked for, where, and those that were found or never used',
    shape: open({
      credentials: count,
      places_searched: count,
      bytes: count,
      leaks: count,
      found: listOf(open({ credential: text, place: text, before: text })),
      unused: listOf(text),
    }),
  },
  'sim kill': {
    prints: 'kills by place, and what was lost, done twice or left open',
    shape: open({
      kills: count,
      by_failpoint: buildMapSchema(count),
      acknowledged: count,
      lost: count,
      second_effects: count,
      unsettled: count,
    }),
  },
  'sim inject': {
    prints: 'what a hijacked model attempted, by code, and what of it was outside of its contract',
    shape: open({
      cases: count,
      attempts: count,
      effects: count,
      outside: count,
      uncoded: count,
      by_code: buildMapSchema(count),
      ends: buildMapSchema(count),
    }),
  },
  'sim mcp': {
    prints:
      'tricks of MCP servers and clients, the effects they had, and which should not have been',
    shape: open({
      ...{ cases: count, tricks: count, effects: count, by_trick: buildMapSchema(count) },
      ...{ twice: count, unapproved: count, lost: count, outside: count, unexpected: count },
      findings: listOf(open({ case: count, trick: text, kind: text, detail: text })),
    }),
  },
  'sim authority': {
    prints: 'chains of writs, and how many were widened',
    shape: open({ chains: count, widened: count }),
  },
  'sim differential': {
    prints: 'verdicts by code, and where kernel and reference disagree',
    shape: open({
      cases: count,
      by_code: buildMapSchema(count),
      disagreements: listOf(buildMapSchema(anything)),
    }),
  },
  'sim parsing': {
    prints: 'each bad input with its code, its time and the entries it left',
    shape: listOf(open({ row: text, code: text, ms: figure, entries_added: count })),
  },
  'sim planted': {
    prints: 'planted bugs, and which of them the storm caught',
    shape: open({
      bugs: count,
      caught: count,
      results: listOf(
        open({ bug: text, caught: flag, seeds: count, violation: buildNullableSchema(violation) }),
      ),
    }),
  },
  'sim hostile': {
    prints: 'what a hostile agent tried, by trick and by goal, and how often it succeeded',
    shape: open({
      seeds: count,
      attempts: count,
      by_trick: open({}),
      by_goal: open({}),
      succeeded: count,
      breaches: listOf(open({ seed: count, trick: text, detail: text })),
    }),
  },
  'sim hostile-planted': {
    prints: 'each trick against a runtime with the mistake it is meant for, and what it achieved',
    shape: open({
      tricks: count,
      succeeded: count,
      results: listOf(open({ trick: text, patch: text, succeeded: flag, detail: text })),
    }),
  },
  'sim contention': {
    prints: 'how many got a share of a resource, and of a budget, and what they got together',
    shape: open({ store: text, processes: count, ...grants, budget: open(grants) }),
  },
  'sim revoke-race': {
    prints: 'dispatches behind a revocation in the tree, and how long the slowest one took',
    shape: open({ store: text, dispatched: count, dispatched_after: count, revoke_ms: count }),
  },
  'sim determinism': {
    prints: 'how many processes decided otherwise than the first',
    shape: open({ cases: count, processes: count, differing: count }),
  },
}

const pair: OutputSchema = open({ sequential: figure, concurrent_64: figure })

const decideAlone: OutputSchema = open({
  decisions_per_s: pair,
  floor_per_s: pair,
  ratio_to_floor: pair,
  gate_us: open({ p50: figure, p99: figure }),
  verify_entries_per_s: figure,
  replay_entries_per_s: figure,
  decision_us_at: buildMapSchema(figure),
  ops: open({ sign: figure, verify: figure, hash: figure, bytes: figure, transactions: figure }),
  fsync_per_s: figure,
})

const ratios: OutputSchema = buildMapSchema(buildNullableSchema(figure))
const ratiosByStore: OutputSchema = open({ postgres: ratios, sqlite: ratios })

/** With `--profile full` and with `--peers` it prints something else. */
const decide: OutputSchema = buildAnyOfSchema(
  decideAlone,
  open({ decisions_per_s: open({}), ratio_to_foundation: figure, ratio_without_opening: figure }),
  open({
    peers: buildMapSchema(open({ per_s: buildNullableSchema(figure), reason: markOptional(text) })),
    times: ratios,
    act_times: ratiosByStore,
    sequential_act_times: ratiosByStore,
  }),
)

const context: OutputSchema = open({
  session_events: count,
  memory_entries: count,
  p50_ms: figure,
  p99_ms: figure,
})

const tools: OutputSchema = open({
  expression_us: buildMapSchema(figure),
  largest_ms: figure,
  tools: count,
  load_ms: figure,
})

const monitors: OutputSchema = open({
  executions: count,
  cold_sweep_ms: figure,
  incremental_sweep_ms: open({ p50: figure, p99: figure }),
})

const verify: OutputSchema = open({
  entries: count,
  bytes: count,
  structure: figure,
  fold_unsigned: figure,
  fold: figure,
  store: figure,
  law: figure,
  law_cedar: figure,
  start_ms: figure,
  rss_mb: figure,
  rss_store_mb: figure,
  rss_law_mb: figure,
})

const fill: OutputSchema = open({
  store: text,
  flows: count,
  entries: count,
  waiting: count,
  seconds: figure,
  flows_per_s: figure,
  bytes: buildNullableSchema(count),
  bytes_per_flow: buildNullableSchema(count),
})

const lists: OutputSchema = open({
  flows: count,
  entries: count,
  slowest_ms: figure,
  lists: listOf(open({ path: text, rows: count, p50_ms: figure, max_ms: figure })),
})

const times: OutputSchema = open({ p50: figure, p99: figure, max: figure })

const api: OutputSchema = open({
  seconds: count,
  per_second: count,
  requests: count,
  ms: times,
  ms_of: buildMapSchema(times),
  errors: buildMapSchema(count),
  events: open({
    clients: count,
    written: count,
    received: count,
    lost: count,
    doubled: count,
    reconnects: count,
  }),
  fsync_per_s: figure,
})

const hold: OutputSchema = open({
  seconds: count,
  parts: listOf(text),
  quiet: open({ requests: count, failed: count }),
  quiet_p50_ms: figure,
  quiet_p99_ms: figure,
  suspensions: open({ asked: count, failed: count }),
  suspension_ms: figure,
  rss_mb: figure,
  served_again_ms: figure,
  load: buildMapSchema(count),
  ok: flag,
})

const mcp: OutputSchema = open({
  ...{ direct_ms: figure, bare_proxy_ms: figure, gateway_ms: figure, act_ms: figure },
  ...{ bar_ms: figure, ok: flag, calls: count },
  p99: open({ direct: figure, bare_proxy: figure, gateway: figure, act: figure }),
})

export const REPOSITORY: Family = {
  ...PROOFS,
  'bench decide': { prints: 'what a decision costs, beside its floor', shape: decide },
  'bench monitors': { prints: 'what a sweep over a long history costs', shape: monitors },
  'bench verify': {
    prints: 'how fast a ledger is verified, by depth, and in how much memory',
    shape: verify,
  },
  'bench context': { prints: 'what compiling a context costs', shape: context },
  'bench tools': { prints: 'what expressions and manifests of tools cost', shape: tools },
  'bench fill': {
    prints: 'how many flows were put into a store, how fast, and what one takes on disk',
    shape: fill,
  },
  'bench lists': { prints: 'how long each list takes, and each of its filters', shape: lists },
  'bench api': { prints: 'how long requests wait under load, and what listeners miss', shape: api },
  'bench hold': {
    prints: 'who still gets through, and how soon, while others try to keep the server busy',
    shape: hold,
  },
  'bench mcp': {
    prints: 'what the gateway adds to a call of a tool, beside a proxy and an act',
    shape: mcp,
  },
}
