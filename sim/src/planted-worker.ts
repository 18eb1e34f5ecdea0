/** Runs seeds on an engine with a planted bug, from one on and around, until a violation is found. */
import { runSeeds } from './run-seeds.ts'

const [count = 1000, first = 1] = process.argv.slice(2).map(Number)
const seeds = Array.from({ length: count }, (_, index) => ((index + first - 1) % count) + 1)
const result = await runSeeds({ seeds, stopAtFirst: true })
const violation = result.violations[0] ?? null
process.stdout.write(JSON.stringify({ seeds: result.seeds, violation }))
process.exit(0)
