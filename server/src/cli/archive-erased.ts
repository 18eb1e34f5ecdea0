/**
 * Flows of an archive file that were erased after it was written: the store has forgotten them, and the file has not.
 * It must not become, or go on to be, the only place of other flows, because then it could not be destroyed.
 */
import type { Store } from 'rubicon-runtime/ports'
import type { ReadArchive } from './archive-file.ts'
import { CliFailure } from './failure.ts'

export async function listErasedFlows(
  { dfids }: Pick<ReadArchive, 'dfids'>,
  store: Pick<Store, 'readFlow'>,
): Promise<readonly string[]> {
  const erased: string[] = []
  for (const dfid of dfids())
    if ((await store.readFlow(dfid))?.tags.includes('ERASED') === true) erased.push(dfid)
  return erased
}

/** Before the first payload leaves the store for the file. */
export async function assertNothingErased(
  archive: ReadArchive,
  store: Pick<Store, 'readFlow'>,
): Promise<void> {
  const [first, ...others] = await listErasedFlows(archive, store)
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  throw new CliFailure({
    code: 'ARCHIVE_HOLDS_ERASED',
    summary: `\`${archive.path}\` holds what flow \`${first}\`${more} said, which was erased`,
    why: 'what is archived in the file would keep it from being destroyed; nothing was moved',
    fix: 'put back what is archived in it (`rubicon archive restore FILE --apply`), destroy it with all its copies, and give another name',
  })
}

/** For people: what they hold that the store has erased. */
export function describeErased(count: number): string {
  return `${count} flows of the file were erased: put back what is archived in it, and destroy it with all its copies`
}
