/** The other side of `DraftThread`: one draft at a time, until it is ended. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Draft, DraftFound, DraftKind } from './draft.ts'
import { judgeDraft, loadReader } from './judge-draft.ts'

/** `ready`: what reads the first draft is loaded, and time counts from now. */
export type DraftMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'found'; readonly found: DraftFound[DraftKind] }
  /** What was thrown, and nobody foresaw; it is for the log. */
  | { readonly kind: 'bug'; readonly stack: string }

// Linux has priorities of threads. Elsewhere this would be that of the process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
parentPort?.on('message', (draft: Draft) => void messageOf(draft).then(tell))
await loadReader(workerData as DraftKind)
tell({ kind: 'ready' })

async function messageOf(draft: Draft): Promise<DraftMessage> {
  try {
    return { kind: 'found', found: await judgeDraft(draft) }
  } catch (error) {
    return { kind: 'bug', stack: error instanceof Error ? String(error.stack) : String(error) }
  }
}

function tell(message: DraftMessage): void {
  parentPort?.postMessage(message)
}
