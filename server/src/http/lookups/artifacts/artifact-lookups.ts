/** Artifacts of a trajectory at any of its entries: World says which there are, and what they hold lies in blobs by its hash. */
import { SlowReads } from '../../turns/slow-reads.ts'
import type { Lookup, LookupParts, LookupTable } from '../lookup.ts'
import type { PastWorlds } from '../past-worlds.ts'
import { ArtifactTexts } from './artifact-texts.ts'
import { listArtifacts, listChanges, listPlans } from './fact-lookups.ts'
import { compareMoments, listSymbols, showText } from './text-lookups.ts'

type ArtifactLookup =
  | 'listWorldArtifacts'
  | 'listArtifactSymbols'
  | 'getArtifactText'
  | 'listArtifactChanges'
  | 'compareArtifact'
  | 'listArtifactPlans'

export function createArtifactLookups(
  { store, clock, artifacts }: Omit<LookupParts, 'sha256'>,
  { moments, slices }: Pick<PastWorlds, 'moments' | 'slices'>,
): Pick<LookupTable, ArtifactLookup> {
  const parts = { store, clock, moments, texts: new ArtifactTexts(artifacts) }
  // A desk may take its time over a text: whoever waits for one keeps nobody from the past of World.
  const past = new SlowReads(clock, slices)
  const ask =
    (answer: (...given: Parameters<typeof listArtifacts>) => ReturnType<Lookup>): Lookup =>
    (question) =>
      past.ask(question, (pause) => answer(parts, question, pause))
  return {
    listWorldArtifacts: ask(listArtifacts),
    listArtifactSymbols: ask(listSymbols),
    getArtifactText: ask(showText),
    listArtifactChanges: ask(listChanges),
    compareArtifact: ask(compareMoments),
    listArtifactPlans: ask(listPlans),
  }
}
