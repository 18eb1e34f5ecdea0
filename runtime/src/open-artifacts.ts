/** Artifacts of a runtime: loaded by who has some, since parsers come with them. */
import { join } from 'node:path'
import type { OpenedArtifacts } from './artifacts/open-workshop.ts'
import { BLOBS, type RuntimeArtifacts } from './artifacts/options.ts'
import type { Store } from './ports/store.ts'
import type { RuntimeOptions } from './runtime.ts'

const NONE: OpenedArtifacts = { capabilities: [], close: async () => {} }

/** A store that was opened for it is closed when it cannot be meant. */
export async function openRuntimeArtifacts(
  { artifacts }: Pick<RuntimeOptions, 'artifacts'>,
  store: Store,
  folder: string,
): Promise<OpenedArtifacts> {
  if (artifacts === undefined) return NONE
  try {
    const { openArtifacts } = await import('./artifacts/open-workshop.ts')
    return openArtifacts(artifacts, folder, (trajectory, refs) =>
      store.readResources(trajectory, refs),
    )
  } catch (error) {
    await store.close()
    throw error
  }
}

/** `folder`: the state directory. Null: there are no artifacts. */
export function findBlobs(
  { artifacts }: Pick<RuntimeOptions, 'artifacts'>,
  folder: string,
): NonNullable<RuntimeArtifacts['blobs']> | null {
  return artifacts === undefined ? null : (artifacts.blobs ?? join(folder, BLOBS))
}
