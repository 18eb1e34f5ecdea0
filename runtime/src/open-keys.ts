/** The keys of a runtime: in files, sealed or not, or with an agent; for who owns a store and for who only looks. */
import { join } from 'node:path'
import { AUTHORITY } from 'rubicon-kernel'
import { openAgentSigner } from './adapters/ssh-agent/agent-signer.ts'
import { poolChecker } from './adapters/system/ed25519.ts'
import {
  isSealed,
  type KeyFolder,
  KeysClosed,
  openKeyFolder,
  sealKeyFolder,
  unsealKeyFolder,
} from './adapters/system/key-folder.ts'
import { computeKeyId, openFileSigner, RUNTIME_PURPOSES } from './adapters/system/signer.ts'
import { type Signer, SignerUnavailable } from './ports/signer.ts'
import type { Store } from './ports/store.ts'
import { RubiconError } from './rubicon-error.ts'
import type { RuntimeOptions } from './runtime.ts'

export { isSealed }

type SignerFor = (store: Pick<Store, 'listEntries'>) => Promise<Signer>
type KeyOptions = Pick<RuntimeOptions, 'signer' | 'keyAgent' | 'passphrase' | 'checker'>

/**
 * An agent is asked at once; key files are read when the signer is asked for, and missing ones made if the
 * store has no ledger yet.
 */
export async function openKeys(
  options: KeyOptions,
  tenant: string,
  path: string,
): Promise<{ readonly folder: KeyFolder; readonly signer: SignerFor }> {
  const folder = openFolder(path, options.passphrase)
  const held = options.signer ?? (await openKeyAgent(options, tenant))
  const openOwnSigner: SignerFor = async (store) => {
    const isNew = (await store.listEntries(AUTHORITY, 0, 1)).length === 0
    return wrapKeyErrors(() => openFileSigner(folder, isNew ? 'make' : 'refuse'))
  }
  return { folder, signer: async (store) => held ?? openOwnSigner(store) }
}

/** Whether the files of the folder are all that it takes to sign. */
export function hasPlainKeys({ signer, keyAgent, passphrase }: KeyOptions): boolean {
  return signer === undefined && keyAgent === undefined && passphrase === undefined
}

/** Nothing is made. */
export async function openPresentKeys(
  options: KeyOptions,
  tenant: string,
  path: string,
): Promise<{ readonly signer: SignerFor }> {
  const held = options.signer ?? (await openKeyAgent(options, tenant))
  const openPresentSigner = (): Signer =>
    openFileSigner(openPresentFolder(path, options.passphrase), 'ignore')
  return { signer: async () => held ?? wrapKeyErrors(openPresentSigner) }
}

/** Null: they are sealed, and whoever looks has no passphrase. */
export function openPresentFolder(path: string, passphrase?: string): KeyFolder | null {
  return passphrase === undefined && isSealed(path) ? null : openFolder(path, passphrase)
}

/** Seals the keys of a state directory under a passphrase. Which files that were. */
export function sealKeys(stateDirectory: string, passphrase: string): readonly string[] {
  return wrapKeyErrors(() => sealKeyFolder(join(stateDirectory, 'keys'), passphrase))
}

export function unsealKeys(stateDirectory: string, passphrase: string): readonly string[] {
  return wrapKeyErrors(() => unsealKeyFolder(join(stateDirectory, 'keys'), passphrase))
}

function openFolder(path: string, passphrase?: string): KeyFolder {
  const folder = wrapKeyErrors(() => openKeyFolder(path, passphrase))
  return {
    ...folder,
    read: (name) => wrapKeyErrors(() => folder.read(name)),
    make: (name, bytes) => wrapKeyErrors(() => folder.make(name, bytes)),
  }
}

/** Null: no agent holds them. */
async function openKeyAgent(
  { keyAgent, checker = poolChecker }: KeyOptions,
  tenant: string,
): Promise<Signer | null> {
  if (keyAgent === undefined) return null
  const verify: typeof checker.verify = (...signed) => checker.verify(...signed)
  const common = { tenant, purposes: RUNTIME_PURPOSES, keyId: computeKeyId, verify }
  try {
    return await openAgentSigner({ socket: keyAgent, ...common })
  } catch (error) {
    throw error instanceof SignerUnavailable ? new RubiconError(error.failure) : error
  }
}

/** As the library says it. */
function wrapKeyErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof KeysClosed)) throw error
    throw new RubiconError({ code: error.code, summary: error.message, fix: error.fix })
  }
}
