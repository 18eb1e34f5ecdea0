/**
 * Signing keys that an SSH agent holds: ours are those whose comment is `rubicon/TENANT/PURPOSE`. This process
 * never sees them, so that whoever takes it over signs only as long as the agent lets it.
 */
import { encodeBase64, encodeHex, type KeyPurpose } from 'rubicon-kernel'
import { type Signer, SignerUnavailable } from '../../ports/signer.ts'
import { AgentConnection } from './agent-connection.ts'
import {
  encodeIdentitiesRequest,
  readIdentities,
  readSignature,
  signRequest,
} from './agent-message.ts'

export type AgentOptions = {
  /** The path of its socket. */
  readonly socket: string
  readonly tenant: string
  readonly purposes: readonly KeyPurpose[]
  readonly keyId: (purpose: KeyPurpose, publicKey: Uint8Array) => string
  readonly verify: (
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
  ) => Promise<boolean>
  readonly answerMs?: number
}

const ANSWER_MS = 5_000

/** Fails unless the agent holds exactly one key for each purpose. */
export async function openAgentSigner(options: AgentOptions): Promise<Signer> {
  const { socket, tenant, purposes, keyId, verify, answerMs = ANSWER_MS } = options
  const agent = new AgentConnection(socket, answerMs)
  const ask = async (request: Uint8Array, what: string): Promise<Uint8Array> => {
    try {
      return await agent.ask(request)
    } catch (error) {
      throw createUnavailableError(socket, `could not ${what}: ${toErrorMessage(error)}`)
    }
  }
  const held = readIdentities(await ask(encodeIdentitiesRequest(), 'list its keys'))
  if (held === null) throw createUnavailableError(socket, 'did not list its keys')
  const publicKeys = new Map<KeyPurpose, Uint8Array>()
  for (const purpose of purposes) {
    const comment = formatKeyComment(tenant, purpose)
    const found = held.filter((key) => key.comment === comment)
    const different = new Set(found.map(({ publicKey }) => encodeHex(publicKey)))
    const [first] = found
    if (first === undefined || different.size > 1)
      throw createUnavailableError(
        socket,
        `holds ${different.size} Ed25519 keys with the comment ${comment}`,
      )
    publicKeys.set(purpose, first.publicKey)
  }
  return {
    publicKey(purpose) {
      const raw = publicKeys.get(purpose)
      return raw === undefined
        ? null
        : { key_id: keyId(purpose, raw), public_key: encodeBase64(raw) }
    },
    async sign(purpose, message) {
      const raw = publicKeys.get(purpose)
      if (raw === undefined) throw new Error(`no ${purpose} key is held here`)
      const signature = readSignature(await ask(signRequest(raw, message), 'sign'))
      if (signature === null)
        throw createUnavailableError(socket, `refused to sign with the ${purpose} key`)
      // A signature that does not hold would be recorded, and never verify.
      if (!(await verify(raw, message, signature)))
        throw createUnavailableError(
          socket,
          `gave a signature of the ${purpose} key that does not hold`,
        )
      return signature
    },
  }
}

export function formatKeyComment(tenant: string, purpose: KeyPurpose): string {
  return `rubicon/${tenant}/${purpose}`
}

function createUnavailableError(socket: string, what: string): SignerUnavailable {
  return new SignerUnavailable(`the key agent at ${socket} ${what}`)
}

function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
