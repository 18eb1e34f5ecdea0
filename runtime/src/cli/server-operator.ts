/**
 * The operator at a running server: every call of a verb becomes one request through the generated
 * client, with the token of whoever asks. Whose word it is the server says, by that token.
 */
import { randomUUID } from 'node:crypto'
import { assertUnreachable, type Identity, type KeyBody, LIMITS } from 'rubicon-kernel'
import type { Answer } from '../client/call.ts'
import type { Client, DecideEscalationAsked } from '../client/generated.ts'
import type { EscalationView } from '../engine/escalate/list.ts'
import { CliFailure } from './failure.ts'
import type {
  AgentOperator,
  FlowOperator,
  KeyOperator,
  Operator,
  PersonOperator,
  WatchOperator,
} from './operator.ts'
import { failureOf } from './shell/link.ts'

export function serverOperator(client: Client): Operator {
  return {
    speaker: async () => answered(await client.getSession()).name,
    ...agents(client),
    ...keys(client),
    ...persons(client),
    ...flows(client),
    ...watches(client),
  }
}

/** What was answered; a refusal is a failure of the verb, in the words of the server. */
function answered<Body>(answer: Answer<Body>): Body {
  if (answer.ok) return answer.body
  throw new CliFailure(failureOf(answer.problem, {}))
}

/** A new intention: what was not heard is looked at before it is typed again. */
function once(): { readonly key: string } {
  return { key: randomUUID() }
}

function agents(client: Client): AgentOperator {
  return {
    async deploy({ read: { agent_id }, source }, revoke_previous) {
      const asked = { params: { agent_id }, body: { source, revoke_previous } }
      return parseReply(answered(await client.deployContract(asked)))
    },
    // A hint for whoever holds the store; the console shows it.
    passedOver: () => Promise.resolve([]),
    async revokeContract(agent_id, reason) {
      const asked = { params: { agent_id }, body: { reason }, ...once() }
      return answered(await client.revokeContract(asked))
    },
    async move(id, to, justification) {
      const asked = { params: { id }, body: { to, justification }, ...once() }
      return answered(await client.moveAgent(asked)).from
    },
    async kill(id, justification) {
      const body = { to: 'SUSPENDED', justification, revoke: true } as const
      return parseReply(answered(await client.moveAgent({ params: { id }, body, ...once() })))
    },
    async spawn({ class: id, instance, narrowing, parent }) {
      const body = {
        instance,
        ...(narrowing === undefined ? {} : { narrowing }),
        ...(parent === undefined ? {} : { parent }),
      }
      return parseReply(answered(await client.spawnInstance({ params: { id }, body, ...once() })))
    },
  }
}

function keys(client: Client): KeyOperator {
  return {
    async registerKey({ purpose, ...rest }) {
      if (purpose !== 'agent' && purpose !== 'approver') throw ofRuntime(purpose)
      const asked = { body: { purpose, ...rest }, ...once() }
      return parseReply(answered(await client.registerKey(asked)))
    },
    async retireKey(id) {
      answered(await client.retireKey({ params: { id }, body: {}, ...once() }))
    },
    async compromiseKey(id, since_seq) {
      answered(await client.compromiseKey({ params: { id }, body: { since_seq }, ...once() }))
    },
    async issueWrit(agent, hours, audience) {
      const to = audience === undefined ? {} : { audience }
      const asked = { body: { agent, hours, ...to }, ...once() }
      const { revoked: _, ...writ } = answered(await client.issueWrit(asked))
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
      const { revoked: _, ...writ } = answered(await client.issueWrit({ body, ...once() }))
      return parseReply(writ)
    },
    revokeWrit: async (id, reason) =>
      answered(await client.revokeWrit({ params: { id }, body: { reason }, ...once() })),
  }
}

function ofRuntime(purpose: KeyBody['purpose']): CliFailure {
  return new CliFailure({
    code: 'KEY_OF_RUNTIME',
    summary: `a key for \`${purpose}\` is one of the runtime itself`,
    why: 'it is changed by whoever holds the machine, not by a token',
    fix: 'stop the server, and do it without --server',
  })
}

function persons(client: Client): PersonOperator {
  return {
    registerPerson: async (name) => answered(await client.registerPerson({ body: { name } })),
    async linkPerson(person, identity) {
      const id = await personMeant(client, person)
      return answered(await client.linkIdentity({ params: { id }, body: textsOf(identity) }))
    },
    async unlinkPerson(person, identity) {
      const id = await personMeant(client, person)
      return answered(await client.unlinkIdentity({ params: { id }, query: textsOf(identity) }))
    },
    async mergePersons(person, other) {
      const id = await personMeant(client, person)
      const into = await personMeant(client, other)
      return answered(await client.mergePersons({ params: { id }, body: { into } }))
    },
  }
}

/** By id, or by a name that they have. */
async function personMeant(client: Client, text: string): Promise<string> {
  const limit = String(LIMITS.listed)
  for (let cursor: string | undefined; ; ) {
    const page = answered(await client.listPersons({ query: { limit, cursor } }))
    const found = page.persons.find(
      ({ person_id, names }) => person_id === text || names.includes(text),
    )
    if (found !== undefined) return found.person_id
    if (page.next === null) return text
    cursor = page.next
  }
}

function textsOf(identity: Identity): Readonly<Record<string, string>> {
  switch (identity.kind) {
    case 'name':
      return { name: identity.name }
    case 'oidc':
      return { issuer: identity.issuer, sub: identity.sub }
    default:
      return assertUnreachable(identity)
  }
}

function flows(client: Client): FlowOperator {
  return {
    // Only whoever reads the store finds it by its beginning.
    flowMeant: (given) => Promise.resolve(given),
    async cancelFlow(dfid, reason) {
      answered(await client.cancelFlow({ params: { dfid }, body: { reason } }))
    },
    planErasure: async (dfid) => answered(await client.planErasure({ params: { dfid } })),
    erase: async (dfid, reason) =>
      answered(await client.eraseFlow({ params: { dfid }, body: { reason }, ...once() })),
    async resolve(dfid, step, { outcome, evidence, justification }) {
      const body = { outcome, evidence, justification }
      if (step === undefined)
        return answered(await client.resolveFlow({ params: { dfid }, body, ...once() })).standing
      const params = { id: `${dfid}:${step}` }
      return answered(await client.resolveExecution({ params, body, ...once() })).status
    },
    escalation: async (id) =>
      parseReply<EscalationView>(answered(await client.getEscalation({ params: { id } }))),
    async decide(id, body, _principal) {
      const asked = {
        params: { id },
        body: parseReply<DecideEscalationAsked['body']>(body),
        ...once(),
      }
      return parseReply(answered(await client.decideEscalation(asked)))
    },
    async branch({ source: { trajectory: id, seq }, name, note }) {
      const asked = { params: { id }, body: { seq, name, note }, ...once() }
      return answered(await client.branchTrajectory(asked))
    },
  }
}

function watches(client: Client): WatchOperator {
  return {
    deployMonitor: async ({ read: { name }, source }) =>
      answered(await client.deployMonitor({ params: { name }, body: { source } })),
    async withdrawMonitor(name, reason) {
      const asked = { params: { name }, body: { reason }, ...once() }
      return answered(await client.withdrawMonitor(asked))
    },
    registerSource: async (source) =>
      parseReply(answered(await client.registerSource({ body: parseReply(source) }))),
    retireSource: async (source) => answered(await client.retireSource({ params: { source } })),
    confirmClock: async (reason) =>
      parseReply(answered(await client.confirmClock({ body: { reason } }))),
  }
}

/** As the schema of its route says: the types of the wire are wider than ours. */
function parseReply<T>(body: unknown): T {
  return body as T
}
