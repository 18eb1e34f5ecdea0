/** Contracts, as text of people: checked, put in force, looked at, revoked. */
import {
  AUTHORITY,
  type Contract,
  contractHash,
  type Failure,
  isObject,
  type JsonValue,
  LIMITS,
  shownContract,
  unenforced,
} from 'rubicon-kernel'
import { type Change, changesBetween } from '../../contract-file/changes.ts'
import { contractSentences } from '../../contract-file/contract-sentences.ts'
import { contractText } from '../../contract-file/contract-text.ts'
import type { Engine } from '../../engine/engine.ts'
import { contractVersions } from '../../engine/registry/contract-versions.ts'
import { unansweredBy } from '../../engine/registry/unanswered-rules.ts'
import { type AskDraft, draftsOf } from '../drafts/drafts-of.ts'
import { cameBy } from '../person-asking.ts'
import { personOf } from '../principal.ts'
import { httpProblem, refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import {
  checkedContract,
  deployedContract,
  revoked,
  contractVersions as versionsSchema,
} from '../schemas/contract.ts'
import type { ServerParts } from '../server.ts'
import { unknownAgent } from './agent.ts'
import { boolean, closed, identifier, text } from './shape.ts'

const source = text(LIMITS.sourceLength)
const deployment = closed({ source, revoke_previous: boolean }, ['source'])
const revocation = closed({ reason: text(LIMITS.justificationLength), version: identifier }, [
  'reason',
])

export function contractRoutes(parts: ServerParts): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'POST',
      path: '/v1/contracts/check',
      operation: 'checkContract',
      summary: 'read a contract, YAML or JSON; nothing is put in force',
      unlinked: true,
      roles: ['operator', 'approver', 'auditor'],
      body: closed({ source }, ['source']),
      reply: checkedContract,
      beside: true,
      handle: (asked) => check(engine, parseDeployment(asked.body).source, draftsOf(parts, asked)),
    },
    {
      method: 'PUT',
      path: '/v1/contracts/:agent_id',
      operation: 'deployContract',
      summary:
        'put a contract in force, signed by the operator key; the same again changes nothing',
      roles: ['operator'],
      body: deployment,
      reply: deployedContract,
      handle: (asked) => deploy(engine, asked, draftsOf(parts, asked, { first: true })),
    },
    {
      method: 'GET',
      path: '/v1/contracts/:agent_id',
      operation: 'getContract',
      summary: 'the versions of an agent\u2019s contract, newest first: source, hash, who and when',
      roles: ['operator', 'approver', 'auditor'],
      reply: versionsSchema,
      handle: ({ params }) => versions(engine, params.agent_id ?? ''),
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
  if (!read.ok) return done({ ...NOTHING_READ, ...toldOf(read.error) })
  const contract = read.value
  const { context } = engine
  return done({
    ...NOTHING_READ,
    ok: true,
    agent_id: contract.agent_id,
    version: contract.version,
    contract_hash: contractHash(contract, context.sha256),
    sentences: contractSentences(contract),
    not_enforced: unenforced(contract),
    unanswered: unansweredBy(await context.authorities.latest(), contract),
    changes: await changes(engine, contract),
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

async function changes(engine: Engine, contract: Contract): Promise<readonly Change[]> {
  const authority = await engine.context.authorities.latest()
  const { now } = await engine.context.store.now(AUTHORITY)
  const inForce = shownContract(authority, contract.agent_id, now)?.contract
  return changesBetween(inForce, contract)
}

/** Where in the text it cannot be read. */
function toldOf({ code, summary, meta }: Failure): object {
  const problems = Array.isArray(meta?.problems) ? meta.problems.filter(isObject) : []
  return {
    code,
    summary,
    problems: problems.map(({ line, column, path, detail }) => ({ line, column, path, detail })),
  }
}

async function deploy(
  engine: Engine,
  { params, body, principal, ended }: Asked,
  ask: AskDraft,
): Promise<Reply> {
  const { agent_id: agent = '' } = params
  const { source, revoke_previous: revokePrevious = false } = parseDeployment(body)
  const read = await ask({ kind: 'contract', text: source })
  if (!read.ok) return refused(read.error)
  const contract = read.value
  if (contract.agent_id !== agent) return otherAgent(agent, contract)
  if (principal.kind !== 'person') return httpProblem('ROLE_MISSING')
  // It may have waited for others' drafts, and been read for long.
  const problem = await ended()
  if (problem !== null) return problem
  const deployed = await engine.deploy(contract, { revokePrevious, by: cameBy(principal) })
  if (!deployed.ok) return refused(deployed.error)
  return done({ ...deployed.value, not_enforced: unenforced(contract) })
}

async function versions(engine: Engine, agent: string): Promise<Reply> {
  const { store, authorities } = engine.context
  const { now } = await store.now(AUTHORITY)
  const found = await contractVersions(store, await authorities.latest(), agent, now)
  if (found.length === 0) return unknownAgent(agent)
  return done({
    agent_id: agent,
    versions: found.map(({ contract, ...version }) => ({
      ...version,
      source: contractText(contract),
      sentences: contractSentences(contract),
    })),
  })
}

async function revoke(engine: Engine, { params, body, principal }: Asked): Promise<Reply> {
  const { agent_id: agent = '' } = params
  const { reason, version } = parseRevocation(body)
  const id = version === undefined ? agent : `${agent}@${version}`
  const ended = await engine.revoke({ target: 'contract', id, reason, ...personOf(principal) })
  if (ended.ok) return done({ revoked: id, reason, seq: ended.value.seq })
  return ended.error.code === 'AGENT_UNKNOWN' ? refused(ended.error, 404) : refused(ended.error)
}

type Deployment = { readonly source: string; readonly revoke_previous?: boolean }
type RevocationBody = { readonly reason: string; readonly version?: string }

function parseDeployment(body: JsonValue): Deployment {
  return body as Deployment
}

function parseRevocation(body: JsonValue): RevocationBody {
  return body as RevocationBody
}

function otherAgent(agent: string, contract: Contract): Reply {
  return refused({
    code: 'CONTRACT_INVALID',
    summary: `the contract is one of \`${contract.agent_id}\`, not of \`${agent}\``,
    fix: `send it to /v1/contracts/${contract.agent_id}`,
  })
}
