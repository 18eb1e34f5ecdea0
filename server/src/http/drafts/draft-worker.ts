/** The other side of `DraftThread`: one draft at a time, until it is ended. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Draft, type DraftFound, type DraftKind, toMs } from './draft.ts'
import { judgeDraft, loadReader } from './judge-draft.ts'

/** `ready`: what reads the first draft is loaded, and time counts from now. */
type Outcome =
  | { readonly kind: 'ready' }
  | { readonly kind: 'found'; readonly found: DraftFound[DraftKind] }
  /** What was thrown, and nobody foresaw; it is for the log. */
  | { readonly kind: 'bug'; readonly stack: string }

/** With the time that a core has spent on this thread. */
export type DraftMessage = Outcome & { readonly spentMs: number }

// Linux has priorities of threads. Elsewhere this would be that of the process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
parentPort?.on('message', (draft: Draft) => void judge(draft).then(tell))
await loadReader(workerData as DraftKind)
tell({ kind: 'ready' })

async function judge(draft: Draft): Promise<Outcome> {
  try {
    return { kind: 'found', found: await judgeDraft(draft) }
  } catch (error) {
    return { kind: 'bug', stack: error instanceof Error ? String(error.stack) : String(error) }
  }
}

function tell(outcome: Outcome): void {
  const message: DraftMessage = { ...outcome, spentMs: toMs(process.threadCpuUsage()) }
  parentPort?.postMessage(message)
}
