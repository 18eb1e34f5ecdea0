import { Worker } from 'node:worker_threads'
import { assert } from 'rubicon-kernel'
import { createBatch, fill, join } from './address-batch.ts'
import { type AddressCheck, isAddressed } from './address-check.ts'
import type { AuditCrypto } from './crypto.ts'
import { nodeCrypto } from './node-crypto.ts'

/** Crypto with a thread of its own. */
export type HelpedCrypto = AuditCrypto & {
  /** Ends the thread. */
  readonly close: () => Promise<void>
}

/** Node's crypto, and a second thread that takes a share of the hashing. For large ledgers. */
export function createHelpedCrypto(): HelpedCrypto {
  const turn = new Int32Array(new SharedArrayBuffer(4))
  // One is filled while the other is worked on.
  const batches = [createBatch(), createBatch()]
  const file = import.meta.url.endsWith('.ts') ? './address-worker.ts' : './address-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), { workerData: { turn, batches } })
  worker.unref()
  const idle = [...batches]

  const ask: AddressCheck['ask'] = (questions) => {
    const batch = idle.shift()
    assert(batch !== undefined, 'at most two askings wait for their answers')
    const taken = fill(batch, questions)
    Atomics.add(turn, 0, 1)
    Atomics.notify(turn, 0)
    return () => {
      const answers = join(batch)
      idle.push(batch)
      if (taken === questions.length) return answers
      // There was no room: a text may be larger than a batch.
      const rest = questions.slice(taken).map((one) => isAddressed(one, nodeCrypto.sha256))
      return [...answers, ...rest]
    }
  }
  return {
    ...nodeCrypto,
    addressCheck: { ask },
    close: async () => {
      await worker.terminate()
    },
  }
}
