/**
 * The API document for a fuzzer: as it is served, and with names of things that are there, so that more is
 * asked than what is not found. What answers must be is left as it is.
 */
import { ask, type HttpPlace } from '../../server/src/http/agent-auth/client.ts'

type Json = ReturnType<typeof JSON.parse>

/** The path under which something is named, with where its names are listed. */
const LISTED: readonly (readonly [under: string, list: string, nameOf: (body: Json) => Json])[] = [
  ['/v1/agents/', '/v1/agents', (body) => body.agents.map((one: Json) => one.agent_id)],
  ['/v1/contracts/', '/v1/agents', (body) => body.agents.map((one: Json) => one.agent_id)],
  ['/v1/flows/', '/v1/flows', (body) => body.flows.map((one: Json) => one.dfid)],
  ['/v1/bundles/', '/v1/flows', (body) => body.flows.map((one: Json) => one.dfid)],
  ['/v1/escalations/', '/v1/escalations', (body) => body.escalations.map((one: Json) => one.id)],
  [
    '/v1/executions/',
    '/v1/executions',
    (body) => body.executions.map((one: Json) => `${one.dfid}:${one.step_id}`),
  ],
  ['/v1/keys/', '/v1/keys', (body) => body.keys.map((one: Json) => one.key_id)],
  ['/v1/writs/', '/v1/writs', (body) => body.writs.map((one: Json) => one.id)],
  [
    '/v1/trajectories/',
    '/v1/trajectories',
    (body) => body.trajectories.map((one: Json) => one.trajectory),
  ],
  ['/v1/ledger/entries/', '/v1/flows', () => ['0', '1', '2', '3']],
]

export async function prepareDocument(operator: HttpPlace): Promise<Json> {
  const { body: document } = await ask(operator, 'GET', '/openapi.json')
  for (const [under, list, namesOf] of LISTED) {
    const { status, body } = await ask(operator, 'GET', list)
    if (status !== 200) throw new Error(`${list} answered ${status}`)
    const names = [...new Set(namesOf(body))].slice(0, 8)
    if (names.length === 0) continue
    for (const [path, methods] of Object.entries<Json>(document.paths))
      if (path.startsWith(`${under}{`))
        for (const operation of Object.values<Json>(methods)) addNames(operation, names)
  }
  return document
}

function addNames(operation: Json, names: readonly unknown[]): void {
  const first = operation.parameters.find((parameter: Json) => parameter.in === 'path')
  first.schema = { anyOf: [{ type: 'string', enum: names }, first.schema] }
}
