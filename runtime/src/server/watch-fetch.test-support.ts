/**
 * Looks at every response that this process fetches from a runtime. One that is not in the API
 * document fails the request, and at its end the process: somebody may have caught the first.
 *
 * Importing it is enough. What it needs is loaded with the first such response.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultOf } from './conformance.test-support.ts'

const faults: string[] = []
const fetchAsIs = globalThis.fetch
let known: Promise<FaultOf> | null = null

globalThis.fetch = async (input, init) => {
  const response = await fetchAsIs(input, init)
  const { pathname, hostname } = new URL(input instanceof Request ? input.url : input)
  if (hostname === '127.0.0.1' && /^\/(v1\/|healthz|readyz|metrics|openapi)/.test(pathname))
    await look(init?.method ?? 'GET', pathname, response)
  return response
}

process.on('exit', () => {
  if (faults.length === 0) return
  process.stderr.write(`responses that are not in the API document:\n${faults.join('\n')}\n`)
  process.exitCode = 1
})

async function look(method: string, path: string, response: Response): Promise<void> {
  const { status } = response
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  known ??= prepare()
  const faultOf = await known
  const found = await faultOf({ method, path, status, type, body: await bodyOf(response, type) })
  if (found === null) return
  const fault = `${method} ${path} answered ${status}: ${found}`
  faults.push(fault)
  throw new Error(fault)
}

async function bodyOf(response: Response, type: string): Promise<unknown> {
  // It goes on for as long as somebody listens.
  if (type === 'text/event-stream') return ''
  const text = await response.clone().text()
  return type.endsWith('json') && text !== '' ? JSON.parse(text) : text
}

async function prepare(): Promise<FaultOf> {
  const { createRuntime } = await import('../compose.ts')
  const { openapi } = await import('./openapi.ts')
  const { allRoutes } = await import('./routes/all.ts')
  const { peopleOf } = await import('./people.ts')
  const { nodeCrypto } = await import('rubicon-verifier')
  const { conformanceTo } = await import('./conformance.test-support.ts')
  const stateDirectory = mkdtempSync(join(tmpdir(), 'rubicon-document-'))
  const runtime = await createRuntime({ store: 'memory', stateDirectory })
  const engine = await runtime.start()
  const people = peopleOf(() => [], nodeCrypto.sha256)
  const routes = allRoutes({ engine, people, host: '127.0.0.1', report: () => {} })
  await runtime.close()
  rmSync(stateDirectory, { recursive: true })
  return conformanceTo(openapi(routes))
}
