/** Why a server cannot listen, and what to do about it. */
import { createServer } from 'node:net'
import type { Failure } from 'rubicon-kernel'

/** Before anything is made for a server that could then not begin; null: the port is free. */
export async function findTakenPort(host: string, port: number): Promise<Failure | null> {
  const isTaken = await new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(readCode(error) === 'EADDRINUSE'))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(false)))
  })
  return isTaken ? createPortFailure(host, port) : null
}

export function listenFailure(error: unknown, host: string, port: number): Failure {
  const code = readCode(error)
  if (code === 'EADDRINUSE') return createPortFailure(host, port)
  const why = error instanceof Error ? error.message : String(error)
  return {
    code,
    summary: `nothing can listen on ${host}:${port}`,
    why,
    fix: 'check --host, --port',
  }
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'LISTEN'
}

/** Programs that call `serve` have no options, so that it names all ways to choose another port. */
function createPortFailure(host: string, port: number): Failure {
  return {
    code: 'PORT_BUSY',
    summary: `port ${port} of ${host} is taken`,
    why: 'another process listens there; it may be a runtime that was started before',
    fix: 'stop it, or use another: --port N, RUBICON_PORT=N or serve(runtime, { port: N })',
  }
}
