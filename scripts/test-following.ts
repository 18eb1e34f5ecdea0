/**
 * The test runner follows every promise, timer and socket of a process, so that it can tell which test an error
 * belongs to that nobody took. It needs that while files are loaded: what they declare is put below the suite that
 * loads them. Afterwards it makes everything that waits take about twice as long, so it ends there.
 *
 * An error that nobody took still fails the program; the file that ran is named instead of the test.
 *
 * To be loaded before the test runner is: it takes `createHook` once.
 */
import asyncHooks from 'node:async_hooks'

const { createHook } = asyncHooks
let following: asyncHooks.AsyncHook | null = null
let running: string | null = null

Object.assign(asyncHooks, {
  createHook(callbacks: asyncHooks.HookCallbacks): asyncHooks.AsyncHook {
    // The first to ask is the runner; whoever comes later is no matter of ours.
    Object.assign(asyncHooks, { createHook })
    following = createHook(callbacks)
    return following
  },
})

/** Everything is loaded, and tests begin. */
export function stopFollowing(): void {
  if (following === null) return
  following.disable()
  following = null
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      const text = error instanceof Error ? error.stack : String(error)
      process.stderr.write(`${event} while ${running} ran: ${text}\n`)
    })
}

/** From now on tests of this file run. */
export function enterFile(file: string): void {
  running = file
}
