/** A runtime with the cast of a filled store, behind its server on loopback, and who may ask it. */

import type { AgentKey } from 'rubicon-agents'
import { hashText } from 'rubicon-kernel'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { nodeCrypto } from 'rubicon-verifier'
import {
  makeAgentKey,
  requestSigner,
  signHandshakeBody,
} from '../../server/src/http/agent-auth/agent-key.ts'
import type { HttpPlace } from '../../server/src/http/agent-auth/client.ts'
import { createLookups } from '../../server/src/http/lookups/lookup-thread.ts'
import { startServer } from '../../server/src/http/server.ts'
import { createPeople } from '../../server/src/people/people.ts'
import { PERSON_ROLES } from '../../server/src/people/principal.ts'
import { AGENTS, buildFillContract, FILL_CAPABILITIES } from './fill-cast.ts'
import { createHeldKey } from './sign-now.ts'

export type BenchServer = {
  readonly runtime: Runtime
  readonly url: string
  /** Tokens of people, who may see everything. */
  readonly people: readonly string[]
  /** What went wrong inside. */
  readonly reports: readonly string[]
  close(): Promise<void>
}

export type BenchAgent = {
  readonly agent: string
  readonly key: AgentKey
  /** The same, for another process. */
  readonly private_key: string
  readonly token: string
}

export type BenchPlace = {
  readonly store: string
  /** Where keys are, if not where they belong. */
  readonly state?: string
}

export async function serveBench(
  { store, state }: BenchPlace,
  persons: number,
): Promise<BenchServer> {
  const runtime = await createRuntime({
    store,
    ...(state === undefined ? {} : { stateDirectory: state }),
    capabilities: FILL_CAPABILITIES,
    report: () => {},
  })
  for (const agent of AGENTS) await runtime.deploy(buildFillContract(agent))
  const people = Array.from({ length: persons }, (_, i) => `bench-${i}-${'x'.repeat(32)}`)
  const known = people.map((token, i) => ({
    name: `person_${i}`,
    roles: PERSON_ROLES,
    token_hash: hashText(token, nodeCrypto.sha256),
  }))
  const reports: string[] = []
  const lookups = createLookups(runtime)
  const started = await startServer(
    {
      engine: runtime.engine,
      ...(lookups === null ? {} : { lookups }),
      people: createPeople(() => known, nodeCrypto.sha256),
      host: '127.0.0.1',
      report: (line) => reports.push(line),
    },
    0,
  )
  if (!started.ok) throw new Error(started.error.summary)
  const { url, close } = started.value
  return {
    runtime,
    url,
    people,
    reports,
    async close() {
      await close()
      await lookups?.close()
      await runtime.close()
    },
  }
}

/** All agents of the cast, each with a key of its own and in a session. */
export async function greetAgents({ runtime }: BenchServer): Promise<readonly BenchAgent[]> {
  const { engine } = runtime
  const greeted: BenchAgent[] = []
  for (const agent of AGENTS) {
    const held = await createHeldKey()
    const key = await makeAgentKey(engine, agent, held.key)
    if (!key.ok) throw new Error(key.error.summary)
    const shaken = await engine.handshake(await signHandshakeBody(engine, agent, key.value))
    if (!shaken.ok) throw new Error(shaken.error.summary)
    greeted.push({ agent, ...held, token: shaken.value.session_token })
  }
  return greeted
}

/** Where such an agent asks. */
export function toHttpPlace({ runtime, url }: BenchServer, { key, token }: BenchAgent): HttpPlace {
  return { url, token, sign: requestSigner(runtime.engine, key) }
}
