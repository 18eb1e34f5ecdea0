import {
  AUTHORITY,
  type Authority,
  err,
  type Failure,
  isKeyInUse,
  MAIN,
  ok,
  PROTOCOL,
  PROTOCOL_VERSION,
  type Result,
  type RootPayload,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Deps } from '../../deps.ts'
import { KeyUnregistered } from '../../rows/sign.ts'
import { signBootstrapKeys } from '../bootstrap-keys.ts'
import { buildAuthorityWrite, type Registrar } from './append-authority.ts'

/** First start: the two trajectories every tenant has, and the runtime's own keys. */
export async function initialiseAuthority(registrar: Registrar): Promise<Result<void, Failure>> {
  const { authorities, store, audience } = registrar
  const authority = await authorities.loadLatest()
  if (authority.seq >= 0) return checkStore(registrar, authority)
  const root: RootPayload = { protocol: PROTOCOL, created_by: audience }
  const keys = await signBootstrapKeys(registrar)
  const outcome = await store.commit({
    guards: [{ kind: 'trajectory_absent', trajectory: AUTHORITY }],
    writes: [
      buildAuthorityWrite('root', root),
      ...keys.map((payload) => buildAuthorityWrite('key', payload)),
      { kind: 'append', trajectory: MAIN, entry: 'root', payload: toCanonicalText(root) },
    ],
  })
  if (!outcome.ok) return initialiseAuthority(registrar)
  await authorities.follow(keys.length)
  return ok(undefined)
}

async function checkStore(
  registrar: Registrar,
  authority: Authority,
): Promise<Result<void, Failure>> {
  const [first] = await registrar.store.listEntries(AUTHORITY, 0, 1)
  const v: number | undefined = first?.envelope.v
  if (v === PROTOCOL_VERSION) return checkOwnKeys(registrar, authority)
  return err({
    code: 'STORE_FORMAT',
    summary: `the store is written in \`rubicon/${v}\`, and this release writes \`${PROTOCOL}\``,
    why: 'a ledger has one format from its first entry on, and older entries cannot be judged by the rules of this release',
    fix: 'read it with the release that wrote it, and begin a new store',
  })
}

/** A store that other keys were registered for cannot be extended with ours. */
function checkOwnKeys(
  { signer }: Pick<Deps, 'signer'>,
  authority: Authority,
): Result<void, Failure> {
  for (const purpose of ['operator', 'issuer', 'kernel', 'checkpoint'] as const) {
    const own = signer.publicKey(purpose)
    const registered = own === null ? undefined : authority.keys.get(own.key_id)
    if (own !== null && (registered === undefined || !isKeyInUse(registered)))
      return err(new KeyUnregistered(purpose, own.key_id).failure)
  }
  return ok(undefined)
}
