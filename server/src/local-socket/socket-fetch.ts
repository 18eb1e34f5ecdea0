/** `fetch` over a Unix socket, for the client of the API. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { buildResponse } from './build-response.ts'

export type SocketFetchOptions = {
  /**
   * Connections are used again: for whoever asks often, and asks again where an answer is lost. Otherwise each request
   * has a connection of its own.
   */
  readonly keepAlive?: boolean
}

export function createSocketFetch(
  socketPath: string,
  { keepAlive = false }: SocketFetchOptions = {},
): typeof fetch {
  const agent = keepAlive && new Agent({ keepAlive })
  return (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    return new Promise((resolve, reject) => {
      const asked = request({
        socketPath,
        path: `${pathname}${search}`,
        method: init.method ?? 'GET',
        headers: { host: 'localhost', ...Object.fromEntries(new Headers(init.headers)) },
        agent,
        ...(init.signal == null ? {} : { signal: init.signal }),
      })
      asked.on('error', reject)
      asked.once('response', (message) => {
        const { statusCode: status = 0, headers } = message
        resolve(buildResponse({ status, headers, body: message }))
      })
      asked.end(typeof init.body === 'string' ? init.body : undefined)
    })
  }
}

/** Whether somebody listens there. */
export function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
