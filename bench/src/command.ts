/** `rubicon bench …`. */
import type { Command } from 'commander'
import { benchBeside } from './beside.ts'
import { benchContext } from './context.ts'
import { benchDecide } from './decide.ts'
import { benchFull } from './full.ts'
import { benchMonitors } from './monitors.ts'

type DecideFlags = {
  readonly rounds: number
  readonly sizes: string
  readonly profile: string
  readonly peers?: boolean
}

const PROFILES = ['foundation', 'full']

export function benchCommand(program: Command): void {
  const bench = program.command('bench').description('figures, each beside its floor')
  const decide = bench.command('decide').description('what one decision costs, durable and proven')
  decide
    .option('--rounds <n>', 'rounds of ours against the floor', Number, 7)
    .option('--sizes <list>', 'ledger sizes', '1000,100000,1000000')
    .option('--profile <name>', PROFILES.join(' or '), profile, 'foundation')
    .option('--peers', 'the same on other systems, with Postgres beneath ours')
    .option('--json', 'machine-readable output on stdout')
    .action(async (flags: DecideFlags) => print(decide, await decideBench(flags)))

  const context = bench.command('context').description('what compiling a context costs')
  context
    .option('--json', 'machine-readable output on stdout')
    .action(async () => print(context, await benchContext()))

  const monitors = bench.command('monitors').description('what a sweep over a long history costs')
  monitors
    .option('--executions <n>', 'how long the history is', Number, 1_000_000)
    .option('--json', 'machine-readable output on stdout')
    .action(async ({ executions }: { readonly executions: number }) =>
      print(monitors, await benchMonitors({ executions, note })),
    )
}

function decideBench({ rounds, sizes, profile: name, peers }: DecideFlags): Promise<object> {
  if (peers === true) return benchBeside({ note })
  if (name === 'full') return benchFull({ rounds, note })
  return benchDecide({ rounds, sizes: sizes.split(',').map(Number), note })
}

function profile(text: string): string {
  if (PROFILES.includes(text)) return text
  const refused = new Error(`\`${text}\` is neither ${PROFILES.join(' nor ')}`)
  // The parser of options takes this for a mistake of the caller, not for a bug.
  throw Object.assign(refused, { code: 'commander.invalidArgument' })
}

function note(text: string): void {
  process.stderr.write(`› ${text}\n`)
}

function print(command: Command, report: object): void {
  const { json } = command.optsWithGlobals() as { json?: boolean }
  console.log(json === true ? JSON.stringify(report) : JSON.stringify(report, null, 2))
}
