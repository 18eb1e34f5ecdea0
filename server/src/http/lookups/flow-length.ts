/**
 * How much of a flow is shown at once. How long its entries are, its agent and whoever answered it say: a thousand results
 * of 250 KB were half a gigabyte, and to send that kept every decision waiting for nine seconds. What is too long is left out
 * and counted; it stands in the ledger, entry by entry.
 */
import { LIMITS } from 'rubicon-kernel'
import type { StoredEntry } from 'rubicon-runtime/ports'
import type { ExecutionView } from '../views/execution-view.ts'

export class FlowLength {
  #length = 0
  /** Of short ones, for which there was no more room beside the others. */
  #short = 0
  #withheld = 0

  /** Of how many entries and effects something was left out. */
  get withheld(): number {
    return this.#withheld
  }

  shortenEntry(entry: StoredEntry): StoredEntry {
    const length = entry.payload?.length ?? 0
    // Nor has an agent that says little a hundred thousand times more room than that.
    const mayBeMore = this.#short + length <= LIMITS.flowLength
    return this.#admit(length, mayBeMore) ? entry : { ...entry, payload: null }
  }

  /** That it was sent, when, and how it ended stays of each. */
  shortenExecution(view: ExecutionView): ExecutionView {
    const { params, result, receipt, details } = view
    // There are no more of them than of the rows of a list.
    if (this.#admit(JSON.stringify([params, result, receipt, details]).length, true)) return view
    return { ...view, params: {}, result: null, receipt: null, details: null }
  }

  /** Short ones nearly always do: that an effect was refused is seen behind however many that were long. */
  #admit(length: number, mayBeMore: boolean): boolean {
    if (this.#length + length <= LIMITS.flowLength) this.#length += length
    else if (length <= LIMITS.flowShortLength && mayBeMore) this.#short += length
    else {
      this.#withheld += 1
      return false
    }
    return true
  }
}
