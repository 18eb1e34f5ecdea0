/** Keys of people, agents and other services: registered with proof of possession, by the operator. */
import {
  type Authority,
  applyKeyEntry,
  decodeBase64,
  deriveKeyId,
  err,
  type Failure,
  findAgentStatus,
  findPersonNameProblem,
  findPublicKeyProblem,
  type KeyBody,
  type KeyPurpose,
  type KeyRecord,
  ok,
  REASONS,
  type ReasonCode,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { checkSignature, signText } from '../rows/sign.ts'
import { signPersonEntry } from './persons/person-entry.ts'
import {
  buildPersonNameFailure,
  ensureNamedPersons,
  type NamedPersons,
} from './persons/register-person.ts'
import { appendAuthority, buildAuthorityChange } from './registry/append-authority.ts'
import { checkAgentStatus } from './registry/stopped-agent.ts'

export type KeyRegistration = {
  readonly purpose: KeyPurpose
  /** Base64 of the 32 raw bytes. */
  readonly public_key: string
  readonly subject: string
  /** Base64 signature by the key itself over `keyRegistrationText`. */
  readonly possession: string
}

/** What the owner of a key signs to register it. */
export function buildKeyRegistration(
  context: Pick<Context, 'sha256'>,
  { purpose, public_key, subject }: Omit<KeyRegistration, 'possession'>,
): Result<KeyBody, Failure> {
  const raw = decodeBase64(public_key)
  const problem = raw === undefined ? 'KEY_ENCODING' : findPublicKeyProblem(raw)
  if (raw === undefined || problem !== undefined)
    return err(buildKeyFailure(problem ?? 'KEY_ENCODING'))
  const key_id = deriveKeyId(purpose, raw, context.sha256)
  return ok({ action: 'add', key_id, purpose, public_key, subject })
}

export async function registerKey(
  context: Context,
  registration: KeyRegistration,
  by?: string,
): Promise<Result<KeyBody, Failure>> {
  const owned = buildKeyRegistration(context, registration)
  if (!owned.ok) return owned
  const body = { ...owned.value, ...(by === undefined ? {} : { by }) }
  const { public_key, possession, purpose, subject } = registration
  const unfit = purpose === 'approver' ? findPersonNameProblem(subject) : undefined
  if (unfit !== undefined) return err(buildPersonNameFailure(subject, unfit))
  const proof = toCanonicalText(owned.value)
  if (!(await checkSignature(context, public_key, 'key', proof, possession)))
    return err(buildKeyFailure('KEY_POSSESSION'))
  const done = await appendAuthority(context, async (authority) => {
    if (authority.keys.has(body.key_id))
      return err({ code: 'KEY_EXISTS', summary: `\`${body.key_id}\` is registered already` })
    // Of an agent that never comes back a key would say nothing, and be taken for one that does.
    const ended = purpose === 'agent' ? checkAgentRetired(authority, subject) : null
    if (ended !== null) return err(ended)
    const text = toCanonicalText(body)
    const signature = await signText(context, 'operator', 'key', text)
    const key = { kind: 'key', payload: { body, possession, signature } } as const
    if (purpose !== 'approver') return buildAuthorityChange(key)
    const of = await signPersonKeyLink(context, authority, body)
    if (!of.ok) return of
    const { entries, beside } = of.value
    return ok({ entries: [key, ...entries], beside, value: undefined })
  })
  return done.ok ? owned : done
}

function checkAgentRetired(authority: Authority, agent: string): Failure | null {
  return findAgentStatus(authority, agent) === 'RETIRED' ? checkAgentStatus(authority, agent) : null
}

/** Whose key for approving it is, in the unit that registers it. */
async function signPersonKeyLink(
  context: Context,
  authority: Authority,
  { key_id, subject }: KeyBody,
): Promise<Result<Pick<NamedPersons, 'entries' | 'beside'>, Failure>> {
  const named = await ensureNamedPersons(context, authority, [subject], { word: 'vouched' })
  if (!named.ok) return named
  const { idOf, entries, beside } = named.value
  const link = { action: 'link', person_id: idOf(subject), identity: { key_id } } as const
  return ok({ entries: [...entries, await signPersonEntry(context, link)], beside })
}

/** From here on its signatures do not count; what it signed before stands. */
export function retireKey(
  context: Context,
  keyId: string,
  by?: string,
): Promise<Result<void, Failure>> {
  return endKey(context, keyId, by, (key) => ({ ...pickKeyMembers(key), action: 'retire' }))
}

/** Its signatures do not count from `sinceSeq` on: somebody else may have made them. */
export function compromiseKey(
  context: Context,
  keyId: string,
  sinceSeq: number,
  by?: string,
): Promise<Result<void, Failure>> {
  return endKey(context, keyId, by, (key) => ({
    ...pickKeyMembers(key),
    action: 'compromise',
    since_seq: sinceSeq,
  }))
}

function pickKeyMembers({
  key_id,
  purpose,
  public_key,
  subject,
}: KeyRecord): Omit<KeyBody, 'action'> {
  return { key_id, purpose, public_key, subject }
}

async function endKey(
  context: Context,
  keyId: string,
  by: string | undefined,
  bodyOf: (key: KeyRecord) => KeyBody,
): Promise<Result<void, Failure>> {
  const done = await appendAuthority(context, async ({ keys, seq }) => {
    const key = keys.get(keyId)
    const own = context.signer.publicKey('operator')?.key_id
    if (keyId === own) return err(buildOwnEndFailure(keyId))
    if (key === undefined)
      return err({
        code: 'KEY_UNKNOWN',
        summary: `\`${keyId}\` is not registered`,
        fix: 'see `rubicon keys`',
      })
    const body = { ...bodyOf(key), ...(by === undefined ? {} : { by }) }
    // An entry that does not fit would end nothing, and the ledger would never verify again.
    const after = applyKeyEntry(key, body, seq + 1)
    if (!after.ok) return err(buildUnfitChangeFailure(after.error))
    const text = toCanonicalText(body)
    const signature = await signText(context, 'operator', 'key', text)
    return buildAuthorityChange({ kind: 'key', payload: { body, signature } })
  })
  return done.ok ? ok(undefined) : done
}

function buildUnfitChangeFailure(why: string): Failure {
  return {
    code: 'KEY_CHANGE_UNFIT',
    summary: 'the key cannot be ended in this way',
    why,
    fix: 'see `rubicon keys`; a compromise begins at an authority seq that is there already',
  }
}

/**
 * What a key says of its own compromise does not count by what it says, and after its own end nobody would be
 * left here who could suspend an agent.
 */
function buildOwnEndFailure(keyId: string): Failure {
  return {
    code: 'KEY_OWN',
    summary: `operator key \`${keyId}\` cannot sign its own end`,
    why: 'an entry about its own compromise would not verify, and without an operator key nobody here could suspend an agent',
    fix: 'register another operator key, and end this one where that one is held',
  }
}

function buildKeyFailure(
  code: Extract<ReasonCode, 'KEY_ENCODING' | 'KEY_WEAK' | 'KEY_POSSESSION'>,
): Failure {
  const { means, why, fix } = REASONS[code]
  return { code, summary: means, why, fix }
}
