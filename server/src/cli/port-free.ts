import { createServer } from 'node:net'
import { CliFailure } from './failure.ts'

/** Says now, and with the flag that changes it, that the port is taken. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  const isTaken = await new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(false)))
  })
  if (!isTaken) return
  throw new CliFailure({
    code: 'PORT_BUSY',
    summary: `port ${port} of ${host} is taken`,
    why: 'another process listens there; it may be a runtime that was started before',
    fix: 'stop it, or use another: --port N',
  })
}
