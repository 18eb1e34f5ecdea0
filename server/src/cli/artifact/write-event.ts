/** One writer at a time: what it does to files is recorded with how it is taken back, or does not happen. */
import { setTimeout } from 'node:timers/promises'
import { FilesSession, type Recovery, type WriteRecord } from 'rubicon-artifacts/files'
import type { ArtifactEvent, ArtifactHistory, EventDraft } from 'rubicon-artifacts/store'
import { type CommandCall, getSpeakerName } from '../call.ts'
import { SYMBOLS } from '../output.ts'
import { type ArtifactPlace, openHistory, unwrapFile, unwrapHistory } from './artifact-place.ts'

export type ArtifactWriter = {
  readonly history: ArtifactHistory
  readonly recovered: Recovery | null
  write(draft: Omit<EventDraft, 'at' | 'author'>): Promise<ArtifactEvent>
}

/** What an earlier command left half done is finished or undone before this one reads anything. */
export async function runWriter<T>(
  call: CommandCall,
  place: ArtifactPlace,
  work: (writer: ArtifactWriter) => Promise<T>,
): Promise<T> {
  let opened: ArtifactHistory | null = null
  // Not before the lock is held: another command may be writing it.
  const readHistory = (): ArtifactHistory => {
    opened ??= openHistory(place)
    return opened
  }
  const session = await openSession(place, {
    has: (note) => readHistory().hasEvent(note),
    add: (note) => readHistory().record(note),
  })
  try {
    const { recovered } = session
    if (recovered !== null) reportRecovery(call, recovered)
    const history = readHistory()
    const author = getSpeakerName(call) ?? call.streams.env.USER ?? 'local'
    const write = async (draft: Omit<EventDraft, 'at' | 'author'>): Promise<ArtifactEvent> => {
      const at = new Date().toISOString()
      const event = unwrapHistory(await history.prepare({ ...draft, at, author }))
      const changes = event.files.map(({ id, before }, index) => ({
        ...{ id, before },
        bytes: draft.files[index]?.after ?? null,
      }))
      unwrapFile(session.write(changes, event))
      return event
    }
    return await work({ history, recovered, write })
  } finally {
    session.close()
  }
}

/** Commands take a moment: whoever comes second waits for the first, for a while. */
async function openSession({ root }: ArtifactPlace, kept: WriteRecord): Promise<FilesSession> {
  for (let waited = 0; ; waited += STEP_MS) {
    const session = FilesSession.open(root, kept)
    if (session.ok || session.error.code !== 'FILES_LOCKED' || waited >= MOST_MS)
      return unwrapFile(session)
    await setTimeout(STEP_MS)
  }
}

const STEP_MS = 100
const MOST_MS = 5_000

function reportRecovery(
  { out }: CommandCall,
  { outcome, files, changed_by_others }: Recovery,
): void {
  out.note(
    `${SYMBOLS.waiting} a write of ${files.join(', ')} was interrupted before; it was ${outcome} now`,
  )
  for (const file of changed_by_others)
    out.note(`${SYMBOLS.waiting} ${file} was changed by somebody since, and left as it is`)
}
