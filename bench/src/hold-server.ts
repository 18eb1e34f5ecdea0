/** The server of `bench hold`: a store with agents and people, and a real `rubicon up` on it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRuntime } from 'rubicon-runtime'
import { makeAgentKey, signHandshakeBody } from '../../server/src/http/agent-auth/agent-key.ts'
import { serve } from '../../server/src/http/serve.ts'
import { issueToken } from '../../server/src/people/issue-token.ts'
import { buildHoldContract, capabilities, NOISY, policies, QUIET, STOPPED } from './hold-cast.ts'
import { createHeldKey, type HeldAgentKey } from './sign-now.ts'

const RUBICON = fileURLToPath(new URL('../../server/bin/rubicon.js', import.meta.url))
const RULES = fileURLToPath(new URL('./hold-cast.ts', import.meta.url))

export type HoldCast = {
  readonly operator: string
  readonly auditors: readonly string[]
  readonly readers: readonly string[]
  readonly trier: string
  readonly taker: string
  readonly handshakeOf: (agent: string) => Promise<object>
  readonly keys: ReadonlyMap<string, HeldAgentKey>
}

export type HoldServer = { readonly url: string; readonly child: ChildProcess }

function toPlace(folder: string): { readonly store: string; readonly stateDirectory: string } {
  return { store: `sqlite:${join(folder, 'hold.db')}`, stateDirectory: join(folder, 'state') }
}

export async function prepareCast(folder: string): Promise<HoldCast> {
  const place = toPlace(folder)
  const runtime = await createRuntime({ ...place, capabilities, policies, report: () => {} })
  const agents = [QUIET, NOISY, ...STOPPED]
  for (const agent of agents) await runtime.deploy(buildHoldContract(agent))
  const { token } = await serve(runtime, { port: 0 })
  if (token === null) throw new Error('a new store has a first token')
  const issueAuditorToken = (name: string): string =>
    issueToken({ name, roles: ['auditor'] }, place).token
  // Each has places of its own for what is under way.
  const people = {
    auditors: ['ann', 'ben'].map(issueAuditorToken),
    readers: ['cat', 'dan'].map(issueAuditorToken),
    trier: issueAuditorToken('eve'),
    taker: issueAuditorToken('fay'),
  }
  const { engine } = runtime
  const keys = new Map<string, HeldAgentKey>()
  for (const agent of agents) {
    const held = await createHeldKey()
    const key = await makeAgentKey(engine, agent, held.key)
    if (!key.ok) throw new Error(key.error.summary)
    keys.set(agent, held)
  }
  await runtime.close()
  const buildHandshake = async (agent: string): Promise<object> => {
    const held = keys.get(agent)
    if (held === undefined) throw new Error(`there is no key of ${agent}`)
    return signHandshakeBody(engine, agent, held.key)
  }
  return { operator: token, ...people, handshakeOf: buildHandshake, keys }
}

export async function startServer(folder: string): Promise<HoldServer> {
  const { store, stateDirectory } = toPlace(folder)
  const place = ['--store', store, '--state', stateDirectory]
  const child = spawn(
    process.execPath,
    [RUBICON, 'up', ...place, '--rules', RULES, '--port', '0', '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const url = /"url": *"([^"]+)"/.exec(said)?.[1]
    if (url !== undefined) {
      child.stdout.resume()
      return { url, child }
    }
  }
  throw new Error(`the server did not start: ${said}`)
}
