/** A broken invariant is a bug: it stops the process, in production too. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${invariant}`)
}

/** Ends a switch over a union: a new variant does not compile until it is handled. */
export function assertUnreachable(value: never): never {
  throw new Error(`invariant broken: unreachable value ${String(value)}`)
}
