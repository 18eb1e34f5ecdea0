/** Why a server could not begin to listen, and what to do about it. */
import type { Failure } from 'rubicon-kernel'

export function listenFailure(error: unknown, host: string, port: number): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'LISTEN'
  if (code === 'EADDRINUSE')
    return {
      code: 'PORT_BUSY',
      summary: `port ${port} of ${host} is taken`,
      why: 'another process listens there; it may be a runtime that was started before',
      fix: 'stop it, or use another: --port N',
    }
  const why = error instanceof Error ? error.message : String(error)
  return {
    code,
    summary: `nothing can listen on ${host}:${port}`,
    why,
    fix: 'check --host, --port',
  }
}
