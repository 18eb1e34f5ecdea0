/**
 * Reads the outside for a decision, and before the first source is asked how often effects on the resources of the
 * decision were settled. Decisions that ask no source, or need no resource, read nothing more.
 */
import {
  type CapabilityLaw,
  createFactView,
  type DeployedContract,
  type FactView,
  type JsonObject,
  LIMITS,
  listManifestResources,
  type PolicyProposal,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { ObservationBasis } from '../context/observed-state.ts'
import { type Outside, readOutside } from '../context/read-outside.ts'
import type { Context } from '../engine-context.ts'
import { type ReleaseCounts, readReleases, toReleaseCounter } from '../rows/release-counts.ts'

export type GuardedOutside = Outside & {
  /** As they stood before a source was asked; null: none was. */
  readonly releases: ReleaseCounts | null
}

/** A capability may need facts to say what it needs: then they are read, and with that known once more. */
const LOOKS = 3

export async function readGuarded(
  context: Context,
  flow: FlowRow,
  law: CapabilityLaw | undefined,
  deployed: DeployedContract | undefined,
  proposal: Pick<PolicyProposal, 'policy_kind' | 'params' | 'grounds'>,
  by: ObservationBasis,
): Promise<GuardedOutside> {
  const { store, sha256 } = context
  let resources = law === undefined ? [] : listForeseenResources(context, law, proposal, by.now)
  for (let look = 1; ; look++) {
    const read: { counts: ReleaseCounts | null } = { counts: null }
    const outside = await readOutside(context, flow, law, deployed, proposal, by, async () => {
      read.counts = await readReleases(store, resources, sha256)
    })
    const { counts } = read
    if (counts === null || law === undefined || look === LOOKS)
      return { ...outside, releases: counts }
    const contract = deployed?.contract ?? null
    const view = createFactView({ ...outside, now: by.now }, { law, contract })
    const needed = tryResources(law, proposal.params, view)
    if (needed.every((id) => counts.has(toReleaseCounter(id, sha256))))
      return { ...outside, releases: counts }
    resources = needed
  }
}

/** As far as parameters alone say it. */
function listForeseenResources(
  { book }: Context,
  law: CapabilityLaw,
  { policy_kind, params }: Pick<PolicyProposal, 'policy_kind' | 'params'>,
  now: string,
): readonly string[] {
  const manifest = book.capability(policy_kind)?.hands.manifest
  if (manifest !== undefined) return listManifestResources(manifest, params)
  return tryResources(law, params, { now, state: () => undefined, world: () => undefined })
}

/** Nothing is validated yet, and the code is other people's: what is no list of needs, compile refuses. */
function tryResources(law: CapabilityLaw, params: JsonObject, view: FactView): readonly string[] {
  try {
    const needs = law.resources(params, view).slice(0, LIMITS.resourcesPerProposal)
    return needs.flatMap(({ id }) => (typeof id === 'string' && id.isWellFormed() ? [id] : []))
  } catch {
    return []
  }
}
