/** The helping thread: wakes at every turn, works on both batches, sleeps. */
import { workerData } from 'node:worker_threads'
import { type AddressBatch, work } from './address-batch.ts'

const { turn, batches }: { turn: Int32Array; batches: readonly AddressBatch[] } = workerData

for (let seen = 0; ; ) {
  Atomics.wait(turn, 0, seen)
  seen = Atomics.load(turn, 0)
  for (const batch of batches) work(batch)
}
