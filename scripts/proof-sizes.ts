/** How much of everything `npm run proof` does. */
import { FAILPOINTS } from '../runtime/src/ports/failpoint.ts'
import { SCENARIOS } from '../scenarios/src/index.ts'

export type Sizes = {
  /** Words behind `npm test --`, `npm run console:check --`, `docs:try --`, `findings --` and `scenarios:everywhere --`. */
  readonly test: readonly string[]
  readonly console: readonly string[]
  readonly docs: readonly string[]
  readonly findings: readonly string[]
  readonly everywhere: readonly string[]
  /** Words behind `npm run console:tasks --`, and how many tasks are done then. */
  readonly everyday: readonly string[]
  readonly everydayTasks: number
  readonly flows: number
  readonly looks: number
  readonly entries: number
  /** Cases of each other kind of tampering. */
  readonly others: number
  /** Rows that somebody changes in a store that stands still, on either database. */
  readonly atRest: Readonly<Record<'sqlite' | 'postgres', number>>
  /** Lawless ledgers, and honest decisions beside them, of these scenarios and storms too. */
  readonly forgeries: number
  readonly honest: number
  readonly scenarios: number
  readonly storms: number
  readonly kills: number
  readonly failpoints: readonly string[]
  readonly chains: number
  /** Runs of a hijacked model. */
  readonly models: number
  /** Tricks of MCP servers and clients. */
  readonly tricks: number
  readonly cases: number
  /** Events that several agents answer. */
  readonly answered: number
  readonly seeds: number
  /** Batches of deltas of several authors, and as many mistakes. */
  readonly batches: number
  /** Files that are edited, files that are merged, and pairs of versions. */
  readonly edited: number
  readonly merged: number
  readonly pairs: number
  /** Symbols among which one is found, and events of a history. */
  readonly symbols: number
  readonly events: number
  readonly rounds: number
  /** Of the ledgers on which a decision is measured. */
  readonly ledgers: readonly [number, ...number[]]
  /** Of the ledger that is verified. */
  readonly verified: number
  /** Proven intents that a third party verifies. */
  readonly proofs: number
  readonly executions: number
  readonly seconds: number
  readonly perSecond: number
  readonly ears: number
}

export const FULL: Sizes = {
  test: ['--full'],
  console: [],
  docs: [],
  findings: [],
  everywhere: [],
  everyday: [],
  everydayTasks: 12,
  flows: 100_000,
  looks: 700,
  entries: 10_000,
  others: 200,
  atRest: { sqlite: 400, postgres: 100 },
  forgeries: 500,
  honest: 10_000,
  scenarios: SCENARIOS.length,
  storms: 200,
  kills: 200,
  failpoints: FAILPOINTS,
  chains: 10_000,
  models: 500,
  tricks: 1_000,
  cases: 200_000,
  answered: 200,
  seeds: 10_000,
  batches: 1_000,
  edited: 10_000,
  merged: 400,
  pairs: 100,
  symbols: 1_000_000,
  events: 10_000,
  rounds: 7,
  ledgers: [1_000, 100_000, 1_000_000],
  verified: 1_000_000,
  proofs: 1_000,
  executions: 1_000_000,
  seconds: 60,
  perSecond: 1_000,
  ears: 64,
}

/** For whoever wants to see that every command runs and is read: nothing is proven by it. */
export const TINY: Sizes = {
  test: ['proof-judge'],
  console: ['--only', 'inbox', '--no-pictures'],
  docs: ['getting-started'],
  findings: ['23'],
  everywhere: ['--only', 'kill-switch', '--store', 'memory', '--store', 'sqlite'],
  everyday: ['--only', 'burning-budget'],
  everydayTasks: 1,
  flows: 300,
  looks: 4,
  entries: 10,
  others: 1,
  atRest: { sqlite: 2, postgres: 2 },
  forgeries: 25,
  honest: 10,
  scenarios: 1,
  storms: 1,
  kills: 2,
  failpoints: [],
  chains: 20,
  models: 5,
  tricks: 4,
  cases: 40,
  answered: 2,
  seeds: 4,
  batches: 13,
  edited: 2,
  merged: 4,
  pairs: 0,
  symbols: 2_000,
  events: 40,
  rounds: 1,
  ledgers: [1_000, 2_000],
  verified: 300,
  proofs: 5,
  executions: 2_000,
  seconds: 2,
  perSecond: 50,
  ears: 4,
}
