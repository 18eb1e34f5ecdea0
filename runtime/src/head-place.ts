/** Where the newest head of a ledger is kept beside its keys, for each tenant. */
import { openHeadFile } from './adapters/system/head-file.ts'
import { resolveHeadFile } from './adapters/system/state-directory.ts'
import type { Deps } from './engine/deps.ts'
import type { Store } from './ports/store.ts'

/** What is gone with its process has none. */
export function createHeadPlace(
  { name }: Store,
  tenant: string,
  folder: string,
  report: (line: string) => void,
): Pick<Deps, 'headPlace'> {
  if (name === 'memory') return {}
  return { headPlace: openHeadFile(resolveHeadFile(folder, tenant), report) }
}
