/** `sim …`: what scripts may rely on; its reports may say more. */
import {
  anything,
  buildMapSchema,
  buildNullableSchema,
  count,
  type Family,
  figure,
  flag,
  listOf,
  type OutputSchema,
  open,
  text,
} from './shape.ts'

const violation: OutputSchema = open({ seed: count, invariant: text, detail: text })

const grants = { granted: count, refused: count, sum: count }

export const PROOFS: Family = {
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
      missed: listOf(text),
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
  'sim artifacts': {
    prints:
      'batches of deltas and the orders they were undone in, permutations of one batch and their hashes, and mistakes that were refused',
    shape: open({
      ...{ batches: count, refused: count, not_restored: count, deltas: count },
      ...{ by_op: buildMapSchema(count), orders: count, permutations: count, hashes: count },
      violations: open({ seeded: count, refused: count }),
      by_violation: buildMapSchema(count),
      failures: listOf(open({ part: text, seed: count, detail: text })),
    }),
  },
  'sim authority': {
    prints: 'chains of writs, and how many were widened',
    shape: open({ chains: count, widened: count }),
  },
  'sim differential': {
    prints:
      'verdicts by code, what became of agents that answered events, and where kernel or engine and reference disagree',
    shape: open({
      cases: count,
      by_code: buildMapSchema(count),
      events: count,
      by_fate: buildMapSchema(count),
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
