import { randomBytes } from 'node:crypto'
import type { Random } from '../../ports/random.ts'

/** Drawn in large pieces: a call into the kernel for each salt would cost more than the salt. */
const POOL_BYTES = 4096
let pool = new Uint8Array(0)
let used = 0

export const systemRandom: Random = {
  bytes(length) {
    if (used + length > pool.length) {
      pool = randomBytes(Math.max(POOL_BYTES, length))
      used = 0
    }
    // A copy: `slice` of a Buffer would share the memory that is wiped in the next line.
    const drawn = new Uint8Array(pool.subarray(used, used + length))
    pool.fill(0, used, used + length)
    used += length
    return drawn
  },
}
