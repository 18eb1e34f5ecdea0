/** Instances of an agent, made by operators under its contract or less. */
import { type JsonObject, type JsonValue, LIMITS } from 'rubicon-kernel'
import type { Spawned } from 'rubicon-runtime/engine/authority'
import { toProblemReply } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  boolean,
  buildClosedObject,
  buildWholeObject,
  identifier,
  nameSchema,
  string,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const spawned = nameSchema(
  'SpawnedInstance',
  buildWholeObject<Spawned>({
    agent_id: string,
    instance_of: string,
    version: string,
    contract_hash: string,
    unchanged: boolean,
  }),
)

const spawning = buildClosedObject(
  {
    instance: identifier,
    narrowing: {
      type: 'object',
      maxProperties: LIMITS.json.keys,
      description: 'a merge patch on the contract of the class: only what is narrower',
    },
    /** The class, or the parent of the class. */
    parent: identifier,
  },
  ['instance'],
)

type Spawning = {
  readonly instance: string
  readonly narrowing?: JsonObject
  readonly parent?: string
}

export function createInstanceRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/agents/:id/instances',
      operation: 'spawnInstance',
      summary: 'make an instance of an agent, under its contract or less',
      roles: ['operator'],
      body: spawning,
      once: true,
      reply: spawned,
      status: 201,
      async handle({ params: { id = '' }, body }) {
        const made = await engine.instances.spawn({ class: id, ...parseSpawning(body) })
        return made.ok ? toReply(made.value, 201) : toProblemReply(made.error)
      },
    },
  ]
}

function parseSpawning(body: JsonValue): Spawning {
  return body as unknown as Spawning
}
