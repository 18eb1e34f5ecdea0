/**
 * `npm run scenarios:everywhere`: every scenario in memory, on SQLite and on Postgres, and over HTTP. Equal are the lines that it
 * prints and the hash of what it left behind; exits with 1 where something differs or is not as expected.
 *
 * `--only NAME` and `--store NAME` choose, each as often as wanted; `--no-http` leaves the wire out; `--json` prints one object.
 */
import {
  type PlayedEverywhere,
  type PlayedRun,
  playEverywhere,
  STAGE_STORES,
} from '../scenarios/src/everywhere.ts'
import { openPlaces } from '../scenarios/src/everywhere-places.ts'
import { SCENARIOS } from '../scenarios/src/index.ts'
import { parseEverywhereOptions } from './everywhere-options.ts'
import { say } from './shell.ts'

const DIFFERS = 1
const COULD_NOT_RUN = 2

async function run(): Promise<number> {
  const asked = parseEverywhereOptions(process.argv.slice(2), {
    scenarios: SCENARIOS.map(({ name }) => name),
    stores: STAGE_STORES,
  })
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n`)
    return COULD_NOT_RUN
  }
  const { json, http, only } = asked
  const tell = json ? (line: string) => void process.stderr.write(`${line}\n`) : say
  const wanted = SCENARIOS.filter(({ name }) => only.length === 0 || only.includes(name))
  const stores = STAGE_STORES.filter((store) => asked.stores.includes(store))
  const places = openPlaces()
  const started = performance.now()
  const scenarios: PlayedEverywhere[] = []
  try {
    for (const [index, listed] of wanted.entries()) {
      tell(`[${index + 1} of ${wanted.length}] ${listed.name}`)
      const since = performance.now()
      const played = await playEverywhere(listed, places, { stores, http }, (where, one) =>
        tell(`  ${formatRun(where, one)}`),
      )
      scenarios.push(played)
      for (const line of listDifferences(played)) tell(`  ${line}`)
      const took = ((performance.now() - since) / 1000).toFixed(1)
      tell(`  ${played.equal ? 'equal' : 'NOT EQUAL, OR NOT AS EXPECTED'} (${took} s)`)
    }
  } finally {
    await places.close()
  }
  const equal = scenarios.length > 0 && scenarios.every((played) => played.equal)
  const seconds = Math.round((performance.now() - started) / 1000)
  const good = scenarios.filter((played) => played.equal).length
  tell(`${good} of ${scenarios.length} scenarios equal and as expected, in ${seconds} s`)
  if (json) say(JSON.stringify({ scenarios, equal, seconds }))
  return equal ? 0 : DIFFERS
}

function formatRun(where: string, { verdicts, world, expected, error }: PlayedRun): string {
  if (error !== undefined) return `${where.padEnd(8)}  broke: ${error}`
  const outcome = expected ? 'as expected' : 'NOT as expected'
  return `${where.padEnd(8)}  ${verdicts.length} lines, ${world.slice(0, 17)}…, ${outcome}`
}

/** Lines of one run that the first has not, in either direction. */
function listDifferences({ stores, http, equal }: PlayedEverywhere): readonly string[] {
  if (equal) return []
  const named = Object.entries(http === undefined ? stores : { ...stores, http })
  const [first, ...others] = named
  if (first === undefined) return []
  const [name, one] = first
  return others.flatMap(([where, other]) => [
    ...one.verdicts.filter((line) => !other.verdicts.includes(line)).map((l) => `${name}: ${l}`),
    ...other.verdicts.filter((line) => !one.verdicts.includes(line)).map((l) => `${where}: ${l}`),
  ])
}

// A run that hangs must not keep the process.
process.exit(await run())
