import type { Tool } from '@modelcontextprotocol/server'

/** The one tool of the gateway itself. */
export const RESULT_TOOL: Tool = {
  name: 'rubicon_result',
  description: 'What became of a call that waited for a person, or whose outcome was not known.',
  inputSchema: {
    type: 'object',
    properties: { dfid: { type: 'string', description: 'as the call was answered' } },
    required: ['dfid'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
}
