/**
 * Time that the simulator owns. Nothing waits for anything but this: when all that can run has run,
 * the next wake-up is taken, and time stands where that wake-up was.
 *
 * T1 time only grows; what machines take it for is in `machine-clock.ts`.
 * T2 wake-ups of one moment come in the order in which they were asked for.
 * T3 a wake-up is taken only after every promise that could settle has settled.
 */
type Wake = { readonly at: number; readonly order: number; run: (() => void) | null }

export class VirtualTime {
  readonly #heap: Wake[] = []
  #order = 0
  #elapsed = 0

  getElapsedMs(): number {
    return this.#elapsed
  }

  /** Calls `run` after `ms`; the returned function prevents it. */
  schedule(ms: number, run: () => void): () => void {
    const at = this.#elapsed + Math.max(0, Math.ceil(ms))
    const wake: Wake = { at, order: this.#order++, run }
    push(this.#heap, wake)
    return () => {
      wake.run = null
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(ms, resolve)
    })
  }

  /** Takes the next wake-up. False: there is none. */
  async step(): Promise<boolean> {
    for (;;) {
      const wake = pop(this.#heap)
      if (wake === undefined) return false
      if (wake.run === null) continue
      this.#elapsed = Math.max(this.#elapsed, wake.at)
      wake.run()
      await awaitMicrotasks()
      return true
    }
  }
}

/**
 * Resolves when the microtask queue has run dry: a tick asked for from a microtask comes only then.
 * No turn of the event loop, so that thousands of wake-ups cost little.
 */
export function awaitMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    queueMicrotask(() => process.nextTick(resolve))
  })
}

function isBefore(a: Wake, b: Wake): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

function push(heap: Wake[], wake: Wake): void {
  let at = heap.length
  heap.push(wake)
  while (at > 0) {
    const up = (at - 1) >> 1
    const parent = heap[up]
    if (parent === undefined || !isBefore(wake, parent)) break
    heap[at] = parent
    at = up
  }
  heap[at] = wake
}

function pop(heap: Wake[]): Wake | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (last === undefined || top === last) return top
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const right = left + 1
    const [l, r] = [heap[left], heap[right]]
    if (l === undefined) break
    const down = r !== undefined && isBefore(r, l) ? right : left
    const child = heap[down]
    if (child === undefined || !isBefore(child, last)) break
    heap[at] = child
    at = down
  }
  heap[at] = last
  return top
}
