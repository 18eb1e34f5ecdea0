/**
 * How the house stands: circles of imports, files outside rooms, names that do not say what is done.
 *
 *   node scripts/house.ts                 the figures, and which bars they miss
 *   node scripts/house.ts --list names    every place behind a figure: circles, loose, names, types, casts
 *   node scripts/house.ts --json          {"circles": {...}, "loose": {...}, ..., "ok": false}
 *
 * The bars: no circle of values anywhere, none of types across folders, at most 6 loose files in a hall, under
 * 2 % of the functions without a verb, no exported type's name twice in a workspace, no double cast.
 * `house.test.ts` holds them.
 */
import { parseArgs } from 'node:util'
import { summariseHouse } from './house/bars.ts'
import { type House, measureHouse } from './house/measure.ts'
import { readSources } from './house/sources.ts'

const LISTS = ['circles', 'loose', 'names', 'types', 'casts'] as const

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
const summary = summariseHouse(house)
if (list !== undefined) console.log(listPlaces(house, list).join('\n'))
else if (values.json) console.log(JSON.stringify(summary))
else {
  for (const [name, value] of Object.entries(summary)) console.log(name, JSON.stringify(value))
}
process.exitCode = summary.ok || list !== undefined ? 0 : 1
