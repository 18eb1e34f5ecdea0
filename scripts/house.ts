/**
 * How the house stands: circles of imports, files outside rooms, names that do not say what is done.
 *
 *   node scripts/house.ts                 the figures, and which bars they miss
 *   node scripts/house.ts --list names    every place behind a figure: circles, loose, names, types, casts
 *   node scripts/house.ts --json          {"circles": {...}, "loose": {...}, ..., "ok": false}
 *
 * The bars: no circle of values anywhere, none of types across folders, at most 6 loose files in a hall, under
 * 2 % of the functions without a verb, no exported type's name twice in a workspace, no double cast.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type House, measureHouse, type Sources } from './house/measure.ts'
import { ROOT } from './shell.ts'

const MOST_LOOSE = 6
const MOST_WITHOUT_VERB = 0.02
const LISTS = ['circles', 'loose', 'names', 'types', 'casts'] as const

/** Every source file that git knows and that is not a test. */
function readSources(): Sources {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT, encoding: 'utf8' })
  const paths = listed
    .trim()
    .split('\n')
    .filter((path) => !/\.test(-support)?\.tsx?$|\.d\.ts$/.test(path))
    .filter((path) => existsSync(join(ROOT, path)))
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

function summarise(house: House) {
  const { circles, loose, files, median, p90, functions } = house
  const counts = Object.entries(loose).map(([hall, paths]) => [hall, paths.length] as const)
  const without = house.names_without_verb.length
  const figures = {
    circles: { value: circles.value.length, type_across_rooms: circles.type_across_rooms.length },
    loose: Object.fromEntries(counts),
    files,
    median,
    p90,
    functions,
    names_without_verb: without,
    share_without_verb: Number((without / functions).toFixed(4)),
    duplicate_type_names: house.duplicate_type_names.length,
    casts: house.casts.length,
  }
  const missed = [
    ...(figures.circles.value > 0 ? ['circles of values'] : []),
    ...(figures.circles.type_across_rooms > 0 ? ['circles of types across folders'] : []),
    ...counts.filter(([, count]) => count > MOST_LOOSE).map(([hall]) => `loose files in ${hall}`),
    ...(without / functions >= MOST_WITHOUT_VERB ? ['names without a verb'] : []),
    ...(figures.duplicate_type_names > 0 ? ['type names used twice'] : []),
    ...(figures.casts > 0 ? ['double casts'] : []),
  ]
  return { ...figures, missed, ok: missed.length === 0 }
}

function listPlaces(house: House, list: (typeof LISTS)[number]): readonly string[] {
  if (list === 'names') return house.names_without_verb
  if (list === 'types') return house.duplicate_type_names
  if (list === 'casts') return house.casts
  if (list === 'loose') return Object.values(house.loose).flat()
  const { value, type_across_rooms } = house.circles
  return [
    ...value.map((files) => `values, ${files.length} files: ${files.join(' ')}`),
    ...type_across_rooms.map((files) => `types, ${files.length} files: ${files.join(' ')}`),
  ]
}

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, list: { type: 'string' } },
})
const house = measureHouse(readSources())
const list = LISTS.find((name) => name === values.list)
if (values.list !== undefined && list === undefined) {
  console.error(`--list takes one of ${LISTS.join(', ')}`)
  process.exit(2)
}
const summary = summarise(house)
if (list !== undefined) console.log(listPlaces(house, list).join('\n'))
else if (values.json) console.log(JSON.stringify(summary))
else {
  for (const [name, value] of Object.entries(summary)) console.log(name, JSON.stringify(value))
}
process.exitCode = summary.ok || list !== undefined ? 0 : 1
