/**
 * Work that goes before what waits at a store: what ends authority. A store that is far away has many readings and units
 * waiting, each for a moment, and a suspension needs several of them one after the other.
 *
 * Whoever calls says so for all that is done in the call: between it and the store stands code that need not know.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const urgent = new AsyncLocalStorage<true>()

export function runUrgently<T>(work: () => T): T {
  return urgent.run(true, work)
}

/** What is begun in an urgent call and goes on after it: whoever called does not wait for it, and the next stop would. */
export function runUnhurried<T>(work: () => T): T {
  return urgent.exit(work)
}

export function isUrgent(): boolean {
  return urgent.getStore() === true
}
