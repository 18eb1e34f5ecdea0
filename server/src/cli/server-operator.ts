/**
 * The operator at a running server: every call of a verb becomes one request through the generated
 * client, with the token of whoever asks. Whose word it is the server says, by that token.
 */
import { randomUUID } from 'node:crypto'
import type { ClientAnswer } from 'rubicon-agents'
import type { Client, DecideEscalationAsked } from 'rubicon-agents/client'
import { assertUnreachable, type Identity, type KeyBody, LIMITS } from 'rubicon-kernel'
import type { EscalationView } from 'rubicon-runtime/engine/approve'
import { CliFailure } from './failure.ts'
import type {
  AgentOperator,
  FlowOperator,
  KeyOperator,
  Operator,
  PersonOperator,
  WatchOperator,
} from './operator.ts'
import { toProblemFailure } from './shell/link.ts'

export function createServerOperator(client: Client): Operator {
  return {
    speaker: async () => unwrapServerAnswer(await client.getSession()).name,
    ...createAgentOperator(client),
    ...createKeyOperator(client),
    ...createPersonOperator(client),
    ...createFlowOperator(client),
    ...createWatchOperator(client),
  }
}

/** What was answered; a refusal is a failure of the verb, in the words of the server. */
function unwrapServerAnswer<Body>(answer: ClientAnswer<Body>): Body {
  if (answer.ok) return answer.body
  throw new CliFailure(toProblemFailure(answer.problem, {}))
}

/** A new intention: what was not heard is looked at before it is typed again. */
function createIdempotencyKey(): { readonly key: string } {
  return { key: randomUUID() }
}

function createAgentOperator(client: Client): AgentOperator {
  return {
    async deploy({ read: { agent_id }, source }, revoke_previous) {
      const asked = { params: { agent_id }, body: { source, revoke_previous } }
      return parseReply(unwrapServerAnswer(await client.deployContract(asked)))
    },
    // A hint for whoever holds the store; the console shows it.
    findPassedOverParents: () => Promise.resolve([]),
    async revokeContract(agent_id, reason) {
      const asked = { params: { agent_id }, body: { reason }, ...createIdempotencyKey() }
      return unwrapServerAnswer(await client.revokeContract(asked))
    },
    async move(id, to, justification) {
      const asked = { params: { id }, body: { to, justification }, ...createIdempotencyKey() }
      return unwrapServerAnswer(await client.moveAgent(asked)).from
    },
    async kill(id, justification) {
      const body = { to: 'SUSPENDED', justification, revoke: true } as const
      return parseReply(
        unwrapServerAnswer(
          await client.moveAgent({ params: { id }, body, ...createIdempotencyKey() }),
        ),
      )
    },
    async spawn({ class: id, instance, narrowing, parent }) {
      const body = {
        instance,
        ...(narrowing === undefined ? {} : { narrowing }),
        ...(parent === undefined ? {} : { parent }),
      }
      return parseReply(
        unwrapServerAnswer(
          await client.spawnInstance({ params: { id }, body, ...createIdempotencyKey() }),
        ),
      )
    },
  }
}

function createKeyOperator(client: Client): KeyOperator {
  return {
    async registerKey({ purpose, ...rest }) {
      if (purpose !== 'agent' && purpose !== 'approver') throw createRuntimeKeyFailure(purpose)
      const asked = { body: { purpose, ...rest }, ...createIdempotencyKey() }
      return parseReply(unwrapServerAnswer(await client.registerKey(asked)))
    },
    async retireKey(id) {
      unwrapServerAnswer(
        await client.retireKey({ params: { id }, body: {}, ...createIdempotencyKey() }),
      )
    },
    async compromiseKey(id, since_seq) {
      unwrapServerAnswer(
        await client.compromiseKey({
          params: { id },
          body: { since_seq },
          ...createIdempotencyKey(),
        }),
      )
    },
    async issueWrit(agent, hours, audience) {
      const to = audience === undefined ? {} : { audience }
      const asked = { body: { agent, hours, ...to }, ...createIdempotencyKey() }
      const { revoked: _, ...writ } = unwrapServerAnswer(await client.issueWrit(asked))
      return parseReply(writ)
    },
    async attenuateWrit(parent, { subject, kinds, budget, hours }) {
      const body = {
        agent: subject,
        parent,
        ...(kinds.length === 0 ? {} : { kinds }),
        ...(budget === null ? {} : { budget }),
        ...(hours === null ? {} : { hours }),
      }
      const { revoked: _, ...writ } = unwrapServerAnswer(
        await client.issueWrit({ body, ...createIdempotencyKey() }),
      )
      return parseReply(writ)
    },
    revokeWrit: async (id, reason) =>
      unwrapServerAnswer(
        await client.revokeWrit({ params: { id }, body: { reason }, ...createIdempotencyKey() }),
      ),
  }
}

function createRuntimeKeyFailure(purpose: KeyBody['purpose']): CliFailure {
  return new CliFailure({
    code: 'KEY_OF_RUNTIME',
    summary: `a key for \`${purpose}\` is one of the runtime itself`,
    why: 'it is changed by whoever holds the machine, not by a token',
    fix: 'stop the server, and do it without --server',
  })
}

function createPersonOperator(client: Client): PersonOperator {
  return {
    registerPerson: async (name) =>
      unwrapServerAnswer(await client.registerPerson({ body: { name } })),
    async linkPerson(person, identity) {
      const id = await resolvePerson(client, person)
      return unwrapServerAnswer(
        await client.linkIdentity({ params: { id }, body: toIdentityBody(identity) }),
      )
    },
    async unlinkPerson(person, identity) {
      const id = await resolvePerson(client, person)
      return unwrapServerAnswer(
        await client.unlinkIdentity({ params: { id }, query: toIdentityBody(identity) }),
      )
    },
    async mergePersons(person, other) {
      const id = await resolvePerson(client, person)
      const into = await resolvePerson(client, other)
      return unwrapServerAnswer(await client.mergePersons({ params: { id }, body: { into } }))
    },
  }
}

/** By id, or by a name that they have. */
async function resolvePerson(client: Client, text: string): Promise<string> {
  const limit = String(LIMITS.listed)
  for (let cursor: string | undefined; ; ) {
    const page = unwrapServerAnswer(await client.listPersons({ query: { limit, cursor } }))
    const found = page.persons.find(
      ({ person_id, names }) => person_id === text || names.includes(text),
    )
    if (found !== undefined) return found.person_id
    if (page.next === null) return text
    cursor = page.next
  }
}

function toIdentityBody(identity: Identity): Readonly<Record<string, string>> {
  switch (identity.kind) {
    case 'name':
      return { name: identity.name }
    case 'oidc':
      return { issuer: identity.issuer, sub: identity.sub }
    default:
      return assertUnreachable(identity)
  }
}

function createFlowOperator(client: Client): FlowOperator {
  return {
    // Only whoever reads the store finds it by its beginning.
    resolveFlow: (given) => Promise.resolve(given),
    async cancelFlow(dfid, reason) {
      unwrapServerAnswer(await client.cancelFlow({ params: { dfid }, body: { reason } }))
    },
    planErasure: async (dfid) => unwrapServerAnswer(await client.planErasure({ params: { dfid } })),
    erase: async (dfid, reason) =>
      unwrapServerAnswer(
        await client.eraseFlow({ params: { dfid }, body: { reason }, ...createIdempotencyKey() }),
      ),
    async resolve(dfid, step, { outcome, evidence, justification }) {
      const body = { outcome, evidence, justification }
      if (step === undefined)
        return unwrapServerAnswer(
          await client.resolveFlow({ params: { dfid }, body, ...createIdempotencyKey() }),
        ).standing
      const params = { id: `${dfid}:${step}` }
      return unwrapServerAnswer(
        await client.resolveExecution({ params, body, ...createIdempotencyKey() }),
      ).status
    },
    readEscalation: async (id) =>
      parseReply<EscalationView>(
        unwrapServerAnswer(await client.getEscalation({ params: { id } })),
      ),
    async decide(id, body, _principal) {
      const asked = {
        params: { id },
        body: parseReply<DecideEscalationAsked['body']>(body),
        ...createIdempotencyKey(),
      }
      return parseReply(unwrapServerAnswer(await client.decideEscalation(asked)))
    },
    async branchTrajectory({ source: { trajectory: id, seq }, name, note }) {
      const asked = { params: { id }, body: { seq, name, note }, ...createIdempotencyKey() }
      return unwrapServerAnswer(await client.branchTrajectory(asked))
    },
  }
}

function createWatchOperator(client: Client): WatchOperator {
  return {
    deployMonitor: async ({ read: { name }, source }) =>
      unwrapServerAnswer(await client.deployMonitor({ params: { name }, body: { source } })),
    async withdrawMonitor(name, reason) {
      const asked = { params: { name }, body: { reason }, ...createIdempotencyKey() }
      return unwrapServerAnswer(await client.withdrawMonitor(asked))
    },
    registerSource: async (source) =>
      parseReply(unwrapServerAnswer(await client.registerSource({ body: parseReply(source) }))),
    retireSource: async (source) =>
      unwrapServerAnswer(await client.retireSource({ params: { source } })),
    confirmClock: async (reason) =>
      parseReply(unwrapServerAnswer(await client.confirmClock({ body: { reason } }))),
  }
}

/** As the schema of its route says: the types of the wire are wider than ours. */
function parseReply<T>(body: unknown): T {
  return body as T
}
