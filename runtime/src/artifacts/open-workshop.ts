/** Puts together what the hands work with. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { findKnownSecret } from 'rubicon-artifacts'
import { openDesk } from 'rubicon-artifacts/desk'
import { type FilesRoot, openFilesRoot } from 'rubicon-artifacts/files'
import { createFileBlobs } from 'rubicon-artifacts/store'
import type { Capability } from '../ports/capability.ts'
import { createAdoptKind } from './adopt-kind.ts'
import { createApplyKind } from './apply-kind.ts'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { narrowRefusals } from './narrow-refusal.ts'
import { BLOBS, type RuntimeArtifacts } from './options.ts'
import { createPlanKind, createWithdrawKind } from './plan-kinds.ts'
import { createListKind, createReadKind, createSymbolsKind } from './reading-kinds.ts'
import { Shelf } from './shelf.ts'
import type { Workshop } from './workshop.ts'
import { recoverFiles } from './write-files.ts'

export type OpenedArtifacts = {
  readonly capabilities: readonly Capability[]
  close(): Promise<void>
}

/** `folder`: the state directory. Throws when it cannot be meant. */
export function openArtifacts(
  options: RuntimeArtifacts,
  folder: string,
  reads: Pick<Workshop, 'readWorld' | 'loadScope'>,
): OpenedArtifacts {
  const { blobs = join(folder, BLOBS), strategy = null, schemas = {} } = options
  const { planMs = HANDS_LIMITS.planMs, findSecret: findMore = () => null } = options
  if (!(planMs >= HANDS_LIMITS.planLeastMs && planMs <= HANDS_LIMITS.planMostMs))
    throw new Error(`a plan holds for 1 second to 24 hours, not for ${planMs} ms`)
  const files = options.files === undefined ? null : openFolder(options.files)
  for (const kept of [folder, ...(typeof blobs === 'string' ? [blobs] : [])])
    if (files !== null) assertApart(files, kept)
  if (files !== null) recoverFiles(files)
  const desk = options.desk ?? openDesk()
  const workshop: Workshop = {
    ...{ desk, files, planMs, strategy, schemas, ...reads },
    shelf: new Shelf(typeof blobs === 'string' ? createFileBlobs(blobs) : blobs),
    findSecret: (text) => findKnownSecret(text) ?? findMore(text),
  }
  return {
    capabilities: [
      ...[createPlanKind(workshop), createApplyKind(workshop), createWithdrawKind(workshop)],
      createAdoptKind(workshop),
      ...[createListKind(workshop), createSymbolsKind(workshop), createReadKind(workshop)],
    ].map((capability) => narrowRefusals(workshop, capability)),
    close: async () => {
      if (options.desk === undefined) await desk.close()
    },
  }
}

/** Keys and records are nobody's artifacts: below the folder they lie where no name of an artifact leads. */
function assertApart({ folder }: FilesRoot, kept: string): void {
  const within = relative(folder, resolveReal(kept)).split(sep)
  if (within[0] === '..' || within.some((segment) => segment === '.rubicon')) return
  throw new Error(
    `\`${kept}\` lies among the files of artifacts: agents could read and change what is kept there; put it elsewhere, or below \`.rubicon\``,
  )
}

/** Of what is not there yet: where it would be. */
function resolveReal(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole)) return realpathSync(whole)
  const parent = dirname(whole)
  return parent === whole ? whole : join(resolveReal(parent), basename(whole))
}

function openFolder(folder: string): FilesRoot {
  const opened = openFilesRoot(folder)
  if (opened.ok) return opened.value
  throw new Error(`${opened.error.detail}; ${opened.error.fix}`)
}
