import { findTakenPort } from '../http/connections/listen-failure.ts'
import { CliFailure } from './failure.ts'

/** Says now, and with the flag that changes it, that the port is taken. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  const taken = await findTakenPort(host, port)
  if (taken !== null) throw new CliFailure(taken)
}
