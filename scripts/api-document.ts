/** The API document, of a runtime that nobody uses. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeCrypto } from 'rubicon-verifier'
import { createRuntime } from '../runtime/src/compose.ts'
import { createAllRoutes } from '../server/src/http/routes/all.ts'
import { buildOpenApi } from '../server/src/http/schemas/openapi.ts'
import { createPeople } from '../server/src/people/people.ts'
import type { ApiDocument } from './client-text.ts'

export async function generateApiDocument(): Promise<ApiDocument> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'rubicon-api-'))
  const runtime = await createRuntime({ store: 'memory', stateDirectory })
  const engine = await runtime.start()
  const people = createPeople(() => [], nodeCrypto.sha256)
  const routes = createAllRoutes({ engine, people, host: '127.0.0.1', report: () => {} })
  await runtime.close()
  rmSync(stateDirectory, { recursive: true })
  return parseDocument(buildOpenApi(routes))
}

/** We have just made it. */
function parseDocument(made: unknown): ApiDocument {
  return made as ApiDocument
}
