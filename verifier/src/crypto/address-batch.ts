/**
 * Questions about addresses in memory that two threads share. Both take items until none is left;
 * the thread that filled the batch waits for the last answer.
 *
 * B1 A ticket is the number of items left, counted down: one that was taken late, from an empty
 *    batch, is zero or less, and never reaches into the next filling.
 * B2 A batch is filled only while there are no tickets and every one taken before was answered.
 * B3 An answer is no until someone wrote yes.
 */
import { hash } from 'node:crypto'
import { assert, toAddressDomain } from 'rubicon-kernel'
import type { Question } from './address-check.ts'

const MOST_ITEMS = 1_024
const MOST_BYTES = 4 * 1_024 * 1_024
const SCHEME = 'sha256:'
const CLAIM_LENGTH = SCHEME.length + 64
const WAIT_MS = 30_000

/** Places in the control words. */
const LEFT = 0
const DONE = 1
const COUNT = 2

export type AddressBatch = {
  readonly control: Int32Array<SharedArrayBuffer>
  /** Item n stands in `bytes` between `ends[n]` and `ends[n + 1]`. */
  readonly ends: Int32Array<SharedArrayBuffer>
  readonly yes: Uint8Array<SharedArrayBuffer>
  readonly bytes: Uint8Array<SharedArrayBuffer>
}

const encoder = new TextEncoder()

export function createBatch(): AddressBatch {
  return {
    control: new Int32Array(new SharedArrayBuffer(12)),
    ends: new Int32Array(new SharedArrayBuffer(4 * (MOST_ITEMS + 1))),
    yes: new Uint8Array(new SharedArrayBuffer(MOST_ITEMS)),
    bytes: new Uint8Array(new SharedArrayBuffer(MOST_BYTES)),
  }
}

/** Takes questions from the first on, as many as there is room for, and says how many. */
export function fill(batch: AddressBatch, questions: readonly Question[]): number {
  const { control, ends, yes } = batch
  let count = 0
  for (const question of questions) {
    const end = count === MOST_ITEMS ? undefined : write(batch, ends[count] ?? 0, question)
    if (end === undefined) break
    count += 1
    ends[count] = end
  }
  yes.fill(0, 0, count)
  Atomics.store(control, COUNT, count)
  Atomics.store(control, DONE, 0)
  Atomics.store(control, LEFT, count)
  return count
}

/** Answers what is left, and waits for what the other thread took. */
export function join(batch: AddressBatch): readonly boolean[] {
  const { control, yes } = batch
  work(batch)
  const count = Atomics.load(control, COUNT)
  for (let done = Atomics.load(control, DONE); done < count; done = Atomics.load(control, DONE)) {
    const waited = Atomics.wait(control, DONE, done, WAIT_MS)
    assert(waited !== 'timed-out', 'the helping thread answers what it took')
  }
  return Array.from(yes.subarray(0, count), (answer) => answer === 1)
}

export function work({ bytes, control, ends, yes }: AddressBatch): void {
  for (let ticket = take(control); ticket > 0; ticket = take(control)) {
    if (isAddressed(bytes.subarray(ends[ticket - 1], ends[ticket]))) yes[ticket - 1] = 1
    const done = Atomics.add(control, DONE, 1) + 1
    if (done === Atomics.load(control, COUNT)) Atomics.notify(control, DONE)
  }
}

function take(control: Int32Array<SharedArrayBuffer>): number {
  return Atomics.sub(control, LEFT, 1)
}

/**
 * The claim, then what is hashed. Where it ends; undefined without room. A claim of the right length
 * that is not ASCII takes more bytes and is found different; one of another length is left empty.
 */
function write(
  { bytes }: AddressBatch,
  start: number,
  { type, text, claimed }: Question,
): number | undefined {
  if (claimed.length !== CLAIM_LENGTH) return start
  const item = claimed + toAddressDomain(type) + text
  // A unit of UTF-16 takes three bytes of UTF-8 at most.
  if (start + 3 * item.length > MOST_BYTES) return undefined
  assert(item.isWellFormed(), 'text that is hashed has no half surrogate pairs')
  return start + encoder.encodeInto(item, bytes.subarray(start)).written
}

function isAddressed(item: Uint8Array): boolean {
  if (item.length < CLAIM_LENGTH) return false
  const actual = SCHEME + hash('sha256', item.subarray(CLAIM_LENGTH), 'hex')
  for (let i = 0; i < CLAIM_LENGTH; i += 1) if (item[i] !== actual.charCodeAt(i)) return false
  return true
}
