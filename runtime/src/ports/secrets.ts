/**
 * Secrets by name, for the hands of tools. A value is read when it is used and kept by nobody; it goes into one
 * request or one process, and into no log, ledger, trace, error or result.
 */

/** One place that holds one secret. */
export interface SecretSource {
  /** Throws `SecretUnavailable`, whose message says why and never what. */
  read(): Promise<string>
}

/** The secret cannot be used. Nothing was sent. */
export class SecretUnavailable extends Error {
  readonly code = 'SECRET_UNAVAILABLE'

  constructor(message: string) {
    super(message)
    this.name = 'SecretUnavailable'
  }
}
