/**
 * In which order a hunt takes seeds. What some seeds have and others have not (`seed-kinds.ts`, and what `storm.ts`
 * adds) comes back after sixteen, and a mistake in it shows in no other seed. Where a seed shows nothing any
 * more, those with the same come first, and then all the others.
 */
const KINDS_EVERY = 16

/** All from one to `count`, each once, those like the `first` before the others. Null: as they come. */
export function listHuntSeeds(count: number, first: number | null): readonly number[] {
  const begin = first ?? 1
  const seeds = Array.from({ length: count }, (_, index) => ((index + begin - 1) % count) + 1)
  if (first === null) return seeds
  const isAlike = (seed: number): boolean => seed % KINDS_EVERY === first % KINDS_EVERY
  return [...seeds.filter(isAlike), ...seeds.filter((seed) => !isAlike(seed))]
}
