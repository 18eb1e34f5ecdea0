/**
 * One life of the engine: it runs, stands still, or has ended.
 *
 * When it ends, whatever it waited for never comes: no code of a dead process runs past its next
 * wait, exactly as after SIGKILL. While it stands still, whatever comes waits for it, and others may
 * take it for dead before it wakes up.
 */
import type { Engine } from '../../runtime/src/engine/engine.ts'

export class SimProcess {
  readonly epoch: number
  engine: Engine | null = null
  #alive = true
  /** What came while it stood still, in order; null: it runs. */
  #waiting: (() => void)[] | null = null
  #frozenAt: number | null = null
  #working = 0
  #lost: Promise<'lost'> = new Promise(() => {})
  #hangUp: () => void = () => {}
  readonly #onCrash: (where: string) => void

  constructor(epoch: number, onCrash: (where: string) => void) {
    this.epoch = epoch
    this.#onCrash = onCrash
    this.#connect()
  }

  get alive(): boolean {
    return this.#alive
  }

  get runs(): boolean {
    return this.#alive && this.#waiting === null
  }

  /** Since when it has stood still; null: it runs or has ended. */
  get frozenAt(): number | null {
    return this.#alive ? this.#frozenAt : null
  }

  /** It runs, and nothing is left in it: no request, whether somebody waits for the answer or not, and no task that stands still. */
  get isIdle(): boolean {
    return this.runs && this.#working === 0
  }

  /** Resolves when whoever is connected now gets no answer any more. */
  get lost(): Promise<'lost'> {
    return this.#lost
  }

  simulateCrash(where: string): Promise<never> {
    if (this.#alive) {
      this.#alive = false
      this.#waiting = null
      this.#onCrash(where)
      this.#hangUp()
    }
    return this.waitForever()
  }

  freeze(now: number): void {
    this.#waiting ??= []
    this.#frozenAt ??= now
  }

  thaw(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    this.#frozenAt = null
    for (const run of waiting) this.deliver(run)
  }

  work<T>(request: Promise<T>): Promise<T> {
    this.#working += 1
    return request.finally(() => {
      this.#working -= 1
    })
  }

  /** Those who wait for an answer lose patience; whoever comes later may get one. */
  hangUp(): void {
    this.#hangUp()
    this.#connect()
  }

  #connect(): void {
    this.#lost = new Promise((resolve) => {
      this.#hangUp = () => resolve('lost')
    })
  }

  waitForever(): Promise<never> {
    return new Promise(() => {})
  }

  /** Now, when it runs again, or never. */
  deliver(run: () => void): void {
    if (!this.#alive) return
    if (this.#waiting === null) run()
    else this.#waiting.push(run)
  }

  /** For code of this process that must not go on while it does not run. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.deliver(resolve))
  }

  /** Of what has left its hands already: it happens unless the process dies before. */
  waitUnlessDead<T>(outside: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      outside.then((value) => {
        if (this.#alive) resolve(value)
      }, reject)
    })
  }

  /** What comes from outside reaches only who runs. */
  wait<T>(outside: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      outside.then(
        (value) => this.deliver(() => resolve(value)),
        (error: unknown) => this.deliver(() => reject(error)),
      )
    })
  }
}
