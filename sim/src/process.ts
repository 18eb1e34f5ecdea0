/**
 * One life of the engine. When it ends, whatever it waited for never comes: no code of a dead
 * process runs past its next wait, exactly as after SIGKILL.
 */
import type { Engine } from '../../runtime/src/engine/engine.ts'

export class SimProcess {
  readonly epoch: number
  engine: Engine | null = null
  /** Resolves when the process has died. */
  readonly died: Promise<'died'>
  #alive = true
  #die: (value: 'died') => void = () => {}
  readonly #onCrash: (process: SimProcess, where: string) => void

  constructor(epoch: number, onCrash: (process: SimProcess, where: string) => void) {
    this.epoch = epoch
    this.#onCrash = onCrash
    this.died = new Promise((resolve) => {
      this.#die = resolve
    })
  }

  get alive(): boolean {
    return this.#alive
  }

  crash(where: string): Promise<never> {
    if (this.#alive) {
      this.#alive = false
      this.#onCrash(this, where)
      this.#die('died')
    }
    return this.never()
  }

  never(): Promise<never> {
    return new Promise(() => {})
  }

  /** What comes from outside reaches only the living. */
  wait<T>(outside: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      outside.then(
        (value) => {
          if (this.#alive) resolve(value)
        },
        (error: unknown) => {
          if (this.#alive) reject(error)
        },
      )
    })
  }
}
