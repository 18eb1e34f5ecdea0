/**
 * A second server on the same store, with an engine of its own behind it: what the first one has seen, only
 * the store can have told it. It may stand behind a proxy, and have small limits, so that few requests reach them.
 */
import { randomUUID } from 'node:crypto'
import type { Engine } from '../../../runtime/src/engine/engine.ts'
import { requestSigner } from '../../../server/src/http/agent-auth/agent-key.ts'
import { ask, type HttpAnswer } from '../../../server/src/http/agent-auth/client.ts'
import { createLocalLookups } from '../../../server/src/http/lookups/all.ts'
import type { Method } from '../../../server/src/http/schemas/route.ts'
import { type RunningServer, startServer } from '../../../server/src/http/server.ts'
import type { ServerParts } from '../../../server/src/http/server-parts.ts'
import type { People } from '../../../server/src/people/people.ts'
import { buildShopCapabilities } from './shop-capabilities.ts'
import { buildShopPolicies } from './shop-rules.ts'
import type { OtherDeps, Stage } from './stage.ts'

export type SecondServer = {
  readonly url: string
  /** As an agent, in its session. */
  readonly as: (agent: string, method: Method, path: string, body?: unknown) => Promise<HttpAnswer>
}

export type SecondParts = Pick<
  ServerParts,
  'proxies' | 'rate' | 'strangers' | 'underWay' | 'connections' | 'draftMs' | 'metrics'
> & {
  readonly deps?: Partial<OtherDeps>
  /** Whose tokens count there; those of the shop when nobody says. */
  readonly people?: People
}

/** It is there while the work goes on. */
export async function useSecondServer(
  stage: Stage,
  { deps = {}, ...parts }: SecondParts,
  work: (second: SecondServer) => Promise<void>,
): Promise<void> {
  const capabilities = buildShopCapabilities((one) => void stage.sent.push(one))
  const engine = stage.createSecondEngine(capabilities, buildShopPolicies(), deps)
  const begun = await engine.start()
  if (!begun.ok) throw new Error(begun.error.summary)
  const server = await serve(stage, engine, parts)
  try {
    await work({ url: server.url, as: (agent, ...asked) => askAs(stage, server, agent, asked) })
  } finally {
    await server.close()
  }
}

async function askAs(
  { engine, wire }: Stage,
  { url }: RunningServer,
  agent: string,
  [method, path, body]: readonly [method: Method, path: string, body?: unknown],
): Promise<HttpAnswer> {
  const token = await wire.getLiveSession(agent)
  const sign = requestSigner(engine, await wire.getKey(agent))
  const headers = method === 'GET' ? {} : { 'idempotency-key': randomUUID() }
  const question = body === undefined ? { headers } : { headers, body }
  return ask({ url, token, sign }, method, path, question)
}

async function serve(
  stage: Stage,
  engine: Engine,
  { people = stage.wire.people, ...parts }: Omit<SecondParts, 'deps'>,
): Promise<RunningServer> {
  const started = await startServer(
    {
      engine: stage.countReached(engine),
      lookups: stage.countReached(createLocalLookups(engine.context)),
      people: stage.countReached(people),
      host: '127.0.0.1',
      report: () => {},
      ...parts,
    },
    0,
  )
  if (!started.ok) throw new Error(started.error.summary)
  return started.value
}
