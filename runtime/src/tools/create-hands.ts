import { executeCommand } from './command/command-hands.ts'
import type { AllowedExecutable } from './command/executable.ts'
import type { ManifestHands } from './hands.ts'
import type { HttpAllowance } from './http/allowance.ts'
import { executeHttp } from './http/http-hands.ts'
import type { ConnectionOptions } from './http/open-connection.ts'
import type { ResolveHost } from './http/resolve-host.ts'
import type { SecretGrants } from './secret-grants.ts'

/** What the operator lets manifest tools reach, start and use. */
export type ToolAllowances = {
  readonly http: readonly HttpAllowance[]
  readonly commands: readonly AllowedExecutable[]
  readonly secrets: SecretGrants
}

export type HandsOptions = {
  readonly resolve?: ResolveHost
  readonly connection?: ConnectionOptions
}

export function createManifestHands(
  { http, commands, secrets }: ToolAllowances,
  options: HandsOptions = {},
): ManifestHands {
  return {
    execute: (executor, call, io) =>
      'http' in executor
        ? executeHttp({ ...options, allowed: http, secrets }, executor.http, call, io)
        : executeCommand({ allowed: commands, secrets }, executor.command, call, io),
  }
}
