/** `rubicon sim …`: each proof as a command, each with `--json`. */
import type { Command } from 'commander'
import { SCENARIOS } from '../../scenarios/src/index.ts'
import { createProgress, type ShownProgress } from '../../server/src/cli/progress.ts'
import { ARTIFACTS_PROOF } from './artifacts/proof.ts'
import { runAuthorityProof } from './authority.ts'
import { runDeterminismProof } from './determinism.ts'
import { DIFFERENTIAL_PROOF } from './differential/proof.ts'
import { runForgeProof } from './forge/main.ts'
import { runHostilePlantedProof, runHostileProof } from './hostile/main.ts'
import { runInjectProof } from './inject/main.ts'
import { runKillProof } from './kill/main.ts'
import { repeatCommand, runStorm } from './main.ts'
import { MCP_PROOF } from './mcp/proof.ts'
import { runParsingProof } from './parsing.ts'
import { runPlantedProof } from './planted.ts'
import { type Proof, type ProofResult, SEED } from './proof.ts'
import { runContentionProof } from './race/contention.ts'
import { POOL, SHARE } from './race/law.ts'
import { isStoreName, STORES, type StoreName } from './race/place.ts'
import { runRevokeRaceProof } from './race/revoke-race.ts'
import { runCanaryProof } from './secrets/main.ts'
import { runStoreTamperProof } from './tamper/at-rest/main.ts'
import { runTamperProof } from './tamper/main.ts'

const FINDINGS = 4

type Given = Readonly<Record<string, number | string | boolean | undefined>>

const PROOFS: readonly Proof[] = [
  {
    name: 'tamper',
    summary: 'one byte in every entry, and worse; both verifiers',
    counts: 'entries',
    options: {
      entries: ['entries to tamper with', 1000],
      others: ['cases of each other kind', 200],
      cases: ['with --at-rest: changes to make', 400],
      seed: SEED,
    },
    flags: { 'at-rest': 'change the rows of a store that stands still, and start on it' },
    onStores: true,
    async run(options, store, progress) {
      if (options('atRest') > 0) {
        const changed = { cases: options('cases'), store, seed: options('seed'), progress }
        const report = await runStoreTamperProof(changed)
        const { missed, signed_over, false_alarms } = report
        return { report, good: missed + signed_over + false_alarms === 0 }
      }
      const report = await runTamperProof({
        entries: options('entries'),
        others: options('others'),
        seed: options('seed'),
        progress,
      })
      const { missed, wrong_place, false_alarms, resigned } = report
      const bad = missed.rubicon + missed.oracle + wrong_place + false_alarms + resigned.accepted
      return { report, good: bad === 0 }
    },
  },
  {
    name: 'forge',
    summary:
      'ledgers that break the law, signed with the runtime’s own keys; both verifiers and the law',
    counts: 'cases',
    options: {
      cases: ['ledgers to forge', 500],
      scenarios: ['scenarios in which nothing may be found', SCENARIOS.length],
      storms: ['storms in which nothing may be found', 200],
      honest: ['honest decisions that are judged in all, at least', 10_000],
      seed: SEED,
    },
    async run(options, _store, progress) {
      const report = await runForgeProof({
        cases: options('cases'),
        scenarios: options('scenarios'),
        storms: options('storms'),
        honest: options('honest'),
        seed: options('seed'),
        progress,
      })
      const { missed, honest } = report
      const bad = missed.rubicon + missed.oracle + missed.law + honest.false_alarms
      return { report, good: bad === 0 }
    },
  },
  {
    name: 'inject',
    summary: 'a hijacked model that tries everything: nothing outside of contract and writ',
    counts: 'cases',
    options: { cases: ['runs of the model', 500], seed: SEED },
    async run(options, _store, progress) {
      const [cases, seed] = [options('cases'), options('seed')]
      const report = await runInjectProof({ cases, seed, progress })
      return { report, good: report.outside + report.uncoded === 0 }
    },
  },
  MCP_PROOF,
  ARTIFACTS_PROOF,
  {
    name: 'canary',
    summary: 'one credential of every kind, a day on which most things fail: none is seen again',
    counts: 'stages',
    options: {},
    flags: { 'no-heap': 'do not search the memory of the agent, which takes some seconds' },
    async run(options, _store, progress) {
      const report = await runCanaryProof({ heap: options('heap') > 0, progress })
      return { report, good: report.leaks + report.unused.length === 0 }
    },
  },
  {
    name: 'kill',
    summary: 'SIGKILL of a real process on disk, under load',
    counts: 'kills',
    options: { kills: ['how often', 50], seed: SEED },
    async run(options, _store, progress) {
      const report = await runKillProof({
        kills: options('kills'),
        seed: options('seed'),
        progress,
      })
      return { report, good: report.lost + report.second_effects + report.unsettled === 0 }
    },
  },
  {
    name: 'authority',
    summary: 'random chains of writs: none may widen',
    counts: 'chains',
    options: { chains: ['how many', 1000], seed: SEED },
    run(options, _store, progress) {
      const report = runAuthorityProof({
        chains: options('chains'),
        seed: options('seed'),
        progress,
      })
      return { report, good: report.widened === 0 }
    },
  },
  DIFFERENTIAL_PROOF,
  {
    name: 'parsing',
    summary: 'bad input, row by row, with its code and time',
    counts: 'inputs',
    options: {},
    async run(_options, _store, progress) {
      const report = await runParsingProof({ progress })
      return { report, good: report.every(({ code, expected }) => code === expected) }
    },
  },
  {
    name: 'hostile',
    summary: 'an agent that wants what it may not have, over HTTP; none of its tricks may succeed',
    counts: 'seeds',
    options: { seeds: ['how many', 1000], from: ['the first', 1] },
    async run(options, _store, progress) {
      const report = await runHostileProof({
        seeds: options('seeds'),
        from: options('from'),
        progress,
      })
      return { report, good: report.succeeded === 0 }
    },
  },
  {
    name: 'hostile-planted',
    summary: 'each trick of the hostile agent against a runtime with the mistake it is meant for',
    counts: 'tricks',
    options: {},
    async run(_options, _store, progress) {
      const report = await runHostilePlantedProof({ progress })
      return { report, good: report.succeeded === report.tricks }
    },
  },
  {
    name: 'planted',
    summary: 'planted bugs: the storm must catch each',
    counts: 'bugs',
    options: {},
    async run(_options, _store, progress) {
      const report = await runPlantedProof({ progress })
      return { report, good: report.caught === report.bugs }
    },
  },
  {
    name: 'contention',
    summary: 'many ask at once for more than there is: exactly enough get it',
    counts: 'races',
    options: { processes: ['how many share the store', 1], requests: ['how many ask', 200] },
    onStores: true,
    async run(options, store, progress) {
      const [processes, requests] = [options('processes'), options('requests')]
      const report = await runContentionProof({ store, processes, requests, progress })
      const good = [report, report.budget].every(({ sum }) => sum === Number(POOL))
      return { report, good: good || requests * Number(SHARE) < Number(POOL) }
    },
  },
  {
    name: 'revoke-race',
    summary: 'executions race a revocation: none is dispatched after it',
    counts: 'revocations',
    options: { rounds: ['how many revocations', 5] },
    onStores: true,
    async run(options, store, progress) {
      const report = await runRevokeRaceProof({ store, rounds: options('rounds'), progress })
      return { report, good: report.dispatched_after === 0 }
    },
  },
  {
    name: 'determinism',
    summary: 'the same decisions in several processes',
    counts: 'processes',
    options: { cases: ['how many', 1000], seed: SEED },
    async run(options, _store, progress) {
      const [cases, seed] = [options('cases'), options('seed')]
      const report = await runDeterminismProof({ cases, seed, progress })
      return { report, good: report.differing === 0 }
    },
  },
]

export function simCommand(program: Command): void {
  const sim = program
    .command('sim')
    .description('the storm: seeded faults on every port, audited')
    .option('--seeds <n>', 'how many seeds', parseWholeNumber, 1000)
    .option('--seed <n>', 'only this one', parseWholeNumber)
    .option('--from <n>', 'the first of many', parseWholeNumber)
    .option('--json', 'machine-readable output on stdout')
    .option('--quiet', 'do not tell how far long work is')
    .action(async (options: { seeds: number; seed?: number; from?: number }) => {
      const shown = createShownProgress(sim, 'seeds')
      const report = await runStorm({ ...options, progress: shown.tell })
      shown.end()
      for (const violation of report.violations)
        process.stderr.write(`✖ ${violation.invariant}: ${repeatCommand(violation)}\n`)
      print(sim, { report, good: report.violations.length === 0 })
    })
  for (const proof of PROOFS) addProof(sim, proof)
}

function addProof(sim: Command, proof: Proof): void {
  const { name, summary, counts, options, flags = {}, onStores, run } = proof
  const command = sim.command(name).description(summary)
  for (const [option, [text, standard]] of Object.entries(options))
    command.option(`--${option} <n>`, text, parseWholeNumber, standard)
  for (const [flag, text] of Object.entries(flags)) command.option(`--${flag}`, text)
  if (onStores === true)
    command.option('--store <name>', STORES.join(', '), storeName, 'sqlite' as const)
  command.action(async () => {
    // `sim` has --seed and --seeds of its own, which win when they stand before the name of the proof.
    const before = Object.entries(sim.opts()).filter(
      ([option]) => sim.getOptionValueSource(option) === 'cli',
    )
    const given: Given = { ...command.opts(), ...Object.fromEntries(before) }
    const { store = 'sqlite' } = command.opts() as { store?: StoreName }
    const shown = createShownProgress(command, counts)
    const done = await run((option) => Number(given[option] ?? 0), store, shown.tell)
    shown.end()
    print(command, done)
  })
}

/** Exits with 4 when there are findings. */
function print(command: Command, { report, good }: ProofResult): void {
  const { json } = command.optsWithGlobals() as { json?: boolean }
  console.log(json === true ? JSON.stringify(report) : JSON.stringify(report, null, 2))
  if (!good) process.exitCode = FINDINGS
}

function parseWholeNumber(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  const refused = new Error(`\`${text}\` is not a whole number`)
  // The parser of options takes this for a mistake of the caller, not for a bug.
  throw Object.assign(refused, { code: 'commander.invalidArgument' })
}

function storeName(text: string): StoreName {
  if (isStoreName(text)) return text
  const refused = new Error(`\`${text}\` is none of ${STORES.join(', ')}`)
  throw Object.assign(refused, { code: 'commander.invalidArgument' })
}

/** On stderr, where nobody asked for data alone. */
function createShownProgress(command: Command, what: string): ShownProgress {
  const { json, quiet } = command.optsWithGlobals() as { json?: boolean; quiet?: boolean }
  return createProgress({ stream: process.stderr, quiet: json === true || quiet === true })(what)
}
