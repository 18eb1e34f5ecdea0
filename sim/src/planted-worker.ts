/** Runs seeds on an engine with a planted bug until one violation is found. */
import { runSeeds } from './run-seeds.ts'

const count = Number(process.argv[2] ?? 1000)
const seeds = Array.from({ length: count }, (_, index) => index + 1)
const result = await runSeeds({ seeds, stopAtFirst: true })
const violation = result.violations[0] ?? null
process.stdout.write(JSON.stringify({ seeds: result.seeds, violation }))
process.exit(0)
