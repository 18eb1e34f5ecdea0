/** What `bench mcp` asks for in one act: an effect of the class that the measured tool has, and with nothing behind it. */
import type { Capability } from 'rubicon-runtime'

export const capabilities: readonly Capability[] = [
  {
    kind: 'ECHO',
    summary: 'say a text again',
    effect: 'unsafe',
    risk: 'medium',
    reversible: true,
    touches: 'none',
    params: {
      type: 'object',
      properties: { message: { type: 'string' } },
      required: ['message'],
      additionalProperties: false,
    },
    measures: {},
    execute: ({ params }) => ({
      result: { content: [{ type: 'text', text: `Echo: ${String(params.message)}` }] },
    }),
  },
]
