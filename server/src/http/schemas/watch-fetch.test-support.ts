/**
 * Looks at every response that this process fetches from a runtime, and at those that it is handed. One
 * that is not in the API document fails the request, and at its end the process: somebody may have
 * caught the first.
 *
 * Importing it is enough. What it needs is loaded with the first such response.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultOf, SeenResponse } from './conformance.test-support.ts'

const faults: string[] = []
const fetchAsIs = globalThis.fetch
let known: Promise<FaultOf> | null = null

globalThis.fetch = async (input, init) => {
  const response = await fetchAsIs(input, init)
  const { pathname, hostname } = new URL(input instanceof Request ? input.url : input)
  if (hostname !== '127.0.0.1' || !isOfTheApi(pathname)) return response
  const { status } = response
  const type = mediaType(response.headers.get('content-type'))
  const body = bodyOf(type, isEndless(type) ? '' : await response.clone().text())
  const fault = await hold({ method: init?.method ?? 'GET', path: pathname, status, type, body })
  if (fault !== null) throw new Error(fault)
  return response
}

export function isOfTheApi(path: string): boolean {
  return /^\/(v1\/|healthz|readyz|metrics|buildOpenApi)/.test(path)
}

export function mediaType(header: string | null | undefined): string {
  return (header ?? '').split(';')[0] ?? ''
}

/** It goes on for as long as somebody listens. */
export function isEndless(type: string): boolean {
  return type === 'text/event-stream'
}

export function bodyOf(type: string, text: string): unknown {
  return type.endsWith('json') && text !== '' ? JSON.parse(text) : text
}

/** What is wrong with it, if anything: then this process fails. */
export async function hold(seen: SeenResponse): Promise<string | null> {
  known ??= prepare()
  const faultOf = await known
  const found = await faultOf(seen)
  if (found === null) return null
  const fault = `${seen.method} ${seen.path} answered ${seen.status}: ${found}`
  faults.push(fault)
  return fault
}

/** For whoever made them on purpose. */
export function takeFaults(): readonly string[] {
  return faults.splice(0)
}

process.on('exit', () => {
  if (faults.length === 0) return
  process.stderr.write(`responses that are not in the API document:\n${faults.join('\n')}\n`)
  process.exitCode = 1
})

async function prepare(): Promise<FaultOf> {
  const { createRuntime } = await import('../../../../runtime/src/compose.ts')
  const { buildOpenApi } = await import('./openapi.ts')
  const { createAllRoutes } = await import('../routes/all.ts')
  const { createPeople } = await import('../../people/people.ts')
  const { nodeCrypto } = await import('rubicon-verifier')
  const { conformanceTo } = await import('./conformance.test-support.ts')
  const stateDirectory = mkdtempSync(join(tmpdir(), 'rubicon-document-'))
  const runtime = await createRuntime({ store: 'memory', stateDirectory })
  const engine = await runtime.start()
  const people = createPeople(() => [], nodeCrypto.sha256)
  const routes = createAllRoutes({ engine, people, host: '127.0.0.1', report: () => {} })
  await runtime.close()
  rmSync(stateDirectory, { recursive: true })
  return conformanceTo(buildOpenApi(routes))
}
