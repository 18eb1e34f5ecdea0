/**
 * `bench …`, and with it all that only a repository has: what scripts may rely on. These workspaces own their reports and
 * may say more, so that nothing here is closed.
 */
import { ARTIFACT_FIGURES } from './artifact-figures.ts'
import { PROOFS } from './proofs.ts'
import {
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

const added: OutputSchema = open({
  containers: count,
  merged: count,
  conflicts: count,
  wrong: count,
  git_merged: count,
  git_conflicts: count,
  merged_percent: figure,
  git_merged_percent: figure,
})

const seeded: OutputSchema = open({ seeded: count, refused: count, git_merged: count })

const merge: OutputSchema = open({
  files: count,
  classes: added,
  modules: added,
  versions: open({
    pairs: count,
    failed_pairs: listOf(text),
    splits: count,
    merged: count,
    conflicts: count,
    semantic: count,
    wrong: count,
    git_merged: count,
    git_conflicts: count,
    git_wrong: count,
  }),
  semantic: open({
    rename: seeded,
    signature: seeded,
    removal: seeded,
    enum: seeded,
    refused_percent: figure,
  }),
})

const mesh: OutputSchema = open({
  observations: count,
  agents: count,
  wake_ms: open({ p50: figure, p99: figure }),
  events_per_s: figure,
  lost: count,
  admitted: open({ most: count, allowed: count }),
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
  lists: listOf(open({ path: text, rows: count, p50_ms: figure, max_ms: figure, cpu_ms: figure })),
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

const stream: OutputSchema = open({
  ...{ generations: count, inside: count, outside: buildNullableSchema(text), tokens: count },
  ...{ vocabulary: count, kinds: buildMapSchema(count), seed: count },
  mask_us: open({ p50: figure, p99: figure }),
  ...{ grammar_us: figure, prepare_ms: figure },
})

const lookups: OutputSchema = open({ p50_us: figure, p99_us: figure, max_us: figure })

const index: OutputSchema = open({
  ...{ symbols: count, artifacts: count, names: count, build_s: figure },
  ...{ exact: lookups, by_path: lookups, by_name: lookups, by_prefix: lookups, update: lookups },
  ...{ bytes_per_symbol: count, bar_us: figure, ok: flag },
})

const ledger: OutputSchema = open({
  ...{ proofs: count, proofs_per_s: figure, accepted_per_s: figure, ok: flag },
  offline: open({ verified: count, findings: count, seconds: figure }),
})

const scrubTimes: OutputSchema = open({ p50_ms: figure, p99_ms: figure, max_ms: figure })

const scrub: OutputSchema = open({
  ...{ events: count, files: count, scrub: scrubTimes, cold: scrubTimes },
  ...{ bytes_per_event: count, bar_ms: figure, ok: flag },
})

export const REPOSITORY: Family = {
  ...PROOFS,
  'bench decide': { prints: 'what a decision costs, beside its floor', shape: decide },
  'bench mesh': {
    prints: 'how long it takes from an observation to a decision, and what is lost',
    shape: mesh,
  },
  'bench artifacts': {
    prints:
      'structural edits on files of published packages: what tiles, which lines were touched, what TypeScript says of it, and the same by others',
    shape: ARTIFACT_FIGURES,
  },
  'bench merge': {
    prints:
      'merges by symbols and by lines: additions at one place, published versions, and conflicts that no line shows',
    shape: merge,
  },
  'bench monitors': { prints: 'what a sweep over a long history costs', shape: monitors },
  'bench verify': {
    prints: 'how fast a ledger is verified, by depth, and in how much memory',
    shape: verify,
  },
  'bench context': { prints: 'what compiling a context costs', shape: context },
  'bench tools': { prints: 'what expressions and manifests of tools cost', shape: tools },
  'bench stream': {
    prints: 'whether a model held to a grammar stays inside, and what a mask costs',
    shape: stream,
  },
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
  'bench index': {
    prints: 'how long it takes to find symbols among a million, and what they take in memory',
    shape: index,
  },
  'bench ledger': {
    prints: 'how fast proofs are checked and taken in, and how many a third party verified offline',
    shape: ledger,
  },
  'bench mcp': {
    prints: 'what the gateway adds to a call of a tool, beside a proxy and an act',
    shape: mcp,
  },
  'bench scrub': {
    prints: 'what it takes to see artifacts as they were at any event of a long history',
    shape: scrub,
  },
}
