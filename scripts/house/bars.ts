/** The bars that the structure of the repository has to meet, and the figures that are held against them. */
import type { House } from './measure.ts'

const MOST_LOOSE = 6
const MOST_WITHOUT_VERB = 0.02

export type HouseSummary = {
  readonly circles: { readonly value: number; readonly type_across_rooms: number }
  readonly loose: Readonly<Record<string, number>>
  readonly files: number
  readonly median: number
  readonly p90: number
  readonly functions: number
  readonly names_without_verb: number
  readonly share_without_verb: number
  readonly duplicate_type_names: number
  readonly casts: number
  readonly missed: readonly string[]
  readonly ok: boolean
}

export function summariseHouse(house: House): HouseSummary {
  const { circles, loose, files, median, p90, functions } = house
  const counts = Object.entries(loose).map(([hall, paths]) => [hall, paths.length] as const)
  const without = house.names_without_verb.length
  const missed = listMissedBars(house)
  return {
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
    missed,
    ok: missed.length === 0,
  }
}

/** Nothing measured meets no bar: a list of sources that came back empty is not a good house. */
function listMissedBars(house: House): readonly string[] {
  const { circles, loose, functions, names_without_verb, duplicate_type_names, casts } = house
  const crowded = Object.entries(loose).filter(([, paths]) => paths.length > MOST_LOOSE)
  const isSmall = names_without_verb.length < functions * MOST_WITHOUT_VERB
  return [
    ...(circles.value.length > 0 ? ['circles of values'] : []),
    ...(circles.type_across_rooms.length > 0 ? ['circles of types across folders'] : []),
    ...crowded.map(([hall]) => `loose files in ${hall}`),
    ...(isSmall ? [] : ['names without a verb']),
    ...(duplicate_type_names.length > 0 ? ['type names used twice'] : []),
    ...(casts.length > 0 ? ['double casts'] : []),
  ]
}
