/** Where a secret comes from, as the operator writes it, and what reads it there. */
import { assertUnreachable, type JsonValue } from 'rubicon-kernel'
import { createCommandSecret } from '../adapters/secrets/command-secret.ts'
import { createEnvironmentSecret } from '../adapters/secrets/environment-secret.ts'
import { createFileSecret } from '../adapters/secrets/file-secret.ts'
import type { SecretSource } from '../ports/secrets.ts'
import type { ConfigPath, ConfigReader } from './config-reader.ts'

export type SecretOrigin =
  | { readonly kind: 'environment' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] }

export function readSecretOrigin(
  reader: ConfigReader,
  value: JsonValue | undefined,
  path: ConfigPath,
): SecretOrigin {
  if (value === 'environment') return { kind: 'environment' }
  const { file, command } = reader.readObject(value ?? null, path, ['file', 'command'])
  if ((file === undefined) === (command === undefined))
    reader.refuse(path, 'is none of `environment`, {file: PATH} and {command: [PATH, …]}')
  if (file !== undefined) return { kind: 'file', path: reader.readText(file, [...path, 'file']) }
  const argv = reader.readTexts(command, [...path, 'command'])
  if (command !== undefined && !argv[0]?.startsWith('/'))
    reader.refuse([...path, 'command'], 'begins with no absolute path')
  return { kind: 'command', argv }
}

/** No secret is read here. */
export function openSecretSource(name: string, origin: SecretOrigin): SecretSource {
  switch (origin.kind) {
    case 'environment':
      return createEnvironmentSecret(name)
    case 'file':
      return createFileSecret(origin.path)
    case 'command':
      return createCommandSecret(origin.argv)
    default:
      return assertUnreachable(origin)
  }
}
