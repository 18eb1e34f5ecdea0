/** What processes that were killed have left behind. Whole where there is nothing, so that nothing is said then. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import { listStale, removeStale } from '../local-socket/announcement.ts'
import { isListening } from '../local-socket/socket-fetch.ts'
import { getSocketUser } from '../local-socket/socket-path.ts'
import { ARCHIVE_DRAFT } from './archive-file.ts'
import type { StorePlace } from './call.ts'
import { attachRepair, createWarningCheck, type DoctorCheck } from './doctor-check.ts'
import { parseSqlitePath } from './open.ts'

/** A run that still writes has touched its file more recently. */
const ABANDONED_MS = 3_600_000

export async function checkLeftovers(place: StorePlace): Promise<readonly DoctorCheck[]> {
  return [...(await checkSockets(place)), ...checkDrafts(place)]
}

async function checkSockets({ state, store }: StorePlace): Promise<readonly DoctorCheck[]> {
  const user = getSocketUser()
  const folder = resolve(state ?? resolveStateDirectory(store))
  if (user === null) return []
  const stale = await listStale(folder, user, isListening)
  if (stale.length === 0) return []
  const pids = stale.map(({ pid }) => pid).join(', ')
  return [
    attachRepair(
      createWarningCheck(
        'sockets',
        `${stale.length} of servers that have ended without a word (process ${pids})`,
        'the next server that starts removes them',
      ),
      {
        what: `remove the sockets of process ${pids}, which is gone`,
        run: () => removeStale(folder, user, isListening),
      },
    ),
  ]
}

/** Archives that were being written: nobody has read them, and the store has all of it. */
function checkDrafts({ store }: StorePlace): readonly DoctorCheck[] {
  const path = parseSqlitePath(store)
  const folders = new Set([resolve('.'), ...(path === undefined ? [] : [dirname(resolve(path))])])
  const drafts = [...folders].flatMap(listAbandoned)
  if (drafts.length === 0) return []
  return [
    attachRepair(
      createWarningCheck(
        'drafts',
        `archives that were not finished: ${drafts.join(', ')}`,
        'the next `rubicon archive create` of the same name removes them',
      ),
      {
        what: `remove ${drafts.join(', ')}`,
        run: () => {
          for (const draft of drafts) rmSync(draft, { force: true })
        },
      },
    ),
  ]
}

function listAbandoned(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(ARCHIVE_DRAFT))
    .map((name) => join(folder, name))
    .filter((path) => {
      const found = statSync(path, { throwIfNoEntry: false })
      return found?.isFile() === true && Date.now() - found.mtimeMs > ABANDONED_MS
    })
}
