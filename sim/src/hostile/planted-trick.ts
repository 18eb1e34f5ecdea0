/** One trick against a runtime with its mistake; prints what it achieved, or nothing. */
import { TRICKS } from './all-tricks.ts'
import { runHostileSeed } from './run.ts'

const SEEDS = 3
const [name] = process.argv.slice(2)
const trick = TRICKS.find((one) => one.name === name)
if (trick === undefined) throw new Error(`there is no trick \`${name}\``)
for (let seed = 1; seed <= SEEDS; seed++) {
  const [attempt] = await runHostileSeed({ seed, tricks: [trick] })
  const found = attempt?.breaches.find(({ goal }) => goal === trick.goal)
  if (found === undefined) continue
  process.stdout.write(`${found.goal}: ${found.detail}`)
  break
}
process.exit(0)
