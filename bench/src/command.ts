/** `rubicon bench …`. */
import type { Command } from 'commander'
import { benchDecide } from './decide.ts'

export function benchCommand(program: Command): void {
  const bench = program.command('bench').description('figures, each beside its floor')
  const decide = bench.command('decide').description('what one decision costs, durable and proven')
  decide
    .option('--rounds <n>', 'rounds of ours against the floor', Number, 7)
    .option('--sizes <list>', 'ledger sizes', '1000,100000,1000000')
    .option('--json', 'machine-readable output on stdout')
    .action(async ({ rounds, sizes }: { rounds: number; sizes: string }) => {
      const report = await benchDecide({
        rounds,
        sizes: sizes.split(',').map(Number),
        note: (text) => void process.stderr.write(`› ${text}\n`),
      })
      const { json } = decide.optsWithGlobals() as { json?: boolean }
      console.log(json === true ? JSON.stringify(report) : JSON.stringify(report, null, 2))
    })
}
