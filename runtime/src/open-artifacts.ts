/** Artifacts of a runtime: loaded by who has some, since parsers come with them. */
import { join } from 'node:path'
import type { OpenedArtifacts } from './artifacts/open-workshop.ts'
import { BLOBS, type RuntimeArtifacts } from './artifacts/options.ts'
import { loadIntentScope } from './engine/authority/intent-scope.ts'
import type { Engine } from './engine/engine.ts'
import type { Store } from './ports/store.ts'
import type { RuntimeOptions } from './runtime.ts'

const NONE: OpenedArtifacts = { capabilities: [], close: async () => {} }

/** A store that was opened for it is closed when it cannot be meant. Its kinds are asked for nothing before the engine runs. */
export async function openRuntimeArtifacts(
  { artifacts }: Pick<RuntimeOptions, 'artifacts'>,
  store: Store,
  folder: string,
  startEngine: () => Promise<Engine>,
): Promise<OpenedArtifacts> {
  if (artifacts === undefined) return NONE
  try {
    const { openArtifacts } = await import('./artifacts/open-workshop.ts')
    return openArtifacts(artifacts, folder, {
      readWorld: (trajectory, refs) => store.readResources(trajectory, refs),
      loadScope: async (intent) => loadIntentScope((await startEngine()).context, intent),
    })
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
