import { createServer } from 'node:net'

/** One that nobody listens on, so that what listens already does not matter. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
