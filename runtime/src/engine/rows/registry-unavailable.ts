import type { Failure } from 'rubicon-kernel'

/** The registry cannot be reached. Thrown, since every path that needs it ends with it. */
export class RegistryUnavailable extends Error {
  readonly failure: Failure

  constructor(why: string, cause?: unknown) {
    super(`the registry cannot be reached: ${why}`, { cause })
    this.name = 'RegistryUnavailable'
    this.failure = buildRegistryUnavailableFailure(why)
  }
}

export function buildRegistryUnavailableFailure(why: string): Failure {
  return {
    code: 'REGISTRY_UNAVAILABLE',
    summary: 'the registry cannot be reached',
    why,
    fix: 'try again when the registry answers',
  }
}
