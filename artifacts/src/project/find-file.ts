/** Which artifact a place means, as TypeScript and bundlers find it: with an ending, with another one, or as a folder. */
import { toPlaceIn } from './place.ts'

type Has = (name: string) => boolean

/** In the order in which they are tried: a source comes before what is made of it. */
const ENDINGS = [
  ...['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.d.mts', '.d.cts'],
  ...['.js', '.jsx', '.mjs', '.cjs', '.json'],
]

/** What is written for the file that will be there, and what it is made of. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

export function findFile(place: string, has: Has): string | null {
  return findNamed(place, has) ?? findNamed(toPlaceIn(place, 'index'), has)
}

function findNamed(place: string, has: Has): string | null {
  const dot = place.lastIndexOf('.')
  const sources = dot < 0 ? undefined : SOURCES[place.slice(dot)]
  const stem = place.slice(0, Math.max(0, dot))
  const candidates = [
    ...(sources ?? []).map((ending) => stem + ending),
    place,
    ...ENDINGS.map((ending) => place + ending),
  ]
  return candidates.find(has) ?? null
}
