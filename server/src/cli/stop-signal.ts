/** When a verb that runs until somebody stops it is to end. */
export type StopSignal = {
  /** Resolves with the first signal; rejects where it cannot go on. */
  readonly stopped: Promise<void>
  stop(): void
  fail(error: unknown): void
}

/** The next signal after the first finds the default again: the process ends at once. */
export function createStopSignal(): StopSignal {
  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>()
  const letGo = (): void => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
  const stop = (): void => {
    letGo()
    resolve()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  stopped.catch(() => {})
  return {
    stopped,
    stop,
    fail(error) {
      letGo()
      reject(error)
    },
  }
}
