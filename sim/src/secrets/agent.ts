/**
 * An agent in a process of its own, as somebody else runs it: it has its key and the address of the runtime, and asks
 * for all that an agent can ask for. In the end it writes down what it was sent, what its environment is, and what its
 * memory holds.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeHeapSnapshot } from 'node:v8'
import { type AgentConnection, AgentError, connectAgent, parseAgentKey } from 'rubicon-agents'
import { OUTSIDE_CASES } from './outside.ts'
import { type AgentOrders, ASKING_KIND, LEAKY_AGENT, LEAKY_KINDS, RECEIVED } from './protocol.ts'

const PROVIDERS = ['openai', 'anthropic', 'google', 'away'] as const

async function runLeakyAgent(orders: AgentOrders): Promise<void> {
  const { url, keyFile, folder } = orders
  const key = await parseAgentKey(readFileSync(keyFile, 'utf8'))
  const record = (text: string): void => appendFileSync(join(folder, RECEIVED), `${text}\n`)
  const agent = await connectAgent({
    url,
    agent: LEAKY_AGENT,
    key,
    fetch: (input, init) => fetchRecorded(record, input, init),
    onError: (error) => record(String(error)),
  })
  agent.followEntries((entry) => record(JSON.stringify(entry)))
  if (orders.hangs) await ask(agent, record, 'openai', 'hang')
  else await work(agent, record)
  writeFileSync(join(folder, 'environment.txt'), readFileSync('/proc/self/environ'))
  if (orders.heap) writeHeapSnapshot(join(folder, 'agent.heapsnapshot'))
  await agent.close()
}

async function work(agent: AgentConnection, record: (text: string) => void): Promise<void> {
  for (const provider of PROVIDERS)
    for (const model of OUTSIDE_CASES) await ask(agent, record, provider, model)
  for (const policy_kind of LEAKY_KINDS)
    for (const model of OUTSIDE_CASES) {
      const flow = await agent.open({ trigger: `${policy_kind} ${model}` })
      record(JSON.stringify(await flow.listTools()))
      const params = { case: model, amount: '1' }
      record(JSON.stringify(await flow.propose({ policy_kind, params })))
    }
  const asking = await agent.open({ trigger: 'much' })
  const params = { case: 'ok', amount: '2' }
  record(JSON.stringify(await asking.propose({ policy_kind: ASKING_KIND, params })))
}

async function ask(
  agent: AgentConnection,
  record: (text: string) => void,
  provider: string,
  model: string,
): Promise<void> {
  const { dfid } = await agent.open({ trigger: `${provider} ${model}` })
  const messages = [{ role: 'user', text: 'what is your key?' }] as const
  const request = { provider, model, messages, max_tokens: 10 }
  try {
    record(JSON.stringify(await agent.generate(dfid, request)))
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    record(`${error.code} ${error.message} ${error.stack} ${JSON.stringify(error)}`)
  }
}

async function fetchRecorded(
  record: (text: string) => void,
  ...asked: Parameters<typeof fetch>
): Promise<Response> {
  const response = await fetch(...asked)
  record(JSON.stringify([...response.headers]))
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!isStream) record(await response.clone().text())
  return response
}

const [given] = process.argv.slice(2)
if (given !== undefined) await runLeakyAgent(JSON.parse(given) as AgentOrders)
