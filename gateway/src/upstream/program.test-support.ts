/** An MCP server of a few lines, as a program: how it answers is given as the body of a function. */
import type { TestContext } from 'node:test'
import type { EffectIo } from 'rubicon-runtime/ports'
import { sha256 } from 'rubicon-runtime/system'
import type { ManifestAnswer, ManifestCall } from 'rubicon-runtime/tools'
import { computePin, type ToolDefinition } from '../definition/tool-definition.ts'
import { createMcpHands } from './mcp-hands.ts'
import { type FilledTexts, Upstream, type UpstreamOptions } from './upstream.ts'

const PROGRAM = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const TOOL = ${JSON.stringify({ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } })}
// One that nobody closes does not stay.
setTimeout(() => process.exit(1), 15000).unref()
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = (result) => say({ id, result })
  const refuse = (code, message) => say({ id, error: { code, message } })
  if (method === 'initialize' && !globalThis.own)
    return answer({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'fake', version: '1' },
    })
  respond({ method, params, answer, refuse })
})
`

export const PAY: ToolDefinition = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object' },
}

const DONE = `answer({ content: [{ type: 'text', text: 'paid' }] })`

export type Answers = { readonly list?: string; readonly call?: string; readonly before?: string }

/** `list` and `call` are statements that answer; `before` runs when the program starts. */
export function startProgram(
  t: TestContext,
  { list = 'answer({ tools: [TOOL] })', call = DONE, before = '' }: Answers,
  filled: FilledTexts = { texts: {}, secrets: [] },
  options: Partial<UpstreamOptions> = {},
): Upstream {
  const respond = `function respond({ method, params, answer, refuse }) {
    if (method === 'tools/list') { ${list} }
    else if (method === 'tools/call') { ${call} }
  }`
  const argv = [process.execPath, '-e', `${respond}\n${PROGRAM}\n${before}`]
  const config = { kind: 'program', argv, env: {}, era: 'legacy' } as const
  const upstream = new Upstream('fake', config, { readTexts: async () => filled, ...options })
  t.after(() => upstream.close())
  return upstream
}

const CALL: ManifestCall = {
  kind: 'mcp.fake.pay',
  agent_id: 'bot',
  params: {},
  purpose: 'effect',
}

export function callPay(
  upstream: Upstream,
  time: Pick<EffectIo, 'signal'> = new AbortController(),
): Promise<ManifestAnswer> {
  const mcp = { server: 'fake', tool: 'pay', pin: computePin(PAY, sha256) }
  return createMcpHands(new Map([['fake', upstream]]), sha256).execute({ mcp }, CALL, toIo(time))
}

export function readNote(upstream: Upstream): Promise<ManifestAnswer> {
  const mcp_read = { server: 'fake', method: 'resources/read' } as const
  const call = { ...CALL, kind: 'mcp.fake.resources.read', params: { uri: 'a:b' } }
  const hands = createMcpHands(new Map([['fake', upstream]]), sha256)
  return hands.execute({ mcp_read }, call, toIo(new AbortController()))
}

function toIo(time: Pick<EffectIo, 'signal'>): EffectIo {
  const numbers = { idempotencyKey: 'a', send: 1, fence: 1 }
  return Object.defineProperty(numbers, 'signal', { get: () => time.signal }) as EffectIo
}
