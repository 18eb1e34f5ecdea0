/** The checkpoints that a process signs, one at a time: a slow one must not put a smaller over a larger. */
import type { StoredCheckpoint } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { RegistryUnavailable } from '../rows/registry-unavailable.ts'
import { makeCheckpoint } from './checkpoint.ts'
import { checkForks, findRollback } from './rollback.ts'

export class Checkpoints {
  readonly #context: Context
  #signing: Promise<unknown> = Promise.resolve()

  constructor(context: Context) {
    this.#context = context
  }

  sign(): Promise<StoredCheckpoint> {
    const looked = this.#signing.then(() => checkForks(this.#context))
    const made = looked.then(() => makeCheckpoint(this.#context))
    this.#signing = made.catch(() => {})
    return made
  }

  /** Before the store is let go of. */
  async signLast(): Promise<void> {
    try {
      if ((await this.#context.authorities.loadLatest()).seq < 0) return
      if ((await findRollback(this.#context)) === null) await this.sign()
    } catch (error) {
      // Without the registry there is nobody to sign for; the next start makes one.
      if (!(error instanceof RegistryUnavailable)) throw error
    }
  }
}
