/** Contracts, as text of people: checked, put in force, looked at, revoked. */
import {
  AUTHORITY,
  type Contract,
  findShownContract,
  findUnenforcedRules,
  hashContract,
  type JsonValue,
  LIMITS,
} from 'rubicon-kernel'
import {
  type Change,
  describeContract,
  formatContract,
  listDocumentChanges,
} from 'rubicon-runtime/contract-file'
import type { Engine } from 'rubicon-runtime/engine'
import { findUnansweredInForce, listContractVersions } from 'rubicon-runtime/engine/authority'
import { toCameBy } from '../../people/person-asking.ts'
import { toSignedBy } from '../../people/principal.ts'
import { type AskDraft, createDraftAsker } from '../drafts/drafts-of.ts'
import { buildHttpProblem, toProblemReply } from '../problems/problem.ts'
import { toUnreadableView } from '../problems/unreadable-view.ts'
import {
  checkedContract,
  deployedContract,
  revoked,
  contractVersions as versionsSchema,
} from '../schemas/contract.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import { allowNull, boolean, buildClosedObject, identifier, text } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { refuseUnknownAgent } from './agent.ts'

const source = text(LIMITS.sourceLength)
const deployment = buildClosedObject(
  { source, revoke_previous: boolean, replaces: allowNull(text(128)) },
  ['source'],
)
const revocation = buildClosedObject(
  { reason: text(LIMITS.justificationLength), version: identifier },
  ['reason'],
)

export function createContractRoutes(parts: ServerParts): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'POST',
      path: '/v1/contracts/check',
      operation: 'checkContract',
      summary: 'check a contract, YAML or JSON; nothing is deployed',
      unlinked: true,
      roles: ['operator', 'approver', 'auditor'],
      body: buildClosedObject({ source }, ['source']),
      reply: checkedContract,
      beside: true,
      handle: (asked) =>
        check(engine, parseDeployment(asked.body).source, createDraftAsker(parts, asked)),
    },
    {
      method: 'PUT',
      path: '/v1/contracts/:agent_id',
      operation: 'deployContract',
      summary:
        'put a contract in force, signed by the operator key; the same again changes nothing; `replaces`: only where the newest version is still the one of this hash (null: none)',
      roles: ['operator'],
      body: deployment,
      reply: deployedContract,
      handle: (asked) => deploy(engine, asked, createDraftAsker(parts, asked, { first: true })),
    },
    {
      method: 'GET',
      path: '/v1/contracts/:agent_id',
      operation: 'getContract',
      summary: 'the versions of an agent\u2019s contract, newest first: source, hash, who and when',
      roles: ['operator', 'approver', 'auditor'],
      reply: versionsSchema,
      handle: ({ params }) => showContractVersions(engine, params.agent_id ?? ''),
    },
    {
      method: 'POST',
      path: '/v1/contracts/:agent_id/revocation',
      operation: 'revokeContract',
      summary: 'end a contract at once, or one version of it; open flows end with it',
      stops: true,
      roles: ['operator'],
      body: revocation,
      once: true,
      reply: revoked,
      handle: (asked) => revoke(engine, asked),
    },
  ]
}

async function check(engine: Engine, text: string, ask: AskDraft): Promise<Reply> {
  const read = await ask({ kind: 'contract', text })
  if (!read.ok) return toReply({ ...NOTHING_READ, ...toUnreadableView(read.error) })
  const contract = read.value
  const { context } = engine
  return toReply({
    ...NOTHING_READ,
    ok: true,
    agent_id: contract.agent_id,
    version: contract.version,
    contract_hash: hashContract(contract, context.sha256),
    sentences: describeContract(contract),
    not_enforced: findUnenforcedRules(contract),
    unanswered: findUnansweredInForce(await context.authorities.loadLatest(), contract),
    changes: await listContractChanges(engine, contract),
  })
}

const NOTHING_READ = {
  ok: false,
  code: null,
  summary: null,
  problems: [],
  agent_id: null,
  version: null,
  contract_hash: null,
  sentences: [],
  not_enforced: [],
  unanswered: [],
  changes: [],
}

async function listContractChanges(engine: Engine, contract: Contract): Promise<readonly Change[]> {
  const authority = await engine.context.authorities.loadLatest()
  const { now } = await engine.context.store.readNow(AUTHORITY)
  const inForce = findShownContract(authority, contract.agent_id, now)?.contract
  return listDocumentChanges(inForce, contract)
}

async function deploy(
  engine: Engine,
  { params, body, principal, ended }: RouteRequest,
  ask: AskDraft,
): Promise<Reply> {
  const { agent_id: agent = '' } = params
  const { source, revoke_previous: revokePrevious = false, replaces } = parseDeployment(body)
  const read = await ask({ kind: 'contract', text: source })
  if (!read.ok) return toProblemReply(read.error)
  const contract = read.value
  if (contract.agent_id !== agent) return refuseMismatchedAgent(agent, contract)
  if (principal.kind !== 'person') return buildHttpProblem('ROLE_MISSING')
  // It may have waited for others' drafts, and been read for long.
  const problem = await ended()
  if (problem !== null) return problem
  const by = toSignedBy(principal).by === undefined ? {} : { by: toCameBy(principal) }
  const against = replaces === undefined ? {} : { replaces }
  const deployed = await engine.deploy(contract, { revokePrevious, ...by, ...against })
  if (!deployed.ok) return toProblemReply(deployed.error)
  return toReply({ ...deployed.value, not_enforced: findUnenforcedRules(contract) })
}

async function showContractVersions(engine: Engine, agent: string): Promise<Reply> {
  const { store, authorities } = engine.context
  const { now } = await store.readNow(AUTHORITY)
  const found = await listContractVersions(store, await authorities.loadLatest(), agent, now)
  if (found.length === 0) return refuseUnknownAgent(agent)
  return toReply({
    agent_id: agent,
    versions: found.map(({ contract, ...version }) => ({
      ...version,
      source: formatContract(contract),
      sentences: describeContract(contract),
    })),
  })
}

async function revoke(engine: Engine, { params, body, principal }: RouteRequest): Promise<Reply> {
  const { agent_id: agent = '' } = params
  const { reason, version } = parseRevocation(body)
  const id = version === undefined ? agent : `${agent}@${version}`
  const ended = await engine.revoke({ target: 'contract', id, reason, ...toSignedBy(principal) })
  if (ended.ok) return toReply({ revoked: id, reason, seq: ended.value.seq })
  return ended.error.code === 'AGENT_UNKNOWN'
    ? toProblemReply(ended.error, 404)
    : toProblemReply(ended.error)
}

type Deployment = {
  readonly source: string
  readonly revoke_previous?: boolean
  readonly replaces?: string | null
}
type RevocationBody = { readonly reason: string; readonly version?: string }

function parseDeployment(body: JsonValue): Deployment {
  return body as Deployment
}

function parseRevocation(body: JsonValue): RevocationBody {
  return body as RevocationBody
}

function refuseMismatchedAgent(agent: string, contract: Contract): Reply {
  return toProblemReply({
    code: 'CONTRACT_INVALID',
    summary: `the contract is one of \`${contract.agent_id}\`, not of \`${agent}\``,
    fix: `send it to /v1/contracts/${contract.agent_id}`,
  })
}
