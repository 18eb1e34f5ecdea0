/** Artifacts of a runtime: loaded by who has some, since parsers come with them. */
import type { OpenedArtifacts } from './artifacts/open-workshop.ts'
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
