/**
 * How statements are run on a connection: sent as they come, without waiting for the answer to the
 * one before; the server runs them in this order.
 *
 * Boundary: what is sent inside a transaction after a statement that failed fails too, and its
 * COMMIT is a rollback that the server does not call an error: see `commit`.
 */
import type { Socket } from 'node:net'
import { type ClientBase, types } from 'pg'
import { decodeText, encodeText, type PostgresParameter } from './parameters.ts'
import type { Row } from './rows.ts'

/** A text of this adapter, prepared once a connection under its name. */
export type NamedStatement = { readonly name: string; readonly text: string }

export class DatabaseSession {
  readonly #client: ClientBase
  readonly #socket: Socket | undefined

  constructor(client: ClientBase, socket?: Socket) {
    this.#client = client
    this.#socket = socket
  }

  /** What is run within goes over the wire in one piece. */
  send<T>(run: () => T): T {
    this.#socket?.cork()
    try {
      return run()
    } finally {
      this.#socket?.uncork()
    }
  }

  async run(
    { name, text }: NamedStatement,
    ...parameters: readonly PostgresParameter[]
  ): Promise<Row[]> {
    const values = parameters.map((value) => {
      return typeof value === 'string' ? encodeText(value) : value
    })
    const { rows } = await this.#client.query<Row>({ name, text, values })
    return rows
  }

  /** Texts without parameters or answer; several of them, when semicolons stand between them. */
  async runScript(text: string): Promise<void> {
    await this.#client.query(text)
  }

  /** True: committed. False: a statement before had failed, so it was rolled back. */
  async commit(): Promise<boolean> {
    const { command } = await this.#client.query('COMMIT')
    return command === 'COMMIT'
  }
}

/** Waits for all of them, so that none is left to fail unheard; then throws what failed first. */
export async function awaitAll<T extends readonly Promise<unknown>[]>(
  running: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  for (const one of await Promise.allSettled(running)) {
    if (one.status === 'rejected') throw one.reason
  }
  return Promise.all(running)
}

const BOOLEAN = 16
const BYTEA = 17
const BIGINT = 20
const INTEGER = 23
const TEXT = 25

/** The values of columns, by the numbers that the server gives their types. */
export const columnTypes = {
  getTypeParser: (oid: number): ((text: string) => unknown) => {
    switch (oid) {
      case TEXT:
        return decodeText
      case BIGINT:
      case INTEGER:
        return parseWhole
      case BYTEA:
        return (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
      case BOOLEAN:
        return (text) => text === 't'
      default:
        return types.getTypeParser(oid)
    }
  },
}

/** Everything that we count stays far below 2^53; a number beyond was not written by us. */
function parseWhole(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`\`${text}\` is not a safe integer`)
  return value
}
