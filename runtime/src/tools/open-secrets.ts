import { assertUnreachable } from 'rubicon-kernel'
import { createCommandSecret } from '../adapters/secrets/command-secret.ts'
import { createEnvironmentSecret } from '../adapters/secrets/environment-secret.ts'
import { createFileSecret } from '../adapters/secrets/file-secret.ts'
import type { SecretSource } from '../ports/secrets.ts'
import type { SecretOrigin, ToolsConfig } from './config.ts'
import type { ToolAllowances } from './create-hands.ts'

/** What the operator allows, with a source behind each secret. No secret is read here. */
export function openAllowances({ http, commands, secrets }: ToolsConfig): ToolAllowances {
  const granted = [...secrets].map(
    ([name, { from, ...grant }]) => [name, { ...grant, source: openSource(name, from) }] as const,
  )
  return { http, commands, secrets: new Map(granted) }
}

function openSource(name: string, origin: SecretOrigin): SecretSource {
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
