/** Puts together what the hands work with. */
import { join } from 'node:path'
import { openDesk } from 'rubicon-artifacts/desk'
import { type FilesRoot, openFilesRoot } from 'rubicon-artifacts/files'
import { createFileBlobs } from 'rubicon-artifacts/store'
import type { Capability } from '../ports/capability.ts'
import { createAdoptKind } from './adopt-kind.ts'
import { createApplyKind } from './apply-kind.ts'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { findSecret } from './find-secret.ts'
import { BLOBS, type RuntimeArtifacts } from './options.ts'
import { createPlanKind, createWithdrawKind } from './plan-kinds.ts'
import { createListKind, createReadKind, createSymbolsKind } from './reading-kinds.ts'
import { Shelf } from './shelf.ts'
import type { Workshop } from './workshop.ts'

export type OpenedArtifacts = {
  readonly capabilities: readonly Capability[]
  close(): Promise<void>
}

/** `folder`: the state directory. Throws when it cannot be meant. */
export function openArtifacts(
  options: RuntimeArtifacts,
  folder: string,
  readWorld: Workshop['readWorld'],
): OpenedArtifacts {
  const { blobs = join(folder, BLOBS), strategy = null, schemas = {} } = options
  const { planMs = HANDS_LIMITS.planMs, findSecret: findMore = () => null } = options
  if (!(planMs >= HANDS_LIMITS.planLeastMs && planMs <= HANDS_LIMITS.planMostMs))
    throw new Error(`a plan holds for 1 second to 24 hours, not for ${planMs} ms`)
  const files = options.files === undefined ? null : openFolder(options.files)
  const desk = options.desk ?? openDesk()
  const workshop: Workshop = {
    ...{ desk, files, readWorld, planMs, strategy, schemas },
    shelf: new Shelf(typeof blobs === 'string' ? createFileBlobs(blobs) : blobs),
    findSecret: (text) => findSecret(text) ?? findMore(text),
  }
  return {
    capabilities: [
      ...[createPlanKind(workshop), createApplyKind(workshop), createWithdrawKind(workshop)],
      createAdoptKind(workshop),
      ...[createListKind(workshop), createSymbolsKind(workshop), createReadKind(workshop)],
    ],
    close: async () => {
      if (options.desk === undefined) await desk.close()
    },
  }
}

function openFolder(folder: string): FilesRoot {
  const opened = openFilesRoot(folder)
  if (opened.ok) return opened.value
  throw new Error(`${opened.error.detail}; ${opened.error.fix}`)
}
