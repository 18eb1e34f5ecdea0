/**
 * The MCP server of the carrier, as a program: the gateway of the demo starts it and speaks with it over its input and
 * output. It reaches nothing, and knows every parcel.
 */
import { createInterface } from 'node:readline'
import { CARRIER_TOOLS } from './tools.ts'

type Message = {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = parseMessage(line)
  // A notice is not answered.
  if (message?.id === undefined) return
  const { id, method, params = {} } = message
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) })}\n`)
})

function parseMessage(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Message) : null
  } catch {
    return null
  }
}

function answer(method: string | undefined, params: Readonly<Record<string, unknown>>): object {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'carrier of the demo', version: '1' },
        },
      }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: CARRIER_TOOLS } }
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: describeCall(params) }] } }
    default:
      return { error: { code: -32_601, message: 'there is no such method' } }
  }
}

function describeCall({ name, arguments: given }: Readonly<Record<string, unknown>>): string {
  const { parcel = 'it', day = '' } =
    typeof given === 'object' && given !== null ? ({ ...given } as Record<string, unknown>) : {}
  if (name === 'track_parcel') return `${parcel} is in the depot; it comes tomorrow before noon`
  if (name === 'book_pickup') return `${parcel} is fetched on ${day}`
  return `${parcel}: done`
}
