/** Runs seeds on an engine with a planted bug, until a violation is found. */
import { listHuntSeeds } from './hunt-seeds.ts'
import { runSeeds } from './run-seeds.ts'

const [count = 1000, first = null] = process.argv.slice(2).map(Number)
const seeds = listHuntSeeds(count, first)
const result = await runSeeds({ seeds, stopAtFirst: true })
const violation = result.violations[0] ?? null
process.stdout.write(JSON.stringify({ seeds: result.seeds, violation }))
process.exit(0)
