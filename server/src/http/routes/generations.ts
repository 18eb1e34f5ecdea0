/** Models, asked for the agent of a flow. */
import type { JsonValue } from 'rubicon-kernel'
import type { GenerationIo, GenerationRequest } from 'rubicon-runtime/engine/generate'
import { pickSession } from '../agent-auth/session-of.ts'
import { GenerationStream } from '../events/generation-stream.ts'
import { createLookupHandler } from '../lookups/lookup.ts'
import { toProblemReply } from '../problems/problem.ts'
import { generation, generationRequest, keptGeneration } from '../schemas/generation.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies that gather answers would hold the words back.
  'x-accel-buffering': 'no',
}

export function createGenerationRoutes({ engine, lookups }: RouteParts): readonly Route[] {
  const { clock } = engine.context
  const ask = async (
    { principal, params, body }: RouteRequest,
    io: GenerationIo,
  ): Promise<Reply> => {
    const options = { ...pickSession(principal), ...io }
    const made = await engine.generate(params.dfid ?? '', parseGenerationRequest(body), options)
    return made.ok ? toReply(made.value) : toProblemReply(made.error)
  }
  return [
    {
      method: 'POST',
      path: '/v1/flows/:dfid/generations',
      operation: 'generate',
      summary: 'ask a model for the agent of a flow, within its budgets',
      roles: ['agent'],
      body: generationRequest,
      // It waits for somebody outside: nothing of its asker waits for that.
      beside: true,
      streams: true,
      reply: generation,
      handle(asked) {
        if (!asked.wantsEvents) return ask(asked, {})
        const stream = new GenerationStream((io) => ask(asked, io), clock)
        return { status: 200, body: {}, headers: HEADERS, stream }
      },
    },
    {
      method: 'GET',
      path: '/v1/flows/:dfid/generations/:id',
      operation: 'getGeneration',
      summary: 'what a model was asked and said, word for word',
      roles: ['operator', 'approver', 'auditor'],
      reply: keptGeneration,
      handle: createLookupHandler(lookups, 'getGeneration'),
    },
  ]
}

/** As its schema says. */
function parseGenerationRequest(body: JsonValue): GenerationRequest {
  return body as unknown as GenerationRequest
}
