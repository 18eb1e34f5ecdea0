/** Answers a connection whose bytes are no HTTP: briefly, and for the last time. */
import type { Socket } from 'node:net'
import { buildHttpProblem } from './problem.ts'

const REASON_PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
}

export function handleClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const { status, body } = buildHttpProblem(late ? 'REQUEST_TIMEOUT' : 'REQUEST_INVALID')
  const text = JSON.stringify(body)
  socket.write(
    `HTTP/1.1 ${status} ${REASON_PHRASES[status]}\r\n` +
      'Content-Type: application/problem+json\r\nConnection: close\r\n' +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
  // Whoever does not hang up by himself would keep his connection for good.
  socket.destroySoon()
}
