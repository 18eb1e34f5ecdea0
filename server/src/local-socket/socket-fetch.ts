/** `fetch` over a Unix socket, for the client of the API: each request on a connection of its own. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { buildResponse } from './build-response.ts'

export function createSocketFetch(socketPath: string): typeof fetch {
  return (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    return new Promise((resolve, reject) => {
      const asked = request({
        socketPath,
        path: `${pathname}${search}`,
        method: init.method ?? 'GET',
        headers: { host: 'localhost', ...Object.fromEntries(new Headers(init.headers)) },
        agent: false,
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
