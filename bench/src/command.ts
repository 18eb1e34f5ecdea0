/** `rubicon bench …`. */
import type { Command } from 'commander'
import { DEFAULT_STORE } from '../../runtime/src/compose.ts'
import { createProgress, type ProgressOf } from '../../server/src/cli/progress.ts'
import { type ApiOptions, runApiBench } from './api.ts'
import { type ArtifactsBenchOptions, runArtifactsBench } from './artifacts/artifacts-bench.ts'
import { runContextBench } from './context.ts'
import { runDecideBench } from './decide.ts'
import { type FillOptions, runFillBench } from './fill.ts'
import { runFullBench } from './full.ts'
import { type HoldOptions, runHoldBench } from './hold.ts'
import { HOLD_PARTS } from './hold-parts.ts'
import { runLedgerBench } from './ledger.ts'
import { runListsBench } from './lists.ts'
import { runMcpBench } from './mcp.ts'
import { type MergeBenchOptions, runMergeBench } from './merge/merge-bench.ts'
import { runMeshBench } from './mesh.ts'
import { runMonitorsBench } from './monitors.ts'
import { reportPeers } from './peers-report.ts'
import { runScrubBench, type ScrubOptions } from './scrub.ts'
import type { BenchPlace } from './served.ts'
import { runStreamBench, type StreamOptions } from './stream.ts'
import { measureAtoms } from './stream-atoms.ts'
import { type IndexOptions, runIndexBench } from './symbol-index.ts'
import { runToolsBench } from './tools.ts'
import { runVerifyBench, type VerifyBench } from './verify.ts'

type DecideFlags = {
  readonly rounds: number
  readonly sizes: string
  readonly profile: string
  readonly peers?: boolean
  readonly seconds: number
}

const PROFILES = ['foundation', 'full']

export function benchCommand(program: Command): void {
  const bench = program.command('bench').description('figures, each beside its floor')
  const decide = bench.command('decide').description('what one decision costs, durable and proven')
  decide
    .option('--rounds <n>', 'rounds of ours against the floor', Number, 7)
    .option('--sizes <list>', 'ledger sizes', '1000,100000,1000000')
    .option('--profile <name>', PROFILES.join(' or '), parseProfile, 'foundation')
    .option('--peers', 'the same on other systems, and ours on Postgres and SQLite')
    .option('--seconds <n>', 'with --peers: for how long each is measured', Number, 3)
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: DecideFlags) =>
      print(decide, await decideBench(flags, createTelling(decide))),
    )

  const context = bench.command('context').description('what compiling a context costs')
  context
    .option('--json', 'machine-readable output on stdout')
    .action(async () => print(context, await runContextBench()))

  const tools = bench.command('tools').description('what expressions and manifests of tools cost')
  tools
    .option('--json', 'machine-readable output on stdout')
    .action(() => print(tools, runToolsBench()))

  const fill = bench.command('fill').description('fill a store with flows, made by the engine')
  fill
    .option('--flows <n>', 'how many', Number, 10_000)
    .option('--store <address>', 'where to', DEFAULT_STORE)
    .option('--state <folder>', 'where keys and checkpoints are')
    .option('--seed <n>', 'from which the mix is drawn', Number, 1)
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: Omit<FillOptions, keyof Telling>) =>
      print(fill, await runFillBench({ ...flags, ...createTelling(fill) })),
    )

  const lists = bench.command('lists').description('how long each list takes on a filled store')
  lists
    .option('--store <address>', 'a store that `bench fill` made', DEFAULT_STORE)
    .option('--state <folder>', 'where keys and checkpoints are')
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: BenchPlace) =>
      print(lists, await runListsBench({ ...flags, ...createTelling(lists) })),
    )

  const api = bench.command('api').description('the server under load, with clients that listen')
  api
    .option('--seconds <n>', 'for how long', Number, 60)
    .option('--per-second <n>', 'requests', Number, 1_000)
    .option('--ears <n>', 'clients that listen', Number, 64)
    .option('--store <address>', 'a store that `bench fill` made')
    .option('--flows <n>', 'flows of the store that is made, if none is given', Number, 2_000)
    .option('--state <folder>', 'where keys and checkpoints are')
    .option('--seed <n>', 'from which the requests are drawn', Number, 1)
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: Omit<ApiOptions, keyof Telling>) =>
      print(api, await runApiBench({ ...flags, ...createTelling(api) })),
    )

  addMonitorsCommand(bench)
  addScrubCommand(bench)
  addIndexCommand(bench)
  addMeshCommand(bench)
  addMergeCommand(bench)
  addArtifactsCommand(bench)
  verifyCommand(bench)
  holdCommand(bench)
  addMcpCommand(bench)
  addStreamCommand(bench)
  addLedgerCommand(bench)
}

function addStreamCommand(bench: Command): void {
  const stream = bench
    .command('stream')
    .description(
      'whether a model held to a grammar stays inside, what a mask costs, and a decision under an atom',
    )
  stream
    .option('--generations <n>', 'proposals that are written', Number, 1_000)
    .option('--vocabulary <n>', 'tokens that the model has', Number, 100_000)
    .option('--seed <n>', 'from which its tokens are drawn', Number, 1)
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: Omit<StreamOptions, keyof Telling>) =>
      print(stream, {
        ...(await runStreamBench({ ...flags, ...createTelling(stream) })),
        ...(await measureAtoms({ seed: flags.seed, ...createTelling(stream) })),
      }),
    )
}

function addMcpCommand(bench: Command): void {
  const mcp = bench
    .command('mcp')
    .description('what the gateway adds to a call of a tool, beside a proxy and an act')
  mcp
    .option('--rounds <n>', 'rounds of all four ways', Number, 300)
    .option('--json', 'machine-readable output on stdout')
    .action(async ({ rounds }: { readonly rounds: number }) =>
      print(mcp, await runMcpBench({ rounds, ...createTelling(mcp) })),
    )
}

function addLedgerCommand(bench: Command): void {
  const ledger = bench
    .command('ledger')
    .description('how fast proofs are checked, and that a third party verifies them offline')
  ledger
    .option('--proofs <n>', 'how many', Number, 1_000)
    .option('--json', 'machine-readable output on stdout')
    .action(async ({ proofs }: { readonly proofs: number }) =>
      print(ledger, await runLedgerBench({ proofs, ...createTelling(ledger) })),
    )
}

function verifyCommand(bench: Command): void {
  const verify = bench
    .command('verify')
    .description('how fast, and in how much memory, a ledger is verified')
  verify
    .option('--entries <n>', 'how long the ledger is', Number, 30_000)
    .option('--folder <path>', 'where ledgers are made and kept; one that is there is used')
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: Omit<VerifyBench, keyof Telling>) =>
      print(verify, await runVerifyBench({ ...flags, ...createTelling(verify) })),
    )
}

function holdCommand(bench: Command): void {
  const hold = bench
    .command('hold')
    .description(
      'the server while others try to keep it busy: who still gets through, and how soon',
    )
  hold
    .option('--seconds <n>', 'for how long', Number, 20)
    .option(
      '--with-readers',
      'with auditors who leave answers unread, try what is large, and take bundles',
    )
    .option('--only <part...>', `some of it: ${HOLD_PARTS.join(', ')}`)
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: Omit<HoldOptions, keyof Telling>) =>
      print(hold, await runHoldBench({ ...flags, ...createTelling(hold) })),
    )
}

function decideBench(
  { rounds, sizes, profile: name, peers, seconds }: DecideFlags,
  { note, progressOf }: Telling,
): Promise<object> {
  if (peers === true) return reportPeers({ note, seconds })
  if (name === 'full') return runFullBench({ rounds, progressOf })
  return runDecideBench({ rounds, sizes: sizes.split(',').map(Number), note, progressOf })
}

function parseProfile(text: string): string {
  if (PROFILES.includes(text)) return text
  const refused = new Error(`\`${text}\` is neither ${PROFILES.join(' nor ')}`)
  // The parser of options takes this for a mistake of the caller, not for a bug.
  throw Object.assign(refused, { code: 'commander.invalidArgument' })
}

/** What is being done, and how far it is, on stderr. */
type Telling = { readonly note: (text: string) => void; readonly progressOf: ProgressOf }

/** `isLong`: how far it is is told also beside `--json`, which goes to stdout. */
function createTelling(command: Command, isLong = false): Telling {
  const { json, quiet } = command.optsWithGlobals() as { json?: boolean; quiet?: boolean }
  const writeNote = (text: string): void => void process.stderr.write(`› ${text}\n`)
  const stream = process.stderr
  return {
    note: quiet === true ? () => {} : writeNote,
    progressOf: createProgress({ stream, quiet: (json === true && !isLong) || quiet === true }),
  }
}

function print(command: Command, report: object): void {
  const { json } = command.optsWithGlobals() as { json?: boolean }
  console.log(json === true ? JSON.stringify(report) : JSON.stringify(report, null, 2))
}

function addIndexCommand(bench: Command): void {
  const index = bench
    .command('index')
    .description('how long it takes to find symbols among a million, and what they take in memory')
  index
    .option('--symbols <n>', 'how many', Number, 1_000_000)
    .option('--artifacts <n>', 'in how many artifacts', Number, 10_000)
    .option('--seed <n>', 'from which names are drawn', Number, 1)
    .option('--json', 'machine-readable output on stdout')
    .action((flags: IndexOptions) => print(index, runIndexBench(flags)))
}

function addMeshCommand(bench: Command): void {
  const mesh = bench
    .command('mesh')
    .description('how long it takes from an observation to the decision of the agent that it wakes')
  mesh
    .option('--per-second <n>', 'observations a second', Number, 1_000)
    .option('--seconds <n>', 'for how long', Number, 20)
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: { readonly perSecond: number; readonly seconds: number }) =>
      print(mesh, await runMeshBench({ ...flags, ...createTelling(mesh) })),
    )
}

function addMergeCommand(bench: Command): void {
  const merge = bench
    .command('merge')
    .description('merges by symbols beside the line merge of git, on files of real packages')
  merge
    .option('--folder <path>', 'files for additions and hidden conflicts', 'node_modules')
    .option('--files <n>', 'at most so many of them', Number, 400)
    .option('--pairs <n>', 'at most so many pairs of published versions', Number, 100)
    .option('--rounds <n>', 'how often the changes of each file are dealt out', Number, 3)
    .option('--seed <n>', 'by which they are dealt out', Number, 1)
    .option('--cache <path>', 'where packages are kept')
    .option('--json', 'machine-readable output on stdout')
    .action((flags: Omit<MergeBenchOptions, keyof Telling>) =>
      print(merge, runMergeBench({ ...flags, ...createTelling(merge) })),
    )
}

function addArtifactsCommand(bench: Command): void {
  const artifacts = bench
    .command('artifacts')
    .description('structural edits on files of real packages, judged by TypeScript, beside others')
  artifacts
    .option('--files <n>', 'at most so many of each format', Number, 10_000)
    .option('--folder <path>', 'files of a folder instead of published packages')
    .option('--cache <path>', 'where packages are kept')
    .option('--seed <n>', 'from which targets are drawn', Number, 1)
    .option('--no-peers', 'without ts-morph, recast, yaml and remark')
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: Omit<ArtifactsBenchOptions, keyof Telling>) =>
      print(artifacts, await runArtifactsBench({ ...flags, ...createTelling(artifacts, true) })),
    )
}

function addMonitorsCommand(bench: Command): void {
  const monitors = bench.command('monitors').description('what a sweep over a long history costs')
  monitors
    .option('--executions <n>', 'how long the history is', Number, 1_000_000)
    .option('--json', 'machine-readable output on stdout')
    .action(async ({ executions }: { readonly executions: number }) =>
      print(monitors, await runMonitorsBench({ executions, ...createTelling(monitors) })),
    )
}

function addScrubCommand(bench: Command): void {
  const scrub = bench
    .command('scrub')
    .description('what it takes to see artifacts as they were at any event of a long history')
  scrub
    .option('--events <n>', 'how long the history is', Number, 10_000)
    .option('--files <n>', 'how many files it is about', Number, 1_000)
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: ScrubOptions) => print(scrub, await runScrubBench(flags)))
}
