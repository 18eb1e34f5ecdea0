/** One credential of every kind that the system knows, and where each is kept. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ChosenCredential,
  type Credential,
  createCanarySecret,
  createPlainSecret,
  toCredential,
} from './credential.ts'
import { OPENAI_VARIABLE, RECEIVED } from './protocol.ts'

export type SecretVault = {
  readonly folder: string
  readonly chosen: Readonly<Record<ChosenName, ChosenCredential>>
  /** The agent's own, and the file that it is in. */
  readonly agentKey: Credential
  readonly agentKeyFile: string
  /** What the process of the runtime has among its variables. */
  readonly environment: Readonly<Record<string, string>>
  /** A file with the secret of that name. */
  getFile(name: ChosenName): string
}

/** Places that a credential may be in because it belongs there. */
export const OWN_PLACES: { readonly agent: readonly string[]; readonly program: string } = {
  agent: [`agent/${RECEIVED}`, 'agent/agent.heapsnapshot'],
  program: 'variables of a program',
}

const NAMES = [
  'key of openai',
  'key of anthropic',
  'key of google',
  'key of an adviser',
  'tool secret in a variable',
  'tool secret in a file',
  'tool secret of a command',
  'secret of a program',
  'passphrase of the keys',
  'token of a person',
  'client secret of OpenID',
  'secret of a webhook',
  'secret address of a channel',
  'secret that signs for a channel',
  'password of a channel',
  'password of Postgres',
] as const

export type ChosenName = (typeof NAMES)[number]

/** Tokens, and addresses of databases, are made of plain characters. */
const PLAIN: readonly ChosenName[] = [
  'token of a person',
  'password of Postgres',
  'secret address of a channel',
]
/** Each of them is read from a variable, in the process of the runtime. */
const VARIABLES: Readonly<Partial<Record<ChosenName, string>>> = {
  'key of openai': OPENAI_VARIABLE,
  'tool secret in a variable': 'RUBICON_SECRET_IN_VARIABLE',
}

export function openVault(folder: string): SecretVault {
  mkdirSync(folder, { mode: 0o700 })
  const getFile = (name: ChosenName): string => join(folder, name.replaceAll(' ', '-'))
  const chosen = Object.fromEntries(
    NAMES.map((name) => {
      const belongs = name === 'secret of a program' ? [OWN_PLACES.program] : []
      return [
        name,
        PLAIN.includes(name) ? createPlainSecret(name, belongs) : createCanarySecret(name, belongs),
      ]
    }),
  ) as Record<ChosenName, ChosenCredential>
  for (const name of NAMES)
    if (VARIABLES[name] === undefined)
      writeFileSync(getFile(name), `${chosen[name].value}\n`, { mode: 0o600 })
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  const agentKeyFile = join(folder, 'agent.pem')
  writeFileSync(agentKeyFile, pem, { mode: 0o600 })
  return {
    folder,
    chosen,
    agentKey: toKeyCredential('key of an agent', Buffer.from(pem), OWN_PLACES.agent),
    agentKeyFile,
    environment: Object.fromEntries(
      Object.entries(VARIABLES).map(([name, variable]) => [
        variable,
        chosen[name as ChosenName].value,
      ]),
    ),
    getFile,
  }
}

const SEED_BYTES = 32

/** A private key is known by its seed, which stands last in PKCS #8; what is no PEM, by its bytes. */
export function toKeyCredential(
  name: string,
  file: Uint8Array,
  belongs: readonly string[] = [],
): Credential {
  const text = Buffer.from(file).toString('latin1')
  const [, body] = /-----BEGIN PRIVATE KEY-----([^-]+)-----END/.exec(text) ?? []
  const bytes = body === undefined ? file : Buffer.from(body, 'base64').subarray(-SEED_BYTES)
  return toCredential(name, bytes, belongs)
}
