/**
 * The authority of a tenant: keys, contracts, lifecycle, revocations and the rules in force. All of
 * it is entries in the authority trajectory, signed, and all of it acts from its position on.
 */
import {
  type AgentStatus,
  AUTHORITY,
  type Authority,
  type Contract,
  canonicalText,
  contractHash,
  currentContract,
  type EntryKind,
  err,
  type Failure,
  type JsonValue,
  keyInUse,
  LIMITS,
  type LifecycleActor,
  MAIN,
  mayMove,
  ok,
  type Result,
  type RootPayload,
} from 'rubicon-kernel'
import type { Write } from '../ports/store.ts'
import type { AuthorityCache } from './authority-cache.ts'
import { bootstrapKeys } from './bootstrap-keys.ts'
import type { Deps } from './deps.ts'
import { signDocument } from './sign.ts'

type SignedKind = Extract<
  EntryKind,
  'key' | 'contract' | 'lifecycle' | 'revocation' | 'policy' | 'anchor'
>

/** Appends signed authority entries, guarded by the authority they were decided on. */
export async function appendAuthority(
  deps: Deps,
  authorities: AuthorityCache,
  decide: (
    authority: Authority,
  ) => Promise<Result<readonly { kind: SignedKind; payload: unknown }[], Failure>>,
): Promise<Result<{ readonly seq: number; readonly appended: number }, Failure>> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const authority = await authorities.latest()
    const decided = await decide(authority)
    if (!decided.ok) return decided
    if (decided.value.length === 0) return ok({ seq: authority.seq, appended: 0 })
    const writes = decided.value.map(({ kind, payload }) => authorityWrite(kind, payload))
    await deps.failpoints.reach('authority.before_commit')
    const outcome = await deps.store.commit({
      guards: [{ kind: 'authority_seq', seq: authority.seq }],
      writes,
    })
    if (outcome.ok) {
      await deps.failpoints.reach('authority.after_commit')
      const seq = authority.seq + writes.length
      await authorities.atLeast(seq)
      return ok({ seq, appended: writes.length })
    }
  }
  return err({ code: 'STORE_CONTENTION', summary: 'authority kept changing', fix: 'try again' })
}

function authorityWrite(entry: Exclude<EntryKind, 'commit' | 'branch'>, payload: unknown): Write {
  return {
    kind: 'append',
    trajectory: AUTHORITY,
    entry,
    payload: canonicalText(payload as JsonValue),
  }
}

/** First start: the two trajectories every tenant has, and the runtime's own keys. */
export async function bootstrap(
  deps: Deps,
  authorities: AuthorityCache,
): Promise<Result<void, Failure>> {
  const authority = await authorities.latest()
  if (authority.seq >= 0) return checkOwnKeys(deps, authority)
  const root: RootPayload = { protocol: 'rubicon/1', created_by: deps.audience }
  const keys = await bootstrapKeys(deps)
  const outcome = await deps.store.commit({
    guards: [{ kind: 'trajectory_absent', trajectory: AUTHORITY }],
    writes: [
      authorityWrite('root', root),
      ...keys.map((payload) => authorityWrite('key', payload)),
      { kind: 'append', trajectory: MAIN, entry: 'root', payload: canonicalText(root) },
    ],
  })
  if (!outcome.ok) return bootstrap(deps, authorities)
  await authorities.atLeast(keys.length)
  return ok(undefined)
}

/** A store that other keys were registered for cannot be extended with ours. */
function checkOwnKeys(deps: Deps, authority: Authority): Result<void, Failure> {
  for (const purpose of ['issuer', 'kernel', 'checkpoint'] as const) {
    const own = deps.signer.publicKey(purpose)
    const registered = own === null ? undefined : authority.keys.get(own.key_id)
    if (own !== null && (registered === undefined || !keyInUse(registered)))
      return err({
        code: 'KEY_UNREGISTERED',
        summary: `the ${purpose} key \`${own.key_id}\` does not count in this store`,
        why: 'the store was made with other keys, or this one was retired or compromised',
        fix: 'use the state directory it was made with (RUBICON_STATE), or register a new key',
      })
  }
  return ok(undefined)
}

/** Records the rules in force, if they are not the ones already recorded. */
export async function recordRules(
  deps: Deps,
  authorities: AuthorityCache,
): Promise<Result<void, Failure>> {
  const { book } = deps
  const capabilities = book.capabilities().map(({ law }) => law.description)
  const body = { rules_hash: book.hash, rules: book.ruleSet, capabilities }
  const wanted = canonicalText(body as unknown as JsonValue)
  const done = await appendAuthority(deps, authorities, async (authority) => {
    const recorded =
      authority.rules === null ? null : canonicalText(authority.rules as unknown as JsonValue)
    if (recorded === wanted) return ok([])
    const signature = await signDocument(deps, 'kernel', 'policy', body)
    return ok([{ kind: 'policy', payload: { body, signature } }])
  })
  return done.ok ? ok(undefined) : done
}

export type Deployed = {
  readonly agent_id: string
  readonly version: string
  readonly contract_hash: string
  readonly unchanged: boolean
}

/** Deploys a contract. A version is immutable; the same bytes again change nothing. */
export async function deployContract(
  deps: Deps,
  authorities: AuthorityCache,
  contract: Contract,
  options: { readonly revokePrevious?: boolean } = {},
): Promise<Result<Deployed, Failure>> {
  const contract_hash = contractHash(contract, deps.sha256)
  const { agent_id, version } = contract
  if (deps.signer.publicKey('operator') === null) return err(unsigned(agent_id, version))
  const done = await appendAuthority(deps, authorities, async (authority) => {
    const versions = authority.contracts.get(agent_id) ?? []
    const same = versions.find((deployed) => deployed.contract.version === version)
    if (same !== undefined)
      return same.hash === contract_hash ? ok([]) : err(immutable(agent_id, version))
    const body = {
      action: 'deploy',
      contract,
      contract_hash,
      revoke_previous: options.revokePrevious ?? false,
    }
    const signature = await signDocument(deps, 'operator', 'contract', body)
    const entries: { kind: SignedKind; payload: unknown }[] = [
      { kind: 'contract', payload: { body, signature } },
    ]
    if (!authority.statuses.has(agent_id)) {
      const payload = await lifecyclePayload(deps, authority, {
        agent_id,
        to: 'INITIALIZING',
        actor: 'operator',
        justification: `contract ${version} deployed`,
      })
      if (payload.ok) entries.push({ kind: 'lifecycle', payload: payload.value })
    }
    return ok(entries)
  })
  if (!done.ok) return done
  return ok({ agent_id, version, contract_hash, unchanged: done.value.appended === 0 })
}

function unsigned(agent: string, version: string): Failure {
  return {
    code: 'CONTRACT_UNSIGNED',
    summary: `version ${version} of \`${agent}\` is not signed by an operator`,
    why: 'no operator key is held here, and agents do not register themselves',
    fix: 'deploy it where the operator key is',
  }
}

function immutable(agent: string, version: string): Failure {
  return {
    code: 'CONTRACT_VERSION_IMMUTABLE',
    summary: `\`${agent}\` has a version ${version} with other content`,
    why: 'versions are immutable, or an audit would mean nothing',
    fix: 'raise the version',
  }
}

export type LifecycleMove = {
  readonly agent_id: string
  readonly to: AgentStatus
  readonly actor: LifecycleActor
  readonly justification: string
}

export async function moveAgent(
  deps: Deps,
  authorities: AuthorityCache,
  move: LifecycleMove,
): Promise<Result<void, Failure>> {
  const done = await appendAuthority(deps, authorities, async (authority) => {
    const payload = await lifecyclePayload(deps, authority, move)
    return payload.ok ? ok([{ kind: 'lifecycle', payload: payload.value }]) : payload
  })
  return done.ok ? ok(undefined) : done
}

async function lifecyclePayload(
  deps: Deps,
  authority: Authority,
  { agent_id, to, actor, justification }: LifecycleMove,
): Promise<Result<unknown, Failure>> {
  const from = authority.statuses.get(agent_id) ?? null
  if (!mayMove(from, to, actor))
    return err({
      code: 'LIFECYCLE_REFUSED',
      summary: `\`${agent_id}\` cannot go from ${from ?? 'nothing'} to ${to} by ${actor}`,
      fix: 'see the lifecycle in docs/glossary.md',
    })
  const purpose = actor === 'operator' ? 'operator' : 'kernel'
  const by = deps.signer.publicKey(purpose)?.key_id ?? purpose
  const body = { agent_id, from, to, actor, by, justification }
  return ok({ body, signature: await signDocument(deps, purpose, 'lifecycle', body) })
}

/** Opens a session for a registered agent. It never registers anyone and never lifts a suspension. */
export async function handshake(
  deps: Deps,
  authorities: AuthorityCache,
  agent: string,
): Promise<Result<void, Failure>> {
  const authority = await authorities.latest()
  const status = authority.statuses.get(agent)
  if (status === undefined || currentContract(authority, agent) === undefined)
    return err({
      code: 'AGENT_UNKNOWN',
      summary: `no contract is in force for \`${agent}\``,
      why: 'agents do not register themselves',
      fix: 'deploy a contract: rubicon contract deploy FILE',
    })
  if (status !== 'INITIALIZING') return ok(undefined)
  const moved = await moveAgent(deps, authorities, {
    agent_id: agent,
    to: 'ACTIVE',
    actor: 'registry',
    justification: 'handshake',
  })
  // Two first handshakes at once: the second finds the agent active already, which is what it wanted.
  return moved.ok || moved.error.code !== 'LIFECYCLE_REFUSED' ? moved : ok(undefined)
}

export async function revoke(
  deps: Deps,
  authorities: AuthorityCache,
  target: { readonly target: 'writ' | 'contract'; readonly id: string; readonly reason: string },
): Promise<Result<{ readonly seq: number }, Failure>> {
  return appendAuthority(deps, authorities, async () => {
    const signature = await signDocument(deps, 'operator', 'revocation', target)
    return ok([{ kind: 'revocation', payload: { body: target, signature } }])
  })
}
