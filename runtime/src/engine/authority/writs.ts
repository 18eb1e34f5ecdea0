/** Writs issued by hand: for other services, and for agents that narrow their own. */
import {
  type Address,
  type AttenuationRequest,
  attenuateWrit,
  buildWritBody,
  computeWritId,
  err,
  type Failure,
  findCurrentContract,
  LIMITS,
  MAIN,
  ok,
  type Result,
  toCanonicalText,
  type Writ,
  type WritBody,
  type WritPayload,
} from 'rubicon-kernel'
import type { Guard, Store, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { reserve } from '../rows/budget-counters.ts'
import { loadBudgetFailure } from '../rows/budget-refusal.ts'
import { mintId, mintSalt } from '../rows/identity.ts'
import { signDocument } from '../rows/sign.ts'
import { buildNoContractFailure } from './registry/no-contract.ts'

export type IssueRequest = {
  readonly agent: string
  readonly audience?: string
  readonly ttlMs?: number
  /** Who may sign children of it; by default the runtime, for the agent. */
  readonly subject_key?: string
}

/** The largest writ that the agent's contract allows. Narrow it with `attenuateStoredWrit`. */
export async function issueWrit(
  context: Context,
  request: IssueRequest,
): Promise<Result<Writ, Failure>> {
  const issuer = context.signer.publicKey('issuer')
  if (issuer === null) return err({ code: 'KEY_MISSING', summary: 'no issuer key is held here' })
  const authority = await context.authorities.loadLatest()
  const { now } = await context.store.readNow(MAIN)
  const deployed = findCurrentContract(authority, request.agent, now)
  if (deployed === undefined) return err(buildNoContractFailure(authority, request.agent, now))
  const body = buildWritBody(deployed.contract, {
    tenant: context.tenant,
    audience: request.audience ?? context.audience,
    issuer_key: issuer.key_id,
    nonce: mintId(context),
    now,
    ttlMs: request.ttlMs ?? LIMITS.flowWritMs,
    subject_key: request.subject_key ?? issuer.key_id,
  })
  return storeWrit(context, body, [{ kind: 'authority_seq', seq: authority.seq }], [])
}

/** A child writ; its budget is reserved from the parent's. */
export async function attenuateStoredWrit(
  context: Context,
  parentId: Address,
  request: Omit<AttenuationRequest, 'nonce'>,
): Promise<Result<Writ, Failure>> {
  const parent = (await context.store.readWrit(parentId))?.writ
  if (parent === undefined)
    return err({
      code: 'WRIT_MISSING',
      summary: `there is no writ \`${parentId}\``,
      fix: 'see `rubicon writ`',
    })
  const issuer = context.signer.publicKey('issuer')
  if (issuer?.key_id !== parent.body.subject_key)
    return err({
      code: 'KEY_PURPOSE',
      summary: 'the parent names another key as the one that may delegate it',
      fix: 'sign the child with that key',
    })
  const authority = await context.authorities.loadLatest()
  if (authority.revokedWrits.has(parentId))
    return err({
      code: 'WRIT_REVOKED',
      summary: 'the parent is revoked',
      fix: 'have a new one issued',
    })
  const body = attenuateWrit(parent, { ...request, nonce: mintId(context) })
  if (!body.ok) return body
  const held = reserve(parent, body.value.budget)
  const guards: Guard[] = [{ kind: 'authority_seq', seq: authority.seq }, ...held.guards]
  return storeWrit(context, body.value, guards, held.writes)
}

export type WritFilter = {
  /** Whom they authorise. */
  readonly subject?: string
  /** Only those issued before this one. */
  readonly before?: string
  readonly limit: number
}

/** Issued by hand, newest first. */
export async function listWrits(
  store: Pick<Store, 'listWrits'>,
  { subject, before, limit }: WritFilter,
): Promise<readonly Writ[]> {
  const found: Writ[] = []
  // Of one subject those that are wanted stand among others.
  const size = subject === undefined ? Math.min(limit, LIMITS.listed) : LIMITS.listed
  for (let last = before; ; ) {
    const page = (await store.listWrits(size, last)).map(({ writ }) => writ)
    found.push(...page.filter(({ body }) => subject === undefined || body.subject === subject))
    last = page.at(-1)?.id
    if (page.length < size || found.length >= limit) return found.slice(0, limit)
  }
}

async function storeWrit(
  context: Context,
  body: WritBody,
  guards: readonly Guard[],
  more: readonly Write[],
): Promise<Result<Writ, Failure>> {
  const writ: Writ = {
    id: computeWritId(body, context.sha256),
    body,
    signature: await signDocument(context, 'issuer', 'writ', body),
  }
  const payload: WritPayload = { salt: mintSalt(context), writ }
  const outcome = await context.store.commit({
    guards,
    writes: [
      {
        kind: 'append',
        trajectory: MAIN,
        entry: 'writ',
        payload: toCanonicalText(payload),
      },
      { kind: 'put_writ', writ, entry: 0 },
      ...more,
    ],
  })
  if (outcome.ok) return ok(writ)
  if (outcome.failed.kind !== 'counter')
    return err({
      code: 'STORE_CONTENTION',
      summary: 'authority changed meanwhile',
      fix: 'try again',
    })
  return err(
    await loadBudgetFailure(context.store, outcome.failed, {
      summary: 'the parent has not enough budget left',
      fix: 'ask for less, or wait until other children have ended',
    }),
  )
}
