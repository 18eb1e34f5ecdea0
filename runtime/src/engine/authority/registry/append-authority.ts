/**
 * The authority of a tenant: keys, contracts, lifecycle, revocations and the rules in force. All of
 * it is entries in the authority trajectory, signed, and all of it acts from its position on.
 */
import {
  AUTHORITY,
  type Authority,
  type EntryKind,
  err,
  type Failure,
  type JsonValue,
  LIMITS,
  ok,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Unit, Write } from '../../../ports/store.ts'
import type { Deps } from '../../deps.ts'
import { buildContentionFailure } from '../../rows/contention.ts'
import { buildRegistryUnavailableFailure } from '../../rows/registry-unavailable.ts'
import type { AuthorityCache } from '../authority-cache.ts'

export type SignedEntry = {
  readonly kind: Extract<
    EntryKind,
    'key' | 'contract' | 'lifecycle' | 'revocation' | 'policy' | 'anchor' | 'source' | 'person'
  >
  readonly payload: unknown
}

/** Entries, and what the store keeps beside them, in one unit. */
export type AuthorityChange<T> = {
  readonly entries: readonly SignedEntry[]
  readonly beside?: readonly Write[]
  /** It was decided on what holds until then. */
  readonly before?: string | undefined
  /** What whoever asked for the change gets back. */
  readonly value: T
}

export type Appended<T> = { readonly seq: number; readonly appended: number; readonly value: T }

/** What the registry works with. */
export type Registrar = Deps & { readonly authorities: AuthorityCache }

/** Makes a change durable, guarded by the authority that it was decided on. */
export async function appendAuthority<T>(
  { store, failpoints, authorities }: Registrar,
  decide: (authority: Authority) => Promise<Result<AuthorityChange<T>, Failure>>,
): Promise<Result<Appended<T>, Failure>> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const authority = await authorities.loadLatest()
    const decided = await decide(authority)
    if (!decided.ok) return decided
    const { entries, beside = [], value } = decided.value
    if (entries.length + beside.length === 0) return ok({ seq: authority.seq, appended: 0, value })
    const unit = buildAuthorityUnit(authority, decided.value)
    await failpoints.reach('authority.before_commit')
    const outcome = await store.commit(unit)
    if (outcome.ok) {
      await failpoints.reach('authority.after_commit')
      const seq = authority.seq + entries.length
      await authorities.follow(seq)
      return ok({ seq, appended: entries.length, value })
    }
    if (authorities.degraded)
      return err(
        buildRegistryUnavailableFailure(
          'the authority trajectory has changed, and the change cannot be read here',
        ),
      )
  }
  return err(buildContentionFailure('authority'))
}

/** A change as a unit, guarded by the authority that it was decided on. */
export function buildAuthorityUnit(
  { seq }: Authority,
  { entries, beside = [], before }: Omit<AuthorityChange<unknown>, 'value'>,
): Unit {
  return {
    guards: [
      { kind: 'authority_seq', seq },
      ...(before === undefined ? [] : [{ kind: 'before', at: before } as const]),
    ],
    writes: [...entries.map(({ kind, payload }) => buildAuthorityWrite(kind, payload)), ...beside],
  }
}

/** A change that consists of entries. */
export function buildAuthorityChange(
  ...entries: readonly SignedEntry[]
): Result<AuthorityChange<undefined>, never> {
  return ok({ entries, value: undefined })
}

export function buildAuthorityWrite(
  entry: Exclude<EntryKind, 'commit' | 'branch'>,
  payload: unknown,
): Write {
  return {
    kind: 'append',
    trajectory: AUTHORITY,
    entry,
    payload: toCanonicalText(payload as JsonValue),
  }
}
